import ApusGraphQLLanguage

/// The schema must have a root operation type for each operation. Invalid: `mutation { addBird { id } }` if it has only
/// a query type.
///
/// Specification: Operation Type Existence.
enum KnownOperationTypesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for operation in context.operations {
      let type = operation.operation
      if context.schema?.rootType(type) == nil, !context.isWhollyLocal(operation) {
        context.report("The \(type.rawValue) operation is not supported by the schema.", operation)
      }
    }
  }
}
