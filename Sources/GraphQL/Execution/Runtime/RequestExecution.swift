import ApusGraphQLMediaTypes
import ApusGraphQLSchema
import ApusJSON

/// Executes one operation. Only asynchronous resolvers run on other tasks, so no locks are needed.
///
/// 1. The fields of a unit are executed. Asynchronous resolvers become jobs that run concurrently.
/// 2. A finished job completes its field, which may create further jobs.
/// 3. A unit without running jobs is collected, and its deferred parts are registered in the graph.
/// 4. Events are sent, and the announced groups and lists are executed as separate units.
final class RequestExecution {
  private enum Continuation {
    case field(ExecutionUnit, node: Int, FieldPlan)
    case listItem(ExecutionUnit, node: Int, FieldPlan, itemType: ResolvedOutputType, next: PullItem)
    case streamItem(StreamRecord, index: Int, next: PullItem)
  }

  private typealias PullItem = @Sendable () async throws -> ResolvedValue?
  private typealias Work = @Sendable () async throws -> ResolvedValue?
  private typealias Answer = (job: Int, result: Result<ResolvedValue?, any Error>)

  /// The maximum depth of fields and list items, because deeper results would overflow the stack of many clients.
  static let deepest = 300

  private let planner: ExecutionPlanner
  private let executesEarly: Bool
  private let onError: ErrorBehavior
  private let request: any Sendable
  private var graph = IncrementalGraph()
  private var continuations: [Int: Continuation] = [:]
  private var newJobs: [(id: Int, work: Work)] = []
  private var nextJob = 0
  private var initial: (data: JSONValue, errors: [ExecutionError])?
  private var isInitialSent = false

  init(planner: ExecutionPlanner, executesEarly: Bool, onError: ErrorBehavior, request: any Sendable) {
    self.planner = planner
    self.executesEarly = executesEarly
    self.onError = onError
    self.request = request
  }

  /// Runs until the end or cancellation. `send` receives each batch when it is ready.
  func run(
    _ plan: SelectionSetPlan, on root: any Sendable, serially: Bool, send: (IncrementalBatch) -> Void
  ) async {
    defer { graph.dismantle() }
    let unit = ExecutionUnit(.initial, path: [], fragments: [:])
    let node = unit.addRoot(isNonNull: false, depth: 0)
    begin(unit) { executeFields(of: plan, on: root, at: node, in: unit, serially: serially) }
    flush(send)
    guard !newJobs.isEmpty else { return }
    await withTaskGroup(of: Answer.self) { group in
      func launch() {
        for (id, work) in newJobs {
          group.addTask {
            do { return (id, .success(try await work())) } catch { return (id, .failure(error)) }
          }
        }
        newJobs = []
      }
      launch()
      while let answer = await group.next() {
        if Task.isCancelled { break }
        receive(answer)
        flush(send)
        // Jobs that are still running belong to fragments that failed.
        if isInitialSent, !graph.hasNext { break }
        launch()
      }
      group.cancelAll()
    }
  }

  /// Sends ready events and starts announced groups and lists, until nothing is ready.
  private func flush(_ send: (IncrementalBatch) -> Void) {
    while true {
      if executesEarly { startAnnounced() }
      let events = graph.drainEvents()
      if initial != nil || !events.isEmpty {
        send(IncrementalBatch(initial: initial, events: events, hasNext: graph.hasNext))
        initial = nil
        isInitialSent = true
      }
      guard startAnnounced() else { return }
    }
  }

  /// Starts announced groups and lists; returns false if there were none.
  @discardableResult
  private func startAnnounced() -> Bool {
    var isFirst = true
    while true {
      let starts = graph.drainStarts()
      if starts.groups.isEmpty && starts.streams.isEmpty { return !isFirst }
      isFirst = false
      for group in starts.groups { start(group) }
      for stream in starts.streams { start(stream) }
      // Each step is sent separately, unless everything ready is sent together.
      if !executesEarly { return true }
    }
  }

  // MARK: Units

  private func begin(_ unit: ExecutionUnit, _ body: () -> Void) {
    body()
    continueUnit(unit)
  }

  /// Continues with the next field of a mutation, or finishes the unit if no jobs are running.
  private func continueUnit(_ unit: ExecutionUnit) {
    while unit.outstanding == 0, !unit.serialFields.isEmpty {
      let (node, field, source) = unit.serialFields.removeFirst()
      execute(field, on: source, at: node, in: unit)
    }
    guard unit.outstanding == 0, !unit.isFinished else { return }
    if case .notYetAnnounced = unit.purpose { return }
    unit.isFinished = true
    let result = ResultCollector(unit, onError: onError)
    switch unit.purpose {
    case .initial:
      initial = (result.value ?? .null, result.errors)
      graph.add(result)
    case .group(let group): graph.finish(group, with: result)
    case .item(let stream, let index): graph.finishItem(index, of: stream, with: result)
    case .notYetAnnounced: break
    }
  }

  private func start(_ group: PendingExecutionGroup) {
    if let early = group.takeEarlyUnit() {
      early.join(group)
      return continueUnit(early)
    }
    let unit = ExecutionUnit(.group(group), path: group.path, fragments: group.map)
    let node = unit.addRoot(isNonNull: true, depth: Int32(group.path.count))
    begin(unit) { executeFields(of: group.selection, on: group.source, at: node, in: unit) }
  }

  private func start(_ stream: StreamRecord) {
    switch stream.start.rest {
    case .values(let values):
      var index = stream.start.firstIndex
      for value in values {
        startItem(value, index, of: stream)
        index += 1
      }
      graph.end(stream, at: index)
    case .sequence(let next):
      addJob(.streamItem(stream, index: stream.start.firstIndex, next: next), next)
    }
  }

  private func startItem(_ value: ResolvedValue, _ index: Int, of stream: StreamRecord) {
    let type = stream.start.itemType
    let unit = ExecutionUnit(
      .item(stream, index: index), path: stream.path + [.index(index)], fragments: stream.map)
    let node = unit.addRoot(isNonNull: type.isNonNull, depth: Int32(stream.path.count + 1))
    begin(unit) { complete(node, value, as: type, of: stream.start.field, in: unit) }
  }

  // MARK: Jobs

  private func addJob(_ continuation: Continuation, _ work: @escaping Work) {
    continuations[nextJob] = continuation
    newJobs.append((nextJob, work))
    nextJob += 1
  }

  private func receive(_ answer: Answer) {
    switch continuations.removeValue(forKey: answer.job) {
    case .field(let unit, let node, let field):
      unit.outstanding -= 1
      switch answer.result {
      case .success(let value): complete(node, value ?? .null, as: field.type, of: field, in: unit)
      case .failure(let error):
        unit.nodes[node].content = .failed(ExecutionError(thrown: error, at: field.nodes))
      }
      continueUnit(unit)
    case .listItem(let unit, let node, let field, let itemType, let next):
      unit.outstanding -= 1
      receiveItem(answer.result, node, field, itemType, next, in: unit)
      continueUnit(unit)
    case .streamItem(let stream, let index, let next):
      guard !stream.isSettled else { return }
      switch answer.result {
      case .success(.some(let value)):
        startItem(value, index, of: stream)
        guard !stream.isSettled else { return }
        addJob(.streamItem(stream, index: index + 1, next: next), next)
      case .success(nil): graph.end(stream, at: index)
      case .failure(let error):
        var failure = ExecutionError(thrown: error, at: stream.start.field.nodes)
        failure.path = ResponsePath(stream.path)
        graph.end(stream, at: index, failure: failure)
      }
    case nil: break
    }
  }

  private func receiveItem(
    _ result: Result<ResolvedValue?, any Error>, _ node: Int, _ field: FieldPlan, _ itemType: ResolvedOutputType,
    _ next: @escaping PullItem, in unit: ExecutionUnit
  ) {
    guard case .list(var items, _) = unit.nodes[node].content else { return }
    switch result {
    case .success(.some(let value)):
      let item = unit.addNode(below: node, isNonNull: itemType.isNonNull)
      complete(item, value, as: itemType, of: field, in: unit)
      items.append(item)
      unit.nodes[node].content = .list(items, rest: nil)
      pull(next, into: node, of: field, itemType, in: unit)
    case .success(nil): break
    case .failure(let error):
      unit.nodes[node].content = .failed(ExecutionError(thrown: error, at: field.nodes))
    }
  }

  private func pull(
    _ next: @escaping PullItem, into node: Int, of field: FieldPlan, _ itemType: ResolvedOutputType,
    in unit: ExecutionUnit
  ) {
    guard case .list(let items, _) = unit.nodes[node].content else { return }
    if let stream = field.stream, items.count >= stream.initialCount, isOutermostList(of: field, itemType) {
      let rest = StreamStart(rest: .sequence(next), firstIndex: items.count, itemType: itemType, field: field)
      unit.nodes[node].content = .list(items, rest: rest)
    } else {
      unit.outstanding += 1
      addJob(.listItem(unit, node: node, field, itemType: itemType, next: next), next)
    }
  }

  // MARK: Fields

  private func executeFields(
    of plan: SelectionSetPlan, on source: any Sendable, at node: Int, in unit: ExecutionUnit, serially: Bool = false
  ) {
    let first = unit.nodes.count
    for field in plan.fields { _ = unit.addNode(below: node, isNonNull: field.type.isNonNull) }
    unit.nodes[node].content = .object(plan, first: first, source: plan.groups.isEmpty ? nil : source)
    if executesEarly, !plan.groups.isEmpty {
      unit.earlyUnits[node] = plan.groups.map { group in
        let early = ExecutionUnit(.notYetAnnounced, path: [], fragments: [:])
        let root = early.addRoot(isNonNull: true, depth: unit.nodes[node].depth)
        executeFields(of: group.selection, on: source, at: root, in: early)
        return early
      }
    }
    for (offset, field) in plan.fields.enumerated() {
      if serially {
        unit.serialFields.append((first + offset, field, source))
      } else {
        execute(field, on: source, at: first + offset, in: unit)
      }
    }
  }

  private func execute(_ field: FieldPlan, on source: any Sendable, at node: Int, in unit: ExecutionUnit) {
    let arguments: JSONValue
    switch field.arguments {
    case .success(let coerced): arguments = coerced
    case .failure(let error):
      unit.nodes[node].content = .failed(error)
      return
    }
    let context = FieldContext(
      source: source, arguments: arguments, request: request, parentType: field.parentType, fieldName: field.name)
    switch field.resolver {
    case .immediate(let resolve):
      do {
        complete(node, try resolve(context), as: field.type, of: field, in: unit)
      } catch {
        unit.nodes[node].content = .failed(ExecutionError(thrown: error, at: field.nodes))
      }
    case .asynchronous(let resolve):
      unit.outstanding += 1
      addJob(.field(unit, node: node, field)) { try await resolve(context) }
    }
  }

  /// Implements CompleteValue (section 6.4.3).
  private func complete(
    _ node: Int, _ value: ResolvedValue, as type: ResolvedOutputType, of field: FieldPlan, in unit: ExecutionUnit
  ) {
    func fail(_ message: String) {
      unit.nodes[node].content = .failed(ExecutionError(message, at: field.nodes))
    }
    if case .failure(let error) = value {
      unit.nodes[node].content = .failed(ExecutionError(thrown: error, at: field.nodes))
      return
    }
    if case .nonNull(let inner) = type {
      if value.isNull {
        return fail("Cannot return null for non-nullable field \(field.parentType).\(field.name).")
      }
      return complete(node, value, as: inner, of: field, in: unit)
    }
    if value.isNull {
      unit.nodes[node].content = .null
      return
    }
    switch (type, value) {
    case (.scalar(_, let coding), .leaf(let leaf)):
      do throws(ExecutionError) {
        unit.nodes[node].content = .leaf(try coding.serialize(leaf))
      } catch {
        fail(error.message)
      }
    case (.scalar(_, let coding), .object(let object as JSONValue, _)):
      complete(node, .leaf(object), as: .scalar("", coding), of: field, in: unit)
    case (.enumeration(let definition), .leaf(let leaf)):
      guard let name = leaf.string, definition.enumValue(named: name) != nil else {
        return fail("Enum \"\(definition.name)\" cannot represent value: \(leaf)")
      }
      unit.nodes[node].content = .leaf(leaf)
    case (.list(let itemType), .list(let values)):
      completeList(node, values, itemType, of: field, in: unit)
    case (.list(let itemType), .sequence(let next)):
      unit.nodes[node].content = .list([], rest: nil)
      pull(next, into: node, of: field, itemType, in: unit)
    case (.object(let definition), .object(let source, _)):
      completeObject(node, source, definition, of: field, in: unit)
    case (.abstract(let definition), .object(let source, let typeName)):
      guard let typeName, let objectType = planner.collector.schema.type(named: typeName) else {
        return fail(
          "Abstract type \"\(definition.name)\" must resolve to an object type for field "
            + "\"\(field.parentType).\(field.name)\".")
      }
      guard planner.collector.schema.isPossibleType(objectType, of: definition) else {
        return fail("Runtime object type \"\(typeName)\" is not a possible type for \"\(definition.name)\".")
      }
      completeObject(node, source, objectType, of: field, in: unit)
    case (.list, _): fail("Expected a list for field \"\(field.parentType).\(field.name)\".")
    default: fail("Field \"\(field.parentType).\(field.name)\" was resolved to a value that is not of its type.")
    }
  }

  private func completeList(
    _ node: Int, _ values: [ResolvedValue], _ itemType: ResolvedOutputType, of field: FieldPlan, in unit: ExecutionUnit
  ) {
    var count = values.count
    var rest: StreamStart?
    if let stream = field.stream, values.count > stream.initialCount, isOutermostList(of: field, itemType) {
      count = stream.initialCount
      rest = StreamStart(
        rest: .values(values[count...]), firstIndex: count, itemType: itemType, field: field)
    }
    var items: [Int] = []
    items.reserveCapacity(count)
    for value in values.prefix(count) {
      let item = unit.addNode(below: node, isNonNull: itemType.isNonNull)
      complete(item, value, as: itemType, of: field, in: unit)
      items.append(item)
    }
    unit.nodes[node].content = .list(items, rest: rest)
  }

  /// Whether the list is the outermost one of its field, to which `@stream` applies.
  private func isOutermostList(of field: FieldPlan, _ itemType: ResolvedOutputType) -> Bool {
    field.type.listDepth == itemType.listDepth + 1
  }

  private func completeObject(
    _ node: Int, _ source: any Sendable, _ type: TypeDefinition, of field: FieldPlan, in unit: ExecutionUnit
  ) {
    guard unit.nodes[node].depth < Self.deepest else {
      // A document with a fragment cycle would never end.
      let error = ExecutionError("The response would be deeper than \(Self.deepest) levels.", at: field.nodes)
      unit.nodes[node].content = .failed(error)
      return
    }
    do throws(ExecutionError) {
      executeFields(of: try planner.plan(below: field, on: type), on: source, at: node, in: unit)
    } catch {
      unit.nodes[node].content = .failed(error)
    }
  }
}

extension ResolvedValue {
  fileprivate var isNull: Bool {
    switch self {
    case .null: true
    case .leaf(let value): value.isNull
    case .object, .list, .sequence, .failure: false
    }
  }
}

extension ResolvedOutputType {
  fileprivate var listDepth: Int {
    switch self {
    case .list(let item): 1 + item.listDepth
    case .nonNull(let inner): inner.listDepth
    case .scalar, .enumeration, .object, .abstract: 0
    }
  }
}
