import ApusClientAPI
import ApusClientOperation
import ApusJSON
import Synchronization
import Testing

@testable import ApusClientCache

/// A cache and its model, which are changed in the same steps and compared.
///
/// A difference is reported as one line. After the first one, no more are searched for.
final class ModelCheck {
  /// An optimistic change, which is applied to the model again as long as its layer exists.
  private struct Layer {
    let handle: OptimisticLayer
    let step: ModelStep
  }

  struct Query {
    let operation: CompiledOperation
    let variables: JSONValue
    let plan: SelectionPlan
  }

  /// All kinds of selections: lists, embedded and nested objects, type conditions, arguments, deferred fragments and
  /// streams.
  private static let texts: [String] = [
    "{ flock { __typename id name } }",
    #"{ bird(id: "1") { __typename id age nest { __typename eggs } mate { __typename id name } } }"#,
    "{ flock { __typename id nest { __typename eggs material } tracks { __typename eggs } } }",
    "{ search { __typename ... on Bird { id name } ... on Station { id visitors { __typename id age } } } }",
    #"{ bird(id: "1") { __typename id small: photo(size: 1) big: photo(size: 2) } version settings }"#,
    #"{ bird(id: "1") { __typename id ... @defer(label: "d") { age nest { __typename material } } } }"#,
    #"{ flock @stream(initialCount: 1, label: "s") { __typename id name nest { __typename eggs } } version }"#,
    #"{ bird(id: "2") { __typename id name mate { __typename id age nest { __typename eggs } } } settings }"#,
    "{ flock { __typename id tags weight wild kind friends { __typename id name } home { __typename id name } } }",
    #"{ bird(id: "1") { __typename id ... @defer(label: "t") { tags wild friends { __typename id age } } } }"#,
    #"{ bird(id: "3") { __typename id age wild home { __typename id name } } }"#,
    "{ birds(first: 2) { __typename edges { __typename cursor note node { __typename id name } } "
      + "pageInfo { __typename hasNextPage endCursor } } }",
    "{ birds(first: 2) { __typename edges { __typename rank nest { __typename eggs } node { __typename id } } } }",
    "{ birds(first: 2) { __typename edges { __typename cursor rank nest { __typename eggs material } } } }",
    #"{ bird(id: "1") { __typename id tags @stream(initialCount: 1, label: "u") wild } settings }"#,
    "{ flock { __typename id nest { __typename eggs } "
      + #"... @defer(label: "f") { age nest { __typename material } home { __typename id name } } } }"#,
    "{ birds(first: 2) { __typename edges { __typename node { __typename id } "
      + #"... @defer(label: "g") { rank nest { __typename eggs } node { __typename id name } } } } }"#,
  ]

  /// Queries of the same fields with variables. They share records with those that have literals.
  private static let withVariables =
    "query ($id: ID!, $size: Int = 1, $more: Boolean = true) { bird(id: $id) { __typename id age @include(if: $more) "
    + "photo(size: $size) mate @skip(if: $more) { __typename id name } } }"

  static let queries: [Query] =
    texts.map { query($0) } + [
      query(withVariables, ["id": "1", "size": 2]), query(withVariables, ["id": 1, "more": false]),
      query(withVariables, ["id": "2"]),
    ]

  /// The queries whose updates are compared. `IdentityModelTests` compare updates of list elements without keys.
  static let updatable = queries.indices.filter { index in
    let text = queries[index].operation.documentText
    return !text.contains("edges") && !text.contains("tracks")
  }

  private static func query(_ text: String, _ variables: JSONValue = [:]) -> Query {
    guard let operation = try? operation(text) else { preconditionFailure("the query is wrong: \(text)") }
    let plan = SelectionPlan(operation: operation, variables: variables)
    return Query(operation: operation, variables: variables, plan: plan)
  }

  private static let policies = CachePolicies(
    fields: ["Bird.age": FieldPolicy(timeToLive: 25), "Query.version": FieldPolicy(timeToLive: 60)],
    timeToLive: ["Station": 40, "Nest": 90], byteLimit: 1 << 30)

  private final class Clock: Sendable {
    let time = Mutex<UInt32>(1000)
  }

  private let clock = Clock()
  /// The store that is compared, and another store on the same file.
  private let store: CacheStore
  private let other: CacheStore?
  private(set) var model = CacheModel()
  private var layers: [Layer] = []
  private(set) var difference: String?

  init(cache: any NormalizedCache, other: (any NormalizedCache)?) {
    let clock = clock
    func store(_ cache: any NormalizedCache) -> CacheStore {
      CacheStore(cache: cache, policies: Self.policies, clock: { clock.time.withLock { $0 } })
    }
    self.store = store(cache)
    self.other = other.map(store)
    model.timeToLive = ["Station": 40, "Nest": 90]
    model.fieldTimeToLive = ["Bird.age": 25, "Query.version": 60]
    model.time = 1000
  }

  var layerCount: Int { layers.count }

  /// The model with the optimistic layers applied.
  private var view: CacheModel {
    guard !layers.isEmpty else { return model }
    var view = model
    view.timeToLive = [:]
    view.fieldTimeToLive = [:]
    for layer in layers {
      view.make(layer.step, .layer)
      view.dropOrphans()
    }
    return view
  }

  func make(_ move: ModelMove) async throws {
    var readBefore: CacheRead?
    if let look = move.look { readBefore = try await self.look(look, "before \(move.step)") }
    let before = move.isThorough ? view : CacheModel()
    let changed = try await make(move.step)
    guard difference == nil else { return }
    if let look = move.look, let readBefore {
      guard let read = try await self.look(look, "\(move.step)") else { return }
      if readBefore.wholeText != read.wholeText, let changed {
        expect(
          readBefore.dependentKeys.intersects(changed), "\(move.step): \(look.operation) was not notified")
      }
    }
    if move.isThorough { try await compare(changed: changed, before: before, move.step) }
  }

  private func expect(_ condition: Bool, _ line: @autoclosure () -> String) {
    if !condition, difference == nil { difference = line() }
  }

  private func look(_ look: ModelMove.Look, _ place: String) async throws -> CacheRead? {
    let query = Self.queries[look.operation]
    let read = try await store.read(
      query.operation, variables: query.variables, allowPartial: true, allowStale: look.allowsStale)
    let strict = try await store.read(
      query.operation, variables: query.variables, allowStale: look.allowsStale)
    expect(strict.data == (read.isComplete ? read.data : nil), "\(place), \(look): data of an incomplete read")
    let expected = view.read(query.plan, allowsStale: look.allowsStale)
    expect(read.wholeText == expected.text, "\(place), \(look): \(read.wholeText)\nbut the model: \(expected.text)")
    model.uses.beginReading()
    for key in expected.keys { model.uses.note(key) }
    return difference == nil ? read : nil
  }

  // MARK: Changes

  /// Applies a step to the cache and the model. Returns the changed keys, if the cache reports them immediately.
  private func make(_ step: ModelStep) async throws -> ChangedKeys? {
    switch step {
    case .pass(let seconds):
      model.time += seconds
      clock.time.withLock { $0 = model.time }
      // Expiry changes the results of reads without a notification.
      return nil
    case .layOver(let response):
      let handle = try await store.writeOptimistically(
        response.data, operation: Self.queries[response.operation].operation,
        variables: Self.queries[response.operation].variables, options: response.options)
      layers.append(Layer(handle: handle, step: .write(response)))
      return nil
    case .layModification(let key, let field, let value):
      let handle = try await store.modifyOptimistically(CacheKey(key)) { $0[field] = .scalar(value) }
      layers.append(Layer(handle: handle, step: .modify(key, field: field, value)))
      return nil
    case .rollBack(let place):
      guard place < layers.count else { return ChangedKeys() }
      return await store.rollBack(layers.remove(at: place).handle)
    case .trim(let bytes, let saved): return try await trim(to: bytes, keeping: saved)
    case .collect(let retained):
      var retainers: [Retainer] = []
      for operation in retained ?? [] { retainers.append(await retain(operation)) }
      let changed = try await store.collectGarbage(onlyRetained: retained != nil)
      for retainer in retainers { await store.release(retainer) }
      model.make(step)
      model.dropOrphans()
      return changed
    case .update(let operation, let place, let value):
      return try await update(store, operation, place: place, value)
    case .together(let steps, let last):
      try await makeTogether(steps)
      _ = try await make(last)
      // The changes reported for the intermediate steps are not checked.
      return nil
    case .byAnother(.update(let operation, let place, let value)):
      return try await update(other ?? store, operation, place: place, value)
    case .byAnother(let step):
      guard let other else { return try await make(step) }
      let before = model
      let changed = try await other.apply(try mutations(of: step, in: other))
      model.uses.beginReading()
      model.make(step)
      // For responses written by another process, only the changed values are known. Setting a value counts as a use of the
      // record, even if it is the same value; removing one does not.
      if case .modify(let key, _, let value) = step {
        if value == nil { model.uses.forgetLatest(of: [key], but: before.uses) }
        return settled(changed)
      }
      let same = model.records.keys.filter { before.texts(of: $0) == model.texts(of: $0) }
      model.uses.forgetLatest(of: same, but: before.uses)
      model.dropOrphans()
      return changed
    default:
      let changed = try await store.apply(try mutations(of: step, in: store))
      if step.isWrite { model.uses.beginWriting() }
      model.make(step)
      model.dropOrphans()
      return changed
    }
  }

  /// Applies steps in one task each, on alternating stores. Their order does not matter.
  private func makeTogether(_ steps: [ModelStep]) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, step) in steps.enumerated() {
        let store = number.isMultiple(of: 2) ? store : other ?? store
        let mutations = try mutations(of: step, in: store)
        group.addTask { try await store.apply(mutations) }
      }
      try await group.waitForAll()
    }
    model.uses.beginWriting()
    for step in steps { model.make(step) }
    model.dropOrphans()
  }

  /// Updates the cache and the model. The read of an update does not count as a use.
  private func update(
    _ store: CacheStore, _ operation: Int, place: Int, _ value: JSONValue
  ) async throws -> ChangedKeys {
    let query = Self.queries[operation]
    let changed = try await store.update(query.operation, variables: query.variables) { data in
      if let made = ModelUpdate.make(data, place: place, value) { data = made.data }
    }
    let before = model
    model.uses.beginReading()
    model.make(.update(operation: operation, place: place, value))
    let same = model.records.keys.filter { before.texts(of: $0) == model.texts(of: $0) }
    model.uses.forgetLatest(of: same, but: before.uses)
    return settled(changed)
  }

  private func settled(_ changed: ChangedKeys) -> ChangedKeys {
    model.dropOrphans()
    return changed
  }

  private func mutations(of step: ModelStep, in store: CacheStore) throws -> [CacheMutation] {
    switch step {
    case .write(let response):
      let query = Self.queries[response.operation]
      return [.merge(store.records(of: response.data, query.operation, query.variables, response.options))]
    case .evict(let key): return [.removeRecord(CacheKey(key))]
    case .evictCascading(let key): return [.removeRecord(CacheKey(key), cascading: true)]
    case .evictField(let key, let field): return [.removeField(CacheKey(key), field: field)]
    case .evictPattern(let pattern): return [.removeRecords(RecordPattern(key: pattern))]
    case .evictType(let type): return [.removeRecords(RecordPattern(typename: type))]
    case .modify(let key, let field, let value):
      return [.modify(CacheKey(key)) { $0[field] = value.map { .scalar($0) } }]
    case .clear: return [.removeAll]
    case .transaction(let steps): return try steps.flatMap { try mutations(of: $0, in: store) }
    case .pass, .collect, .trim, .layOver, .layModification, .rollBack, .byAnother, .update, .together: return []
    }
  }

  private func retain(_ operation: Int) async -> Retainer {
    await store.retain(Self.queries[operation].operation, variables: Self.queries[operation].variables)
  }

  private func trim(to bytes: Int, keeping saved: [Int]) async throws -> ChangedKeys {
    var retainers: [Retainer] = []
    for operation in saved { retainers.append(await retain(operation)) }
    let changed = try await store.trim(to: bytes)
    for retainer in retainers { await store.release(retainer) }
    let snapshot = try await store.cache.snapshot()
    let staying = Set(snapshot.records.records.map(\.key.text))
    let wrong = model.trim(
      removing: Set(model.records.keys).subtracting(staying), keeping: saved.map { Self.queries[$0].plan },
      isEnough: snapshot.byteCount <= bytes)
    expect(wrong == nil, "trim to \(bytes), keeping \(saved): \(wrong ?? "")")
    return changed
  }

  // MARK: Comparison

  private func compare(changed: ChangedKeys?, before: CacheModel, _ step: ModelStep) async throws {
    let place = step.description
    let after = view
    let snapshot = try await store.snapshot()
    var texts: [String: String] = [:]
    var referrers: [String: [String]] = [:]
    var size = 0
    for summary in snapshot.summaries() {
      let record = try #require(snapshot.record(summary.key))
      size += summary.byteSize
      expect(summary.fieldCount == record.fields.count, "\(place): the count of fields of \(record.key)")
      let id = try #require(snapshot.records.find(record.key))
      for field in record.fields {
        let symbol = try #require(snapshot.records.storage.fieldNames.find(field.key))
        let expires = snapshot.records.storage.expiry(of: symbol, in: id)
        texts["\(record.key).\(field.key)"] = CacheModel.text(field.value) + (expires == 0 ? "" : " until \(expires)")
      }
      referrers[record.key.text] = snapshot.referrers(of: record.key).map { "\($0.key).\($0.field)" }.sorted()
    }
    let notes = Self.notes(of: snapshot.records)
    expect(notes == after.notes, "\(place): types and errors \(notes) but the model: \(after.notes)")
    // A reader of the file without records in memory sees the same.
    if let other, layers.isEmpty {
      let written = Self.notes(of: try await other.cache.snapshot().records)
      expect(written == notes, "\(place): in the file \(written) but in memory \(notes)")
    }
    let expected = after.timedTexts
    let (more, less) = (texts.filter { expected[$0.key] != $0.value }, expected.filter { texts[$0.key] != $0.value })
    expect(texts == expected, "\(place): \(more) but the model: \(less)")
    expect(size == snapshot.byteCount, "\(place): \(size) bytes, but counted \(snapshot.byteCount)")
    expect(try await store.cache.byteCount() == store.cache.snapshot().byteCount, "\(place): the bytes of the cache")
    expect(referrers == after.referrers, "\(place): \(referrers) but the model: \(after.referrers)")
    guard let changed else { return }
    // The reported keys are exactly the changed ones, and keys that were to be removed but did not exist.
    let (was, isNow) = (before.textsByKey, after.textsByKey)
    let differing = Set(Set(was.keys).union(isNow.keys).filter { was[$0] != isNow[$0] })
    let reported = changed.descriptions
    expect(reported.isSuperset(of: differing), "\(place): not reported \(differing.subtracting(reported))")
    guard layers.isEmpty else { return }
    let excess = reported.subtracting(differing).subtracting(before.staleFields).filter { was[$0] != nil }
    expect(excess.isEmpty || step.isRoundabout, "\(place): reported \(excess)")
  }

  /// Returns the properties of records other than values: their types, and which fields have an error.
  private static func notes(of records: RecordSet) -> Set<String> {
    let storage = records.storage
    var notes: Set<String> = []
    for id in storage.existing {
      let key = storage.keyText(id)
      if let typename = storage.typename(id) { notes.insert("\(key) is a \(typename)") }
      for error in storage.notes.errors(of: id) { notes.insert("\(key).\(storage.fieldNames[error.field]) failed") }
    }
    return notes
  }
}

extension CacheRead {
  fileprivate var wholeText: String { text + Self.end(isComplete: isComplete) }

  static func end(isComplete: Bool) -> String { isComplete ? "" : "\nincomplete" }
}

extension ModelResponse {
  var options: CacheWriteOptions {
    var options = CacheWriteOptions(isPartial: isPartial, paths: places)
    options.errors = errors.map { GraphQLError(message: "no value", path: $0) }
    if let vaguePath { options.errors.append(GraphQLError(message: "no value", path: vaguePath)) }
    options.failedFragments = failedFragments
    options.errors += failedFragments.flatMap(\.state.errors)
    return options
  }
}

extension ModelStep {
  /// Whether the step writes values, so that earlier uses are older.
  var isWrite: Bool {
    switch self {
    case .write, .modify: true
    case .transaction(let steps): steps.contains(where: \.isWrite)
    default: false
    }
  }
}

extension ModelStep {
  /// Whether the step can change a value and change it back.
  fileprivate var isRoundabout: Bool {
    switch self {
    case .rollBack, .transaction, .modify: true
    case .byAnother(let step): step.isRoundabout
    case .together: true
    default: false
    }
  }
}

extension CacheModel {
  /// Applies a step. Orphaned records are removed later.
  mutating func make(_ step: ModelStep, _ kind: PlainWrite = .response) {
    switch step {
    case .write(let response): write(response, ModelCheck.queries[response.operation].plan, kind)
    case .evict(let key): records[key] = nil
    case .evictCascading(let key): removeCascading(key)
    case .evictField(let key, let field): remove(key, field: field)
    case .evictPattern(let pattern):
      for key in records.keys where RecordPattern.matches(Array(pattern.unicodeScalars), Array(key.unicodeScalars)) {
        records[key] = nil
      }
    case .evictType(let type):
      for key in records.keys where types[key] == type { records[key] = nil }
    case .modify(let key, let field, let value):
      modify(key, field: field, value)
      if records[key] != nil { uses.note(key) }
    case .update(let operation, let place, let value):
      let plan = ModelCheck.queries[operation].plan
      guard let data = complete(plan), let made = ModelUpdate.make(data, place: place, value), made.data != data else {
        return
      }
      write(ModelResponse(operation: operation, data: made.data, places: [made.path]), plan, .local)
    case .clear: records = [:]
    case .collect(let retained): collect(retaining: retained?.map { ModelCheck.queries[$0].plan })
    case .transaction(let steps): for step in steps { make(step) }
    case .pass, .trim, .layOver, .layModification, .rollBack, .byAnother, .together: break
    }
  }

  func texts(of key: String) -> [String: String]? { records[key]?.mapValues { Self.text($0) } }

  /// The types of the records, and the fields with a stored error.
  var notes: Set<String> {
    var notes: Set<String> = []
    for key in records.keys {
      if let typename = types[key] { notes.insert("\(key) is a \(typename)") }
      for field in errors[key] ?? [] { notes.insert("\(key).\(field) failed") }
    }
    return notes
  }

  /// All fields with their expiry times.
  var timedTexts: [String: String] {
    var texts = fieldTexts
    for (field, expires) in expiries where texts[field] != nil { texts[field]? += " until \(expires)" }
    return texts
  }
}

extension SelectionPlan {
  /// Whether the operation has a streamed list.
  var hasStream: Bool { operation.documentText.contains("@stream") }
}
