import ApusClientOperation
import ApusJSON

/// A response's data on its way to a typed value: the JSON, and what is known of its deferred fragments.
public struct ResponseData: Sendable {
  /// The response's `data` so far: an object.
  public let json: JSONValue
  /// The state of each deferred fragment at each place.
  public let fragments: [DeferredFragment]
  private let plan: SelectionPlan?

  /// Data that came in one piece.
  public init(_ json: JSONValue) {
    self.init(json, fragments: [], plan: nil)
  }

  package init(_ json: JSONValue, fragments: [DeferredFragment], plan: SelectionPlan?) {
    self.json = json
    self.fragments = fragments
    self.plan = plan
  }

  /// The plan that whoever delivered the data walked along, or a new one.
  package func plan<Operation: GraphQLOperation>(of operation: Operation) -> SelectionPlan {
    if let plan, plan.operation === operation.compiled { return plan }
    return SelectionPlan(operation: operation.compiled, variables: operation.variables)
  }
}
