import ApusGraphQLLanguage

/// Lines that can be collapsed to the first one.
package struct FoldingRange: Sendable, Equatable {
  package enum Kind: Sendable { case block, comment, text }

  /// The lines, from 1. The last one contains the closing bracket.
  package let lines: ClosedRange<Int>
  package let kind: Kind
}

extension LanguageService {
  /// Returns the foldable ranges, outermost first: brackets over several lines, block strings, and consecutive comments.
  package func foldingRanges() -> [FoldingRange] {
    let source = document.source
    var ranges: [FoldingRange] = []
    func add(_ start: Int, _ end: Int, _ kind: FoldingRange.Kind) {
      let first = source.location(at: start).line
      let last = source.location(at: end).line
      if last > first { ranges.append(FoldingRange(lines: first...last, kind: kind)) }
    }
    for pair in Brackets.pairs(in: document) { add(pair.opening, pair.closing, .block) }
    var comments: Range<Int>?
    for token in document.tokens {
      if token.kind == .comment {
        comments = (comments?.lowerBound ?? token.range.lowerBound)..<token.range.upperBound
        continue
      }
      if let run = comments { add(run.lowerBound, run.upperBound, .comment) }
      comments = nil
      if token.kind == .blockString { add(token.range.lowerBound, token.range.upperBound - 1, .text) }
    }
    if let run = comments { add(run.lowerBound, run.upperBound, .comment) }
    return ranges.sorted {
      ($0.lines.lowerBound, -$0.lines.upperBound) < ($1.lines.lowerBound, -$1.lines.upperBound)
    }
  }
}
