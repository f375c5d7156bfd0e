import ApusClientOperation
import ApusJSON

/// The data of a response before its conversion to a typed value.
public struct ResponseData: Sendable {
  /// The merged `data`, an object.
  public let json: JSONValue
  /// The state of each deferred fragment.
  public let fragments: [DeferredFragment]
  private let plan: SelectionPlan?

  /// Creates data without deferred fragments.
  public init(_ json: JSONValue) {
    self.init(json, fragments: [], plan: nil)
  }

  package init(_ json: JSONValue, fragments: [DeferredFragment], plan: SelectionPlan?) {
    self.json = json
    self.fragments = fragments
    self.plan = plan
  }

  /// Returns the selection plan that was used for the response, or a new one.
  package func plan<Operation: GraphQLOperation>(of operation: Operation) -> SelectionPlan {
    if let plan, plan.operation === operation.compiled { return plan }
    return SelectionPlan(operation: operation.compiled, variables: operation.variables)
  }
}
