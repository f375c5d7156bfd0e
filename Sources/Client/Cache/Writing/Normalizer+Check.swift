import ApusClientOperation
import ApusClientResultExecution
import ApusJSON

/// Values are compared with their types on the way. Where this is not sure of one, it looks closely, and notes that one does
/// not match; the executor then finds which, and why.
extension Normalizer {
  /// Checks the value of a field, but for the objects and lists of one with selections.
  @inline(__always)
  mutating func check<Source: ResponseSource>(
    _ value: Source.Place, of source: Source, _ kind: JSONValue.Kind, _ shape: NormalizerShape, at index: Int
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

  /// Whether a value that is not null matches its type, as far as that is seen without looking closely.
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

  /// Checks the kind of a value, or of an item so many lists deep, of a field with selections.
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
