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
    if kind == .null {
      if field.type.isNonNull(level: 0) { isSuspect = true }
    } else if field.hasChild {
      if field.type.isKnown { isSuspect = true }
    } else if isChecking, !isSurelyRight(value, of: source, kind, field.type),
      ResultExecutor.problem(of: source.json(value), field: shape.fields[index].plan) != nil
    {
      isSuspect = true
    }
  }

  /// Returns whether a non-null value certainly matches its type. `false` requires an exact check.
  @inline(__always)
  private func isSurelyRight<Source: ResponseSource>(
    _ value: Source.Place, of source: Source, _ kind: JSONValue.Kind, _ type: TypeShape
  ) -> Bool {
    guard type.listDepth == 0 else { return false }
    switch type.leaf {
    case .any: return true
    case .string, .enumeration: return kind == .string
    case .boolean: return kind == .bool
    case .id:
      return kind == .string
        || (kind == .number && source.withPlainText(of: value) { LeafCheck.isInteger($0) } == true)
    case .int: return kind == .number && source.withPlainText(of: value) { LeafCheck.isPlainWhole($0) } == true
    case .float: return kind == .number && source.withPlainText(of: value) { LeafCheck.isPlain($0) } == true
    case .object, .checked: return false
    }
  }

  /// Checks the kind of a value or list item of a field with selections. `level` is the number of enclosing lists.
  @inline(__always)
  mutating func compare(_ kind: JSONValue.Kind, with type: TypeShape, level: Int) {
    let isRight =
      switch kind {
      case .null: !type.isNonNull(level: level)
      case .array: !type.isKnown || level < Int(type.listDepth)
      case .object: !type.isKnown || level == Int(type.listDepth)
      case .bool, .number, .string: !type.isKnown
      }
    if !isRight { isSuspect = true }
  }
}
