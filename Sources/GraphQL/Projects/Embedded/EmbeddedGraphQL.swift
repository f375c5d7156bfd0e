/// A literal of another language that holds GraphQL.
package struct EmbeddedLiteral: Equatable {
  /// The bytes between its quotes.
  package let range: Range<Int>
  /// The parts that are not GraphQL: interpolated values, and the backslashes of escapes.
  package var gaps: [Range<Int>] = []
  /// The reason why the literal alone is not a document; nil if it is one.
  package var partial: PartialText?

  /// The GraphQL, byte for byte where it stands in the file: gaps are blank, but for their line ends.
  package func bytes(of file: [UInt8]) -> [UInt8] {
    var bytes = Array(file[range])
    for gap in gaps {
      for index in gap where file[index] != 0x0A && file[index] != 0x0D { bytes[index - range.lowerBound] = 0x20 }
    }
    return bytes
  }

  /// Whether a value is put in between braces or parentheses. Behind a definition it is a fragment, as `graphql-tag` has
  /// it, and nothing is missing.
  package func hasGapInside(_ file: [UInt8]) -> Bool {
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

/// Why the text of a literal is only a part of what its program sends.
package enum PartialText: Sendable, Equatable {
  /// It is joined with another string.
  case concatenated
  /// The program fills in values: braces and percent signs have another meaning in it.
  case formatted
  /// Values are put into it between braces or parentheses.
  case interpolated

  /// The reason in words.
  package var reason: String {
    switch self {
    case .concatenated: "it is joined with other strings"
    case .formatted: "it is a formatted string"
    case .interpolated: "values are put into it"
    }
  }
}

/// Finds the GraphQL in files of other languages.
package enum EmbeddedGraphQL {
  /// The literals in the order of the file. They do not overlap.
  package static func literals(in bytes: [UInt8], language: HostLanguage) -> [EmbeddedLiteral] {
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

  /// Whether a plus sign follows, across spaces and line ends: the string before it is a part of a longer one.
  static func isJoined(_ bytes: [UInt8], at end: Int) -> Bool {
    bytes[min(end, bytes.count)...].first { $0 > 0x20 } == UInt8(ascii: "+")
  }

  package static func isWord(_ byte: UInt8) -> Bool {
    let letter = byte | 0x20
    return letter >= 0x61 && letter <= 0x7A || byte >= 0x30 && byte <= 0x39 || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: "$")
  }
}
