/// A declaration parsed from the text of a source file. Because sources are formatted, the indentation shows the
/// nesting.
final class SourceDeclaration {
  let kind: String
  let modifiers: [String]
  /// The name without generic parameters; for an extension, the extended type.
  let name: String
  /// The signature on one line, without attributes, modifiers and body.
  let signature: String
  /// Whether a property or subscript can be set by code that can read it.
  let isSettable: Bool
  /// The lines of its documentation comment, joined; empty if there is none.
  let documentation: String
  /// The line number, from 1.
  let line: Int
  let parent: SourceDeclaration?
  fileprivate let indentation: Int

  fileprivate init(_ head: Head, _ lines: [Substring], at index: Int, in parent: SourceDeclaration?) {
    kind = head.kind
    modifiers = head.modifiers
    signature = Self.signature(lines, from: index, kind: head.kind)
    name = Self.name(in: signature, kind: head.kind)
    isSettable = Self.isSettable(lines, at: index, head)
    documentation = Self.documentation(lines, above: index)
    line = index + 1
    indentation = head.indentation
    self.parent = parent
  }

  var isType: Bool { ["struct", "class", "enum", "actor", "protocol"].contains(kind) }

  /// The enclosing types and the name: `HTTPHeaders.Field.name`.
  var path: String { parent.map { "\($0.path).\(name)" } ?? name }

  /// The name with argument labels, which is unique in the type.
  var key: String {
    guard ["func", "init", "subscript"].contains(kind) else { return name }
    return "\(name)(\(parameters.map { $0.prefix { $0 != ":" && $0 != " " } + ":" }.joined()))"
  }

  private var parameters: [Substring] {
    let text = signature.replacing("->", with: "")[...]
    guard let start = text.firstIndex(of: "(") else { return [] }
    var depth = 0
    var parts: [Substring] = []
    var first = text.index(after: start)
    for index in text[start...].indices {
      if "([{<".contains(text[index]) { depth += 1 }
      if ")]}>".contains(text[index]) { depth -= 1 }
      guard depth == 0 || depth == 1 && text[index] == "," else { continue }
      parts.append(text[first..<index])
      first = text.index(after: index)
      if depth == 0 { break }
    }
    return parts.map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
  }

  /// Whether calls may throw. Errors thrown by function parameters do not count.
  var throwsErrors: Bool {
    var depth = 0
    let outside = signature.filter { character in
      if "([".contains(character) { depth += 1 }
      defer { if ")]".contains(character) { depth -= 1 } }
      return depth == 0
    }
    return outside.split(separator: " ").contains("throws")
  }

  /// The types after the colon of a type or an extension.
  var inheritedTypes: [String] {
    let header = signature.firstRange(of: " where ").map { signature[..<$0.lowerBound] } ?? signature[...]
    guard let colon = Self.colon(in: header) else { return [] }
    return header[colon...].split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
  }

  /// The `where` clause of an extension or a type.
  var condition: String? { signature.firstRange(of: " where ").map { String(signature[$0.upperBound...]) } }

  /// Returns the index of the colon after a name and its generic parameters.
  private static func colon(in header: Substring) -> Substring.Index? {
    var depth = 0
    for index in header.indices {
      if header[index] == "<" { depth += 1 }
      if header[index] == ">" { depth -= 1 }
      if header[index] == ":", depth == 0 { return header.index(after: index) }
    }
    return nil
  }
}

// MARK: - Parsing

extension SourceDeclaration {
  /// Returns the declarations of types and their members in a file, but not those in functions.
  static func all(in text: String) -> [SourceDeclaration] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var found: [SourceDeclaration] = []
    var around: [SourceDeclaration] = []
    var isInText = false
    for (index, line) in lines.enumerated() {
      let marks = line.split(separator: "\"\"\"", omittingEmptySubsequences: false).count - 1
      defer { if marks % 2 == 1 { isInText.toggle() } }
      guard !isInText, let head = Head(line) else { continue }
      while let last = around.last, last.indentation >= head.indentation { around.removeLast() }
      guard head.indentation == (around.last.map { $0.indentation + 2 } ?? 0) else { continue }
      let declaration = SourceDeclaration(head, lines, at: index, in: around.last)
      found.append(declaration)
      if declaration.isType || declaration.kind == "extension" { around.append(declaration) }
    }
    return found
  }

  /// The start of a declaration.
  fileprivate struct Head {
    private static let kinds: Set = [
      "struct", "class", "enum", "actor", "protocol", "extension", "func", "var", "let", "init", "subscript",
      "typealias", "associatedtype", "case",
    ]
    private static let modifiers: Set = [
      "public", "package", "private", "fileprivate", "internal", "static", "final", "mutating", "nonmutating",
      "nonisolated", "indirect", "convenience", "required", "override", "lazy", "weak", "prefix", "postfix",
      "isolated", "borrowing", "consuming",
    ]

    let indentation: Int
    var modifiers: [String] = []
    var kind = ""

    init?(_ line: Substring) {
      let code = line.drop { $0 == " " }
      indentation = line.count - code.count
      for word in code.split(separator: " ") where !word.hasPrefix("@") {
        let base = String(word.prefix(while: \.isLetter))
        if Self.kinds.contains(base) {
          kind = base
          return
        }
        guard Self.modifiers.contains(base), word == base || word.hasSuffix(")") else { return nil }
        modifiers.append(String(word))
      }
      return nil
    }
  }

  private static func signature(_ lines: [Substring], from index: Int, kind: String) -> String {
    var text = ""
    var depth = 0
    for (number, line) in zip(index..., lines[index...]) {
      var isInString = false
      var last: Character = " "
      if !text.isEmpty { text += " " }
      for character in line.drop(while: { $0 == " " }) {
        if character == "\"", last != "\\" { isInString.toggle() }
        if !isInString {
          if character == "{", depth == 0 { return finish(text, kind) }
          if character == "/", last == "/" { break }
          if "([{".contains(character) { depth += 1 }
          if ")]}".contains(character) { depth -= 1 }
        }
        last = character
        text.append(character)
      }
      let hasMore = text.hasSuffix(",") || text.hasSuffix(":") || depth > 0
      let next = lines.indices.contains(number + 1) ? lines[number + 1].drop { $0 == " " } : ""
      if !hasMore, !["where ", "-> ", "{", "throws", "async"].contains(where: next.hasPrefix) || !isHeader(kind) {
        return finish(text, kind)
      }
    }
    return finish(text, kind)
  }

  /// A stored property can be set; for a computed one its body decides.
  private static func isSettable(_ lines: [Substring], at index: Int, _ head: Head) -> Bool {
    guard ["var", "subscript"].contains(head.kind), !head.modifiers.contains(where: { $0.hasSuffix("(set)") }) else {
      return false
    }
    let first = lines[index]
    if first.contains("{ get set }") { return true }
    let isStored = head.kind == "var" && (!first.contains("{") || first.contains(" = "))
    if isStored || first.hasSuffix("}") { return isStored }
    return lines[(index + 1)...].prefix { !$0.hasPrefix(String(repeating: " ", count: head.indentation) + "}") }
      .contains { ["set", "_modify"].contains($0.split(separator: " ").first) }
  }

  private static func isHeader(_ kind: String) -> Bool { !["var", "let", "case", "typealias"].contains(kind) }

  /// Removes everything before the kind and, if a property has a type annotation, its value.
  private static func finish(_ text: String, _ kind: String) -> String {
    let words = text.split(separator: " ")
    let start = words.firstIndex { $0.prefix(while: \.isLetter) == kind } ?? 0
    var signature = words[start...].joined(separator: " ").replacing("( ", with: "(").replacing(" )", with: ")")
    if ["var", "let"].contains(kind), let value = (signature + " ").firstRange(of: " = "),
      signature[..<value.lowerBound].contains(":")
    {
      signature = String(signature[..<value.lowerBound])
    }
    return signature
  }

  private static func name(in signature: String, kind: String) -> String {
    if ["init", "subscript"].contains(kind) { return kind }
    let rest = signature.dropFirst(kind.count).drop { $0 == " " }
    let word = rest.prefix { $0.isLetter || $0.isNumber || "_.`".contains($0) }
    return String(word.isEmpty ? rest.prefix { $0 != " " } : word).replacing("`", with: "")
  }

  private static func documentation(_ lines: [Substring], above index: Int) -> String {
    var comment: [Substring] = []
    for line in lines[..<index].reversed() {
      let code = line.drop { $0 == " " }
      if code.hasPrefix("///") {
        comment.insert(code.dropFirst(3), at: 0)
      } else if !comment.isEmpty || !code.hasPrefix("@") || Head(line) != nil {
        break
      }
    }
    return comment.joined(separator: "\n")
  }
}
