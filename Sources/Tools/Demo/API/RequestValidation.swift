import ApusGraphQLExecution
import ApusGraphQLValidation

extension Executor {
  /// Returns the validation errors of a request; nil if there are none, or if the executor reports them.
  func problems(of request: ExecutionRequest) -> RequestError? {
    guard request.document.diagnostics.isEmpty else { return nil }
    let problems = Validator.validate(request.document, schema: schema)
    return problems.isEmpty ? nil : RequestError(errors: problems.map(ExecutionError.init))
  }
}

extension ExecutionError {
  fileprivate init(_ problem: ValidationError) {
    self.init(
      problem.message, locations: problem.locations.map { Location(line: $0.line, column: $0.column) },
      extensions: .object([("code", "GRAPHQL_VALIDATION_FAILED")]))
  }
}
