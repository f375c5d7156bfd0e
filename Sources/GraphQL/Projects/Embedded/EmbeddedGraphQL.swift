/// A literal with GraphQL in another language.
package struct EmbeddedLiteral: Equatable {
  /// The byte range between the quotes.
  package let range: Range<Int>
  /// The parts that are not GraphQL: interpolated values, and the backslashes of escapes.
  package var gaps: [Range<Int>] = []
  /// The reason why the literal alone is not a document; `nil` if it is one.
  package var partial: PartialText?

  /// Returns the GraphQL with unchanged offsets: gaps are replaced by blanks, except for their line breaks.
  package func bytes(of file: [UInt8]) -> [UInt8] {
    var bytes = Array(file[range])
    for gap in gaps {
      for index in gap where file[index] != 0x0A && file[index] != 0x0D { bytes[index - range.lowerBound] = 0x20 }
    }
    return bytes
  }

  /// Whether a value is interpolated within braces or parentheses. After a definition it is a fragment, as in `graphql-tag`,
  /// and the document is complete.
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

/// The reason why a literal is only part of a document.
package enum PartialText: Sendable, Equatable {
  /// The literal is joined with another string.
  case concatenated
  /// The program formats the string, so that braces and percent signs have a special meaning.
  case formatted
  /// Values are interpolated within braces or parentheses.
  case interpolated

  /// The reason, for messages.
  package var reason: String {
    switch self {
    case .concatenated: "it is joined with other strings"
    case .formatted: "it is a formatted string"
    case .interpolated: "it has interpolated values"
    }
  }
}

/// Finds GraphQL in files of other languages.
package enum EmbeddedGraphQL {
  /// Returns the literals in the order of the file. They do not overlap.
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

  /// Whether a word before a literal marks it as GraphQL: `gql` or `graphql`.
  static func isMark(_ word: ArraySlice<UInt8>) -> Bool {
    word.elementsEqual("gql".utf8) || word.elementsEqual("graphql".utf8)
  }

  /// Whether a comment marks a literal as GraphQL, ignoring spaces.
  static func isMark(comment: ArraySlice<UInt8>) -> Bool {
    comment.filter { $0 != 0x20 }.elementsEqual("/*GraphQL*/".utf8)
  }

  /// Whether the literal itself begins with a marking comment.
  static func isMarked(_ content: ArraySlice<UInt8>) -> Bool {
    let text = content.drop { $0 <= 0x20 }
    return text.starts(with: "#graphql".utf8) || text.starts(with: "# graphql".utf8)
  }

  /// Whether a plus sign follows, after white space, so that the string is part of a longer one.
  static func isJoined(_ bytes: [UInt8], at end: Int) -> Bool {
    bytes[min(end, bytes.count)...].first { $0 > 0x20 } == UInt8(ascii: "+")
  }

  package static func isWord(_ byte: UInt8) -> Bool {
    let letter = byte | 0x20
    return letter >= 0x61 && letter <= 0x7A || byte >= 0x30 && byte <= 0x39 || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: "$")
  }
}
