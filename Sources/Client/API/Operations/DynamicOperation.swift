import ApusClientOperation
import ApusJSON

/// An operation that someone typed: its data stays JSON. Its kind is known only once its text is read, so that it goes
/// wherever a query, a mutation or a subscription does.
public struct DynamicOperation: QueryOperation, MutationOperation, SubscriptionOperation {
  public let compiled: CompiledOperation
  public let variables: JSONValue
  public let resultChecking: ResultChecking

  public init(
    compiled: CompiledOperation, variables: JSONValue = .object([]), resultChecking: ResultChecking = .none
  ) {
    self.compiled = compiled
    self.variables = variables
    self.resultChecking = resultChecking
  }

  public func makeData(from response: ResponseData) -> JSONValue { response.json }
}
