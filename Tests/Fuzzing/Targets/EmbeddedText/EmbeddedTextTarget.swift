import FuzzHarness

@testable import ApusGraphQLProjects

/// For any file of another language, the GraphQL found in it is in the file byte for byte, in the same order.
@main enum EmbeddedTextTarget: FuzzTarget {
  private static let languages: [HostLanguage] = [.javascript, .markup, .python, .swift, .markdown]

  static func check(_ bytes: [UInt8]) {
    for language in languages {
      var end = 0
      for literal in EmbeddedGraphQL.literals(in: bytes, language: language) {
        expect(literal.range.lowerBound >= end, "\(language): literals overlap at \(literal.range)")
        expect(literal.range.upperBound <= bytes.count, "\(language): \(literal.range) is beyond the file")
        end = literal.range.upperBound
        for gap in literal.gaps {
          expect(
            literal.range.lowerBound <= gap.lowerBound && gap.upperBound <= literal.range.upperBound,
            "\(language): the gap \(gap) is beyond \(literal.range)")
        }
        let text = literal.bytes(of: bytes)
        expect(text.count == literal.range.count, "\(language): offsets changed")
        _ = literal.values(in: bytes)
      }
    }
  }
}
