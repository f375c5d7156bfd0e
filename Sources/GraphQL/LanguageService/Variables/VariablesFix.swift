import ApusAlgorithms
import ApusGraphQLSchema

/// Changes of the variables that solve a problem.
enum VariablesFix {
  /// Changes a quoted name to another one.
  static func changing(_ range: Range<Int>, from old: String, to new: String) -> CodeAction {
    CodeAction(
      kind: .applySuggestion, title: "Change \(old) to \(new)", edits: [TextEdit(range: range, text: "\"\(new)\"")])
  }

  /// Changes a quoted name to each name that resembles it.
  static func changing(_ range: Range<Int>, from old: String, to names: [String]) -> [CodeAction] {
    let distance = EditDistance(old)
    let near = names.filter { distance.measure($0, max(2, old.count / 3)) != nil }
    return near.prefix(3).map { changing(range, from: old, to: $0) }
  }

  static func quoting(_ word: String, at range: Range<Int>) -> CodeAction {
    CodeAction(
      kind: .applySuggestion, title: "Put \(word) in quotes", edits: [TextEdit(range: range, text: "\"\(word)\"")])
  }

  /// Adds a member with the beginning of its value at the start of an object.
  static func adding(_ name: String, of type: TypeReference?, toObjectAt offset: Int, isEmpty: Bool) -> CodeAction {
    let value = VariablesService.beginning(of: type)
    return CodeAction(
      kind: .applySuggestion, title: "Add \(name)\(type.map { ": \($0)" } ?? "")",
      edits: [.insert("\"\(name)\": \(value)\(isEmpty ? "" : ", ")", at: offset + 1)])
  }
}

extension VariablesService {
  /// Returns the fixes of the problems that a byte range touches; without any, those of the problems on its lines.
  package func fixes(in range: Range<Int>) -> [CodeAction] {
    let problems = diagnostics().filter { !$0.fixes.isEmpty }
    let touched = problems.filter { $0.range.lowerBound <= range.upperBound && range.lowerBound <= $0.range.upperBound }
    if !touched.isEmpty { return touched.flatMap(\.fixes) }
    let bytes = text.bytes
    let lower = bytes[..<min(range.lowerBound, bytes.count)].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let upper = bytes[min(range.upperBound, bytes.count)...].firstIndex(of: 0x0A) ?? bytes.count
    return problems.filter { $0.range.lowerBound <= upper && lower <= $0.range.upperBound }.flatMap(\.fixes)
  }
}
