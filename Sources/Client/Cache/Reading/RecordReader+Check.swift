import ApusASCII
import ApusClientAPI
import ApusClientOperation
import ApusClientRecords
import ApusClientResultExecution
import ApusJSON

/// Validates cached values against the types of the operation, because another program, another version or the user may have
/// written them.
extension RecordReader {
  /// Returns whether the value of a field without selections matches its type.
  func isRight(_ slot: StoredValue, _ field: ReaderField) -> Bool { contradiction(of: slot, field) == nil }

  /// Returns whether a record's type is possible for a selection.
  func canStand(_ id: RecordID, _ shapes: ReaderNode) -> Bool {
    shapes.shape(type: storage[id].type, in: storage).isPossible
  }

  func value(of field: ReaderField, in id: RecordID) -> StoredValue? {
    field.id.flatMap { storage.value(of: $0, in: id) }
  }

  // For fields with selections.
  func canBeObject(_ type: TypeShape, level: Int) -> Bool { canBe(.object, type, level: level) }
  func canBeList(_ type: TypeShape, level: Int) -> Bool { canBe(.array, type, level: level) }
  private func canBe(_ kind: JSONValue.Kind, _ type: TypeShape, level: Int) -> Bool {
    if case .wrong = ValueRule(for: kind, type, level: level, hasSelections: true) { return false }
    return true
  }

  /// Returns the errors that explain why a field has no usable value.
  mutating func errors(of field: ReaderField, in id: RecordID?) -> [GraphQLError] {
    guard let id else { return [] }
    let place = ResponsePath(path + [.key(field.responseKey)])
    var errors: [GraphQLError] = []
    if let text = storage.notes.hasErrors ? field.id.flatMap({ storage.notes.error(id, $0) }) : nil,
      let list = JSONBytes.document(Array(text.utf8))
    {
      errors = GraphQLError.list(list).map { error in
        GraphQLError(message: error.message, path: place, extensions: error.extensions)
      }
    }
    if let slot = value(of: field, in: id),
      let problem = contradiction(of: slot, field)
    {
      if errors.isEmpty { contradicted.insert(place) }
      errors.insert(GraphQLError(ResultError(problem, at: place)), at: 0)
    }
    return errors
  }

  /// Returns the error of a list item.
  mutating func errors(of item: StoredValue, _ child: ReaderNode, _ field: PlanField, level: Int) -> [GraphQLError] {
    guard let problem = contradiction(of: item, child, field, level: level) else { return [] }
    contradicted.insert(ResponsePath(path))
    return [GraphQLError(ResultError(problem, at: ResponsePath(path)))]
  }

  /// Returns how a field's value contradicts its type, or `nil` if it does not.
  private func contradiction(of slot: StoredValue, _ field: ReaderField) -> ResultError.Problem? {
    if let child = field.child { return contradiction(of: slot, child, field.plan, level: 0) }
    switch slot.kind {
    case .reference, .missing: return nil
    // Without selections, a list is stored as one scalar unless it is an incomplete stream.
    case .list:
      guard slot.isOpen, let list = storage.json(ofList: slot) else { return nil }
      return ResultExecutor.problem(of: list, field: field.plan)
    case .null: return ResultExecutor.problem(of: .null, field: field.plan)
    case .scalar:
      let value = storage.withText(of: slot) {
        slot.isString ? JSONBytes.value(of: $0, isString: true) : JSONBytes.document(Array($0))
      }
      guard let value else {
        return .wrongType(expected: field.plan.typeDescription(level: 0), found: "invalid JSON")
      }
      return ResultExecutor.problem(of: value, field: field.plan)
    }
  }

  /// Returns how a value or list item contradicts its type. `level` is the number of enclosing lists.
  private func contradiction(
    of slot: StoredValue, _ child: ReaderNode, _ field: PlanField, level: Int
  ) -> ResultError.Problem? {
    let type = field.shape
    guard type.isKnown else { return nil }
    let expected = field.typeDescription(level: level)
    switch slot.kind {
    case .missing: return nil
    case .null: return canBe(.null, type, level: level) ? nil : .nullForNonNull(type: expected)
    case .scalar:
      return .wrongType(expected: expected, found: slot.isString ? "a string" : "a scalar")
    case .list: return canBeList(type, level: level) ? nil : .wrongType(expected: expected, found: "a list")
    case .reference:
      if !canBeObject(type, level: level) { return .wrongType(expected: expected, found: "an object") }
      guard exists(slot.target), !canStand(slot.target, child) else { return nil }
      return .unexpectedTypename(
        storage.typename(slot.target) ?? "unknown", expected: child.node.concreteType ?? expected)
    }
  }
}

extension StoredRecords {
  /// Returns whether a leaf value certainly matches its type. A fast check for common values; `false` requires a full check.
  func isSurelyRight(_ value: StoredValue, _ type: TypeShape) -> Bool {
    switch value.kind {
    case .null: return !type.isNonNull(level: 0)
    case .list: return false
    case .reference, .missing: return true
    case .scalar:
      guard type.listDepth == 0 else { return false }
      if value.isString {
        if case .valid = ValueRule.scalar(.string, type.leaf) { return true }
        return false
      }
      return withText(of: value) { text in
        // Any JSON matches `any`, and invalid JSON is detected when the response is parsed.
        guard let kind = Self.kind(of: text) else { return false }
        return switch ValueRule.scalar(kind, type.leaf) {
        case .valid, .finite: true
        // With so few digits, a number fits into every type, and digits with a sign are an integer.
        case .whole, .integer: LeafCheck.isInteger(text)
        case .wrong, .elements, .selections, .custom: false
        }
      }
    }
  }

  /// Returns the kind of a short number or a Boolean; nil for any other text.
  private static func kind(of text: UnsafeBufferPointer<UInt8>) -> JSONValue.Kind? {
    if isTrueOrFalse(text) { return .bool }
    let isNumber =
      text.count <= 8 && text.allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
    return isNumber ? .number : nil
  }

  private static func isTrueOrFalse(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    // Comparing bytes is nine times faster than comparing with the bytes of a string.
    switch text.count {
    case 4: text[0] == 0x74 && text[1] == 0x72 && text[2] == 0x75 && text[3] == 0x65
    case 5: text[0] == 0x66 && text[1] == 0x61 && text[2] == 0x6C && text[3] == 0x73 && text[4] == 0x65
    default: false
    }
  }
}
