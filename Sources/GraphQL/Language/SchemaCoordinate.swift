import ApusASCII

/// A schema coordinate (GraphQL specification, September 2025, section 3.13): `Bird`, `Bird.name`,
/// `Query.birds(first:)`, `@cost`, `@cost(weight:)`.
package enum SchemaCoordinate: Sendable, Hashable, CustomStringConvertible {
  case type(String)
  /// A field, an input field or an enum value.
  case member(String, of: String)
  case argument(String, field: String, type: String)
  /// A directive, named without `@`.
  case directive(String)
  case directiveArgument(String, directive: String)

  package var description: String {
    switch self {
    case .type(let name): name
    case .member(let name, let type): "\(type).\(name)"
    case .argument(let name, let field, let type): "\(type).\(field)(\(name):)"
    case .directive(let name): "@\(name)"
    case .directiveArgument(let name, let directive): "@\(directive)(\(name):)"
    }
  }

  package init(_ text: String) throws(SyntaxDiagnostic) {
    var reader = CoordinateReader(Array(text.utf8))
    self = try reader.read()
  }
}

/// Parses a coordinate, in which white space and comments are not allowed.
private struct CoordinateReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func read() throws(SyntaxDiagnostic) -> SchemaCoordinate {
    let coordinate: SchemaCoordinate
    if try consume("@") {
      let directive = try name()
      coordinate = try argument().map { .directiveArgument($0, directive: directive) } ?? .directive(directive)
    } else {
      let type = try name()
      if try consume(".") {
        let member = try name()
        coordinate = try argument().map { .argument($0, field: member, type: type) } ?? .member(member, of: type)
      } else {
        coordinate = .type(type)
      }
    }
    guard position == bytes.count else { throw try unexpected("<EOF>") }
    return coordinate
  }

  private mutating func argument() throws(SyntaxDiagnostic) -> String? {
    guard try consume("(") else { return nil }
    let argument = try name()
    for character in [":", ")"] as [Unicode.Scalar] where try !consume(character) {
      throw try unexpected("\"\(character)\"")
    }
    return argument
  }

  private mutating func consume(_ character: Unicode.Scalar) throws(SyntaxDiagnostic) -> Bool {
    _ = try found()
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func name() throws(SyntaxDiagnostic) -> String {
    guard position < bytes.count, bytes[position].isNameStart else { throw try unexpected("Name") }
    let start = position
    while position < bytes.count, bytes[position].isNameByte { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private func unexpected(_ expected: String) throws(SyntaxDiagnostic) -> SyntaxDiagnostic {
    SyntaxDiagnostic(
      message: "Expected \(expected), found \(try found()).", range: position..<min(position + 1, bytes.count))
  }

  /// Returns a description of the current token for a syntax error.
  private func found() throws(SyntaxDiagnostic) -> String {
    guard position < bytes.count else { return "<EOF>" }
    let byte = bytes[position]
    if byte.isNameStart {
      let name = bytes[position...].prefix(while: \.isNameByte)
      return "Name \"\(String(decoding: name, as: UTF8.self))\""
    }
    let character = String(decoding: bytes[position...], as: UTF8.self).unicodeScalars.first ?? " "
    guard ".():@".unicodeScalars.contains(character) else {
      let words = bytes.withUnsafeBufferPointer { Lexer($0).describeCharacter(at: position) }
      throw SyntaxDiagnostic(
        message: "Invalid character: \(words).", range: position..<position + UTF8.width(character))
    }
    return "\"\(character)\""
  }
}
