import ApusGraphQLLanguage

/// The schema must have a root operation type for each operation.
///
/// Specification: Operation Type Existence.
enum KnownOperationTypesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for id in context.operations {
      let operation = OperationDefinitionNode(context.document, id).operation
      if context.schema?.rootType(operation) == nil, !context.isWhollyLocal(id) {
        context.report("The \(operation.rawValue) operation is not supported by the schema.", id)
      }
    }
  }
}
