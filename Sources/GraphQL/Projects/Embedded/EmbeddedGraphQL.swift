import ApusGraphQLLanguage

/// A literal with GraphQL in another language.
package struct EmbeddedLiteral: Equatable {
  /// The byte range between the quotes.
  package let range: Range<Int>
  /// The interpolated values.
  package var gaps: [Range<Int>] = []
  /// Escapes of the other language.
  var escapes: [LiteralEscape] = []
  /// The reason why the literal alone is not a document; `nil` if it is one.
  package var partial: PartialText?

  /// Parts that are not GraphQL, in order.
  package var hostText: [Range<Int>] {
    (gaps + escapes.map(\.range)).sorted { $0.lowerBound < $1.lowerBound }
  }

  /// Returns the GraphQL with unchanged offsets: escapes are decoded and values are blank, except for their line
  /// breaks. A default value is `null`.
  package func bytes(of file: [UInt8]) -> [UInt8] {
    var bytes = Array(file[range])
    let start = range.lowerBound
    for escape in escapes {
      for index in escape.range { bytes[index - start] = 0x20 }
      bytes[escape.range.lowerBound - start] = escape.byte
    }
    for gap in gaps {
      for index in gap where file[index] != 0x0A && file[index] != 0x0D { bytes[index - start] = 0x20 }
      let null = Array("null".utf8)
      guard gap.count >= null.count, bytes[..<(gap.lowerBound - start)].last(where: { $0 > 0x20 }) == UInt8(ascii: "=")
      else { continue }
      bytes.replaceSubrange(gap.lowerBound - start..<gap.lowerBound - start + null.count, with: null)
    }
    return bytes
  }

  /// The places of interpolated values. After a definition a value is a fragment, as in `graphql-tag`, and the document
  /// is complete.
  package func values(in file: [UInt8]) -> InterpolatedValues {
    if gaps.isEmpty { return .none }
    return hasGapInside(file) ? .insideDefinitions : .betweenDefinitions
  }

  /// Whether a value is interpolated within braces or parentheses.
  private func hasGapInside(_ file: [UInt8]) -> Bool {
    var depth = 0
    var position = range.lowerBound
    for gap in gaps {
      for byte in file[position..<max(position, gap.lowerBound)] {
        if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: "}") || byte == UInt8(ascii: ")") { depth -= 1 }
      }
      if depth > 0 { return true }
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
    case .markup: return MarkupSections.literals(in: bytes)
    case .python: return PythonLiterals.find(in: bytes)
    case .swift: return SwiftLiterals.find(in: bytes)
    case .markdown: return MarkdownFences.find(in: bytes)
    }
  }

  /// Whether a word before a literal marks it as GraphQL: `gql` or `graphql`.
  static func isMark(_ word: ArraySlice<UInt8>) -> Bool {
    word.elementsEqual("gql".utf8) || word.elementsEqual("graphql".utf8)
  }

  /// Whether a comment marks a literal as GraphQL: `/* GraphQL */`, ignoring spaces and case.
  static func isMark(comment: ArraySlice<UInt8>) -> Bool {
    let text = comment.filter { $0 > 0x20 }
    return text.count == 11 && lowercase(text[...]).elementsEqual("/*graphql*/".utf8)
  }

  static func lowercase(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
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
