import ApusGraphQLLanguage
import ApusGraphQLValidation

extension LanguageService {
  /// Returns actions that apply the suggestions of errors in a range. Without any, returns those of errors on its lines,
  /// like the message that is shown there.
  func suggested(by errors: [ValidationError], in range: Range<Int>) -> [CodeAction] {
    // The validated document may be longer than this one, because fragments of other files follow it.
    let suggestions = errors.compactMap(\.suggestion).filter { $0.range.upperBound <= document.source.bytes.count }
    let touched = suggestions.filter { written(in: $0).touches(range) }
    let lines = touched.isEmpty ? lines(around: range) : range
    let chosen = touched.isEmpty ? suggestions.filter { written(in: $0).touches(lines) } : touched
    var seen: Set<CodeAction> = []
    // A fragment that is spread by two operations has the same error in both.
    return chosen.flatMap(actions).filter { seen.insert($0).inserted }
  }

  private func actions(for suggestion: Suggestion) -> [CodeAction] {
    let text = document.source.text(suggestion.range)
    return suggestion.names.map { name in
      switch suggestion.kind {
      case .replacement:
        CodeAction(
          kind: .applySuggestion, title: "Change \(text) to \(name)",
          edits: [TextEdit(range: suggestion.range, text: name)])
      case .inlineFragment:
        CodeAction(
          kind: .applySuggestion, title: "Wrap \(document.source.text(written(in: suggestion))) in ... on \(name)",
          edits: [
            .insert("... on \(name) { ", at: suggestion.range.lowerBound),
            .insert(" }", at: suggestion.range.upperBound),
          ])
      }
    }
  }

  /// Returns the range of the wrong name, without the selection set of a field.
  private func written(in suggestion: Suggestion) -> Range<Int> {
    guard suggestion.kind == .inlineFragment else { return suggestion.range }
    let field = document.tokens(from: suggestion.range.lowerBound, to: suggestion.range.upperBound)
    // An alias, its colon and the name.
    if field.count > 2, field[1].kind == .colon { return field[0].range.lowerBound..<field[2].range.upperBound }
    return field.first?.range ?? suggestion.range
  }

  private func lines(around range: Range<Int>) -> Range<Int> {
    let bytes = document.source.bytes
    let lower = bytes[..<range.lowerBound].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let upper = bytes[range.upperBound...].firstIndex(of: 0x0A) ?? bytes.count
    return lower..<upper
  }
}

extension Range<Int> {
  fileprivate func touches(_ other: Range<Int>) -> Bool {
    lowerBound <= other.upperBound && other.lowerBound <= upperBound
  }
}
