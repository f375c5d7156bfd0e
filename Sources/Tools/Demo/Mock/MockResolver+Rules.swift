import ApusGraphQLExecution
import ApusGraphQLSchema
import ApusJSON

// Fields with a rule.

extension MockResolver {
  /// Returns the value that the rule of a field determines; nil if the value is generated.
  ///
  /// - Throws: The rule's error.
  func ruledValue(_ request: FieldRequest) throws -> ResolvedValue? {
    guard let rule = request.rule else { return nil }
    if let error = rule.error { throw ExecutionError(error) }
    if let share = rule.nulls {
      var draw = MockDraw(seed, request.object.type, request.key, "nulls")
      if Double(draw.below(1_000_000)) < share * 1_000_000 { return .null }
    }
    return rule.value.map { resolved($0, of: request.field.type) }
  }

  private func resolved(_ value: JSONValue, of type: TypeReference) -> ResolvedValue {
    if value.isNull { return .null }
    if let element = type.nullable.elementType { return .list(value.elements.map { resolved($0, of: element) }) }
    guard type.definition?.isComposite == true else { return .leaf(value) }
    return node(value.string ?? "", of: type)
  }
}
