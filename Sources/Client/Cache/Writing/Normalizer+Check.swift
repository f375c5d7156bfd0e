import ApusClientOperation
import ApusClientResultExecution
import ApusJSON

/// Type checks during normalization. They are fast and approximate: a suspicious value is examined exactly, and if it does
/// not match its type, the executor determines the location and reason afterwards.
extension Normalizer {
  /// Checks the value of a field, except for objects and lists of a field with selections.
  @inline(__always)
  mutating func check<Source: ResponseSource>(
    _ value: Source.Place, of source: Source, _ kind: JSONValue.Kind, _ shape: NormalizerSelection, at index: Int
  ) {
    let field = shape.table[index]
    let rule = ValueRule(for: kind, field.type, level: 0, hasSelections: field.hasChild)
    let isNull = if case .null = kind { true } else { false }
    if isNull || field.hasChild {
      if case .wrong = rule { isSuspect = true }
    } else if isChecking, !isSurelyRight(value, of: source, rule),
      ResultExecutor.problem(of: source.json(value), field: shape.fields[index].plan) != nil
    {
      isSuspect = true
    }
  }

  /// Returns whether a value without selections certainly satisfies its rule. `false` requires an exact check.
  @inline(__always)
  private func isSurelyRight<Source: ResponseSource>(_ value: Source.Place, of source: Source, _ rule: ValueRule)
    -> Bool
  {
    switch rule {
    case .valid: true
    case .whole: source.withPlainText(of: value) { LeafCheck.isPlainWhole($0) } == true
    case .finite: source.withPlainText(of: value) { LeafCheck.isPlain($0) } == true
    case .integer: source.withPlainText(of: value) { LeafCheck.isInteger($0) } == true
    case .wrong, .elements, .selections, .custom: false
    }
  }

  /// Checks the kind of a value or list item of a field with selections. `level` is the number of enclosing lists.
  @inline(__always)
  mutating func compare(_ kind: JSONValue.Kind, with type: TypeShape, level: Int) {
    if case .wrong = ValueRule(for: kind, type, level: level, hasSelections: true) { isSuspect = true }
  }
}
