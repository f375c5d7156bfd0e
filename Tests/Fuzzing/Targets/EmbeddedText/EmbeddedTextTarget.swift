import FuzzHarness

@testable import ApusGraphQLProjects

/// Whatever a file of another language holds: the GraphQL that is found in it lies in the file, in its order, and stands
/// there byte for byte.
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
        expect(text.count == literal.range.count, "\(language): places moved")
        _ = literal.hasGapInside(bytes)
      }
    }
  }
}
