import ApusASCII
import ApusAlgorithms
import ApusClientNetwork

/// The start line and the header fields of an HTTP/1.1 message (RFC 9112), with the bytes of their values.
struct MessageHead: Sendable, Equatable {
  struct Field: Sendable, Equatable {
    /// The name as it was sent.
    var name: String
    /// The value without the white space around it. It may have bytes that are not UTF-8.
    var value: [UInt8]

    init(_ name: String, _ value: [UInt8]) {
      (self.name, self.value) = (name, value)
    }

    init(_ name: String, _ value: String) { self.init(name, Array(value.utf8)) }

    func isNamed(_ name: String) -> Bool { self.name.lowercased() == name }
  }

  /// The reason why a head is not valid, as the end of a sentence.
  struct Malformed: Error, Equatable {
    let reason: String
  }

  var startLine: String
  var fields: [Field] = []

  /// Parses a head with the empty line at its end. Lines may end with a line feed alone (RFC 9112, section 2.2).
  ///
  /// - Parameter joinsFoldedLines: Whether a line that begins with white space continues the one before, as responses may have
  ///   (RFC 9112, section 5.2). Otherwise it is an error.
  init(parsing bytes: [UInt8], joinsFoldedLines: Bool) throws(Malformed) {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map {
      $0.last == 0x0D ? $0.dropLast() : $0
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    guard let first = lines.first, let line = String(validating: first, as: UTF8.self),
      first.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { throw Malformed(reason: "its first line has bytes that are not allowed") }
    startLine = line
    for line in lines.dropFirst() {
      if line.first == 0x20 || line.first == 0x09 {
        guard joinsFoldedLines, let last = fields.popLast() else {
          throw Malformed(reason: "a header field is continued on a second line")
        }
        fields.append(Field(last.name, last.value + [0x20] + Self.trimmed(line)))
      } else {
        fields.append(try Self.field(line))
      }
    }
  }

  private static func field(_ line: ArraySlice<UInt8>) throws(Malformed) -> Field {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
      line[..<colon].allSatisfy(isTokenByte)
    else { throw Malformed(reason: "a header field has no valid name") }
    let value = trimmed(line[(colon + 1)...])
    guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
      throw Malformed(
        reason: "the header field \(String(decoding: line[..<colon], as: UTF8.self)) has a control character")
    }
    return Field(String(decoding: line[..<colon], as: UTF8.self), Array(value))
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    bytes.trimming { $0 == 0x20 || $0 == 0x09 }
  }

  /// Whether a byte may be part of a field name or a method (RFC 9110, section 5.6.2).
  static func isTokenByte(_ byte: UInt8) -> Bool { byte.isNameByte || "!#$%&'*+-.^`|~".utf8.contains(byte) }

  /// Returns the values of a field, given its lowercase name.
  func values(_ name: String) -> [String] {
    fields.filter { $0.isNamed(name) }.map { String(decoding: $0.value, as: UTF8.self) }
  }

  /// Returns the elements of a list-valued field in lowercase, such as those of `Connection` (RFC 9110, section 5.6.1).
  func elements(_ name: String) -> [String] {
    values(name).flatMap { $0.split(separator: ",") }
      .map { String($0.trimming { $0 == " " || $0 == "\t" }).lowercased() }.filter { !$0.isEmpty }
  }

  /// The bytes of the head, with the empty line at its end.
  var bytes: [UInt8] {
    var bytes = Array(startLine.utf8) + [0x0D, 0x0A]
    for field in fields {
      bytes += field.name.utf8
      bytes += [0x3A, 0x20]
      bytes += field.value
      bytes += [0x0D, 0x0A]
    }
    return bytes + [0x0D, 0x0A]
  }

  /// The fields as text, for observers.
  var headers: HTTPHeaders {
    HTTPHeaders(fields.map { .init(name: $0.name, value: String(decoding: $0.value, as: UTF8.self)) })
  }
}
