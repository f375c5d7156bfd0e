import ApusClientOperation
import ApusClientResultExecution
import ApusJSON

/// Comparing what is written with its types, on the way: where this is not sure of a value it looks closely, and notes
/// that one is not what it must be. What and where, the executor tells of the whole response.
extension Normalizer {
  /// A value of a field that has no selections beneath.
  mutating func compare(_ value: JSONValue, with field: PlanField) {
    guard isChecking, !isSuspect else { return }
    let shape = field.shape
    if shape.listDepth == 0, shape.leaf == .string, value.kind == .string { return }
    if ResultExecutor.problem(of: value, field: field) != nil { isSuspect = true }
  }

  /// A value, or an item of a list, of a field with selections beneath.
  mutating func compare(_ kind: JSONValue.Kind, with shape: TypeShape, level: Int) {
    guard isChecking else { return }
    let isRight =
      switch kind {
      case .null: !shape.isNonNull(level: level)
      case .array: !shape.isKnown || level < Int(shape.listDepth)
      case .object: !shape.isKnown || level == Int(shape.listDepth)
      default: !shape.isKnown
      }
    if !isRight { isSuspect = true }
  }

  /// The same along a tape.
  @inline(__always)
  mutating func compare(
    _ value: TapePlace, _ tape: Tape, _ document: JSONDocument, with field: ShapeField, of shape: NormalizerShape,
    at index: Int
  ) {
    let type = field.shape
    let kind = tape.kind(value)
    if kind == Tape.Kind.null {
      if type.isNonNull(level: 0) { isSuspect = true }
      return
    }
    if field.hasChild {
      if kind < Tape.Kind.array { isSuspect = isSuspect || type.isKnown }
      return
    }
    guard isChecking else { return }
    if type.listDepth == 0 {
      switch type.leaf {
      case .any: return
      case .string, .enumeration: if kind == Tape.Kind.string { return }
      case .id:
        if kind == Tape.Kind.string { return }
        if kind == Tape.Kind.number, LeafCheck.isInteger(tape.raw(value)) { return }
      case .boolean: if kind < Tape.Kind.number { return }
      case .int: if kind == Tape.Kind.number, LeafCheck.isPlainWhole(tape.raw(value)) { return }
      case .float: if kind == Tape.Kind.number, LeafCheck.isPlain(tape.raw(value)) { return }
      case .object, .checked: break
      }
    }
    lookClosely(value, document, type, of: shape, at: index)
  }

  private mutating func lookClosely(
    _ value: TapePlace, _ document: JSONDocument, _ type: TypeShape, of shape: NormalizerShape, at index: Int
  ) {
    if type.leaf != .checked, TapeCheck.isRight(leaf: value, of: document, shape: type) { return }
    if ResultExecutor.problem(of: document.value(at: value), field: shape.fields[index].plan) != nil {
      isSuspect = true
    }
  }

  /// The kind of a value, or of an item of a list, with selections beneath.
  @inline(__always)
  mutating func compare(kind: UInt16, with type: TypeShape, level: Int) {
    let isRight =
      switch kind {
      case Tape.Kind.null: !type.isNonNull(level: level)
      case Tape.Kind.array: level < Int(type.listDepth)
      case Tape.Kind.object: level == Int(type.listDepth)
      default: false
      }
    if !isRight, type.isKnown || kind == Tape.Kind.null { isSuspect = true }
  }
}
