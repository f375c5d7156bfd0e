import ApusClientAPI
import ApusClientOperation
import ApusJSON

/// A selection of a root type as an operation, for `send` and `subscribe` and for all other parts of the client, such as
/// watchers, pagers and cache reads.
public struct SelectionOperation<Value: Sendable, Root: RootScope>: GraphQLOperation {
  public typealias Data = Value

  public let compiled: CompiledOperation
  public let variables: JSONValue
  private let root: CollectedSelection
  private let selection: Selection<Value, Root>

  /// Collects the fields of a selection.
  ///
  /// - Parameter name: The operation's name.
  /// - Throws: `SelectionError` before anything is sent: `dependsOnData` if the requested fields depend on values,
  ///   `failedOnMocks` if the closure throws, `empty` if it requests no fields.
  public init(_ selection: Selection<Value, Root>, name: String? = nil) throws(SelectionError) {
    let (root, variables) = try SelectionCollecting.collect(selection)
    self.root = root
    self.selection = selection
    self.variables = .object(variables.map { ($0.name, $0.value) })
    compiled = SelectionLowering.operation(
      root, variables, type: Root.__operationType, name: name, queryTypeName: Root.queryTypeName)
  }

  /// Decodes a response's data, with the states of deferred fragments.
  ///
  /// - Throws: `SelectionError` if the data does not match the selection, and errors of the selection's closures.
  public func makeData(from response: ResponseData) throws -> Value {
    let states = DeferredStateLookup(response.fragments)
    return try selection.run(
      .decoding(DecodingContext(response.json, root, parent: nil, component: nil, states)))
  }
}

extension SelectionOperation: QueryOperation where Root: QueryScope {}
extension SelectionOperation: MutationOperation where Root: MutationScope {}
extension SelectionOperation: SubscriptionOperation where Root: SubscriptionScope {}
