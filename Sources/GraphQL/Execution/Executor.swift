import ApusGraphQLLanguage
import ApusGraphQLMediaTypes
import ApusGraphQLSchema
import ApusJSON

/// A request to an executable schema.
package struct ExecutionRequest: Sendable {
  package var document: Document
  /// The name of the operation; required if the document has several.
  package var operationName: String?
  /// The variables, as a JSON object.
  package var variables: JSONValue?
  /// The format of incremental delivery. Without one, `@defer` and `@stream` are ignored.
  package var incremental: IncrementalFormat?
  /// Whether deferred fields are executed together with the other fields; fields that finish before the initial result
  /// are sent with it. Otherwise they are executed after their fragment was announced.
  package var executesEarly: Bool
  package var onError: ErrorBehavior
  /// A value that is passed to every resolver.
  package var context: any Sendable

  package init(
    _ document: Document, operationName: String? = nil, variables: JSONValue? = nil,
    incremental: IncrementalFormat? = nil, executesEarly: Bool = false, onError: ErrorBehavior = .propagate,
    context: any Sendable = JSONValue.null
  ) {
    self.document = document
    self.operationName = operationName
    self.variables = variables
    self.incremental = incremental
    self.executesEarly = executesEarly
    self.onError = onError
    self.context = context
  }
}

package enum ExecutionResponse: Sendable {
  /// The request was not executed; there are errors and no data.
  case refused(RequestError)
  /// A complete result.
  case single(JSONValue)
  /// The initial result, and subsequent results until `hasNext` is false. Ending the iteration cancels the execution.
  case incremental(JSONValue, AsyncStream<JSONValue>)
}

package enum SubscriptionResponse: Sendable {
  case refused(RequestError)
  /// The event stream could not be created; the response has errors and `data: null`.
  case failed(JSONValue)
  /// One result per event. Ending the iteration cancels the subscription.
  case events(AsyncStream<JSONValue>)
}

/// Executes operations on a schema (GraphQL specification, September 2025, section 6, with incremental delivery as in
/// the draft).
package struct Executor: Sendable {
  package let schema: Schema
  private let resolvers: Resolvers

  package init(schema: Schema, resolvers: Resolvers = Resolvers()) {
    self.schema = schema
    self.resolvers = resolvers
  }

  /// Executes a query or mutation. Canceling the calling task cancels the execution.
  package func execute(_ request: ExecutionRequest, on root: any Sendable = JSONValue.object([])) async
    -> ExecutionResponse
  {
    let operation: OperationDefinitionNode
    switch self.operation(of: request) {
    case .success(let found): operation = found
    case .failure(let errors): return .refused(errors)
    }
    if operation.operation == .subscription {
      return .refused(.one("A subscription has no single response: subscribe to it."))
    }
    let variables: [String: JSONValue]
    switch self.variables(of: operation, request) {
    case .success(let coerced): variables = coerced
    case .failure(let errors): return .refused(errors)
    }
    guard request.incremental != nil else {
      return .single(await single(operation, request, variables, on: root))
    }
    return await incremental(operation, request, variables, on: root)
  }

  /// Subscribes to the root field of a subscription, and executes the operation for each event.
  package func subscribe(_ request: ExecutionRequest, on root: any Sendable = JSONValue.object([])) async
    -> SubscriptionResponse
  {
    let operation: OperationDefinitionNode
    switch self.operation(of: request) {
    case .success(let found): operation = found
    case .failure(let errors): return .refused(errors)
    }
    guard operation.operation == .subscription else { return .refused(.one("This is not a subscription.")) }
    let variables: [String: JSONValue]
    switch self.variables(of: operation, request) {
    case .success(let coerced): variables = coerced
    case .failure(let errors): return .refused(errors)
    }
    do throws(ExecutionError) {
      let events = try await sourceEvents(of: operation, request, variables, on: root)
      return .events(mapped(events, operation, request, variables))
    } catch {
      return .failed(.object([("data", .null), ("errors", .array([error.json]))]))
    }
  }

  // MARK: The request

  private func operation(of request: ExecutionRequest) -> Result<OperationDefinitionNode, RequestError> {
    if !request.document.diagnostics.isEmpty {
      return .failure(
        RequestError(
          errors: request.document.diagnostics.map { diagnostic in
            let location = request.document.source.location(at: diagnostic.range.lowerBound)
            return ExecutionError(
              "Syntax Error: \(diagnostic.message)",
              locations: [ExecutionError.Location(line: location.line, column: location.column)])
          }))
    }
    let operations = request.document.operations
    guard let name = request.operationName else {
      guard let only = operations.first else { return .failure(.one("Must provide an operation.")) }
      if operations.count > 1 {
        return .failure(.one("Must provide operation name if query contains multiple operations."))
      }
      return .success(only)
    }
    guard let operation = operations.first(where: { $0.name?.value == name }) else {
      return .failure(.one("Unknown operation named \"\(name)\"."))
    }
    return .success(operation)
  }

  private func variables(
    of operation: OperationDefinitionNode, _ request: ExecutionRequest
  ) -> Result<[String: JSONValue], RequestError> {
    if let given = request.variables, !given.isNull, given.kind != .object {
      return .failure(.one("Variables must be a JSON object."))
    }
    return InputCoercion.variables(
      of: operation, given: request.variables, schema: schema, scalars: resolvers.scalars)
  }

  private func rootType(of operation: OperationDefinitionNode) throws(ExecutionError) -> TypeDefinition {
    let type =
      switch operation.operation {
      case .query: schema.queryType
      case .mutation: schema.mutationType
      case .subscription: schema.subscriptionType
      }
    guard let type else {
      throw ExecutionError("This schema has no type for a \(operation.operation) operation.", at: [operation])
    }
    return type
  }

  private func planner(_ request: ExecutionRequest, _ variables: [String: JSONValue]) -> ExecutionPlanner {
    let collector = FieldCollector(
      schema: schema, document: request.document,
      coercion: InputCoercion(scalars: resolvers.scalars, variables: variables),
      allowsDefer: request.incremental != nil)
    return ExecutionPlanner(
      collector: collector, resolvers: resolvers,
      sharing: request.incremental?.sharing ?? .eachFragmentItsOwn,
      allowsStream: request.incremental != nil)
  }

  // MARK: Queries and mutations

  /// Executes the operation on the calling task.
  private func run(
    _ operation: OperationDefinitionNode, _ request: ExecutionRequest, _ variables: [String: JSONValue],
    on root: any Sendable, send: (IncrementalBatch) -> Void
  ) async {
    let planner = planner(request, variables)
    let plan: SelectionSetPlan
    do throws(ExecutionError) {
      plan = try planner.plan(root: try rootType(of: operation), operation.selectionSet)
    } catch {
      return send(IncrementalBatch(initial: (.null, [error]), events: [], hasNext: false))
    }
    await RequestExecution(
      planner: planner, executesEarly: request.executesEarly, onError: request.onError, request: request.context
    ).run(plan, on: root, serially: operation.operation == .mutation, send: send)
  }

  private func single(
    _ operation: OperationDefinitionNode, _ request: ExecutionRequest, _ variables: [String: JSONValue],
    on root: any Sendable
  ) async -> JSONValue {
    var request = request
    request.incremental = nil
    var response = JSONValue.null
    await run(operation, request, variables, on: root) { batch in
      if let initial = batch.initial { response = Self.responseObject(initial) }
    }
    if response.isNull { return RequestError.one("The request was canceled.").response }
    return response
  }

  private func incremental(
    _ operation: OperationDefinitionNode, _ request: ExecutionRequest, _ variables: [String: JSONValue],
    on root: any Sendable
  ) async -> ExecutionResponse {
    let (batches, continuation) = AsyncStream.makeStream(of: IncrementalBatch.self)
    let task = Task {
      await run(operation, request, variables, on: root) { continuation.yield($0) }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    var iterator = batches.makeAsyncIterator()
    guard let first = await iterator.next(), let initial = first.initial else {
      return .refused(.one("The request was canceled."))
    }
    guard first.hasNext || !first.events.isEmpty, let format = request.incremental, let payload = format.payload(first)
    else {
      return .single(Self.responseObject(initial))
    }
    let (payloads, output) = AsyncStream.makeStream(of: JSONValue.self)
    let forwarding = Task {
      for await batch in batches {
        if let payload = format.payload(batch) { output.yield(payload) }
      }
      output.finish()
    }
    output.onTermination = { _ in
      forwarding.cancel()
      task.cancel()
    }
    return .incremental(payload, payloads)
  }

  private static func responseObject(_ result: (data: JSONValue, errors: [ExecutionError])) -> JSONValue {
    guard !result.errors.isEmpty else { return .object([("data", result.data)]) }
    return .object([("errors", .array(result.errors.map(\.json))), ("data", result.data)])
  }

  // MARK: Subscriptions

  private func sourceEvents(
    of operation: OperationDefinitionNode, _ request: ExecutionRequest, _ variables: [String: JSONValue],
    on root: any Sendable
  ) async throws(ExecutionError) -> AsyncThrowingStream<ResolvedValue, any Error> {
    var request = request
    request.incremental = nil
    let plan = try planner(request, variables).plan(root: try rootType(of: operation), operation.selectionSet)
    guard plan.fields.count == 1, let field = plan.fields.first else {
      throw ExecutionError("A subscription must have exactly one root field.", at: [operation])
    }
    guard let source = resolvers.eventSource(field.name) else {
      throw ExecutionError("\(field.parentType).\(field.name) has no events.", at: field.nodes)
    }
    let context = FieldContext(
      source: root, arguments: try field.arguments.get(), request: request.context, parentType: field.parentType,
      fieldName: field.name)
    do {
      return try await source(context)
    } catch {
      var error = ExecutionError(thrown: error, at: field.nodes)
      error.path = ResponsePath([.key(field.responseKey)])
      throw error
    }
  }

  private func mapped(
    _ events: AsyncThrowingStream<ResolvedValue, any Error>, _ operation: OperationDefinitionNode,
    _ request: ExecutionRequest, _ variables: [String: JSONValue]
  ) -> AsyncStream<JSONValue> {
    let (results, output) = AsyncStream.makeStream(of: JSONValue.self)
    let executor = Executor(schema: schema, resolvers: resolvers.answeringEvents(of: schema.subscriptionType))
    let task = Task {
      do {
        for try await event in events {
          output.yield(await executor.single(operation, request, variables, on: SourceEvent(value: event)))
        }
      } catch {
        output.yield(
          .object([("data", .null), ("errors", .array([ExecutionError(thrown: error, at: [operation]).json]))]))
      }
      output.finish()
    }
    output.onTermination = { _ in task.cancel() }
    return results
  }
}

/// The root object of the execution for one event.
struct SourceEvent: Sendable {
  var value: ResolvedValue
}

extension Resolvers {
  /// Returns resolvers in which the fields of the subscription type have the value of the current event.
  fileprivate func answeringEvents(of type: TypeDefinition?) -> Resolvers {
    var resolvers = self
    for field in type?.fields ?? [] {
      resolvers.field(type?.name ?? "", field.name) { try $0.source(as: SourceEvent.self).value }
    }
    return resolvers
  }
}

extension RequestError {
  fileprivate static func one(_ message: String) -> RequestError {
    RequestError(errors: [ExecutionError(message)])
  }
}
