/// A literal of another language that holds GraphQL.
struct EmbeddedLiteral: Equatable {
  /// The bytes between its quotes.
  let range: Range<Int>
  /// What stands in it and is none of GraphQL: values that are put in, and the backslashes of escapes.
  var gaps: [Range<Int>] = []

  /// The GraphQL, byte for byte where it stands in the file: gaps are blank, but for their line ends.
  func bytes(of file: [UInt8]) -> [UInt8] {
    var bytes = Array(file[range])
    for gap in gaps {
      for index in gap where file[index] != 0x0A && file[index] != 0x0D { bytes[index - range.lowerBound] = 0x20 }
    }
    return bytes
  }

  /// Whether a value is put in between braces or parentheses. Behind a definition it is a fragment, as `graphql-tag` has
  /// it, and nothing is missing.
  func hasGapInside(_ file: [UInt8]) -> Bool {
    var depth = 0
    var position = range.lowerBound
    for gap in gaps {
      for byte in file[position..<max(position, gap.lowerBound)] {
        if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: "}") || byte == UInt8(ascii: ")") { depth -= 1 }
      }
      if depth > 0, gap.count > 1 { return true }
      position = gap.upperBound
    }
    return false
  }
}

/// Finds the GraphQL in files of other languages.
enum EmbeddedGraphQL {
  static func literals(in bytes: [UInt8], language: HostLanguage) -> [EmbeddedLiteral] {
    switch language {
    case .graphql, .other: return []
    case .javascript: return JavaScriptLiterals.find(in: bytes, 0..<bytes.count)
    case .markup: return MarkupScripts.find(in: bytes).flatMap { JavaScriptLiterals.find(in: bytes, $0) }
    case .python: return PythonLiterals.find(in: bytes)
    case .swift: return SwiftLiterals.find(in: bytes)
    case .markdown: return MarkdownFences.find(in: bytes)
    }
  }

  /// The words that mark a literal: `gql` and `graphql` before it.
  static func isMark(_ word: ArraySlice<UInt8>) -> Bool {
    word.elementsEqual("gql".utf8) || word.elementsEqual("graphql".utf8)
  }

  /// The comment that marks a literal, with or without spaces in it.
  static func isMark(comment: ArraySlice<UInt8>) -> Bool {
    comment.filter { $0 != 0x20 }.elementsEqual("/*GraphQL*/".utf8)
  }

  /// A literal that says itself what it holds.
  static func isMarked(_ content: ArraySlice<UInt8>) -> Bool {
    let text = content.drop { $0 <= 0x20 }
    return text.starts(with: "#graphql".utf8) || text.starts(with: "# graphql".utf8)
  }

  static func isWord(_ byte: UInt8) -> Bool {
    let letter = byte | 0x20
    return letter >= 0x61 && letter <= 0x7A || byte >= 0x30 && byte <= 0x39 || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: "$")
  }
}
