import ApusClientAPI
import ApusClientOperation
import ApusJSON

/// A selection of a root type as an operation: what `send` and `listen` run, and what every other part of the client
/// takes for an operation (a watch, a pager, a cache read).
public struct SelectionOperation<Value: Sendable, Root: RootScope>: GraphQLOperation {
  public typealias Data = Value

  public let compiled: CompiledOperation
  public let variables: JSONValue
  private let root: CollectedSelection
  private let selection: Selection<Value, Root>

  /// Collects what the selection asks for.
  ///
  /// - Parameter name: The operation's name, for the server's logs.
  /// - Throws: `SelectionError`, before anything is sent: `dependsOnData` where the closure asks for other fields when
  ///   it sees other values, `failedOnMocks` where it throws, `empty` where it asks for nothing.
  public init(_ selection: Selection<Value, Root>, name: String? = nil) throws(SelectionError) {
    let (root, variables) = try SelectionCollecting.collect(selection)
    self.root = root
    self.selection = selection
    self.variables = .object(variables.map { ($0.name, $0.value) })
    compiled = SelectionLowering.operation(root, variables, type: Root.__operationType, name: name)
  }

  /// Decodes a response's data with the states of its deferred fragments.
  ///
  /// - Throws: `SelectionError` where the data does not fit the selection; what the selection's closures throw.
  public func makeData(from response: ResponseData) throws -> Value {
    let states = DeferredStates(response.fragments)
    return try selection.run(
      .decoding(DecodingPlace(response.json, root, parent: nil, component: nil, states)))
  }
}

extension SelectionOperation: QueryOperation where Root: QueryScope {}
extension SelectionOperation: MutationOperation where Root: MutationScope {}
extension SelectionOperation: SubscriptionOperation where Root: SubscriptionScope {}
