import ApusClientAPI
import ApusClientOperation
import ApusJSON

/// Tracks the state of each deferred fragment and stream at each location of the response.
///
/// Locations are found by walking the received data along the selection plan: a fragment inside a list of 50 has 50
/// instances. A fragment inside a deferred one is discovered when the outer one is fulfilled.
struct DeferralTracker: Sendable {
  struct Instance: Sendable {
    let plan: PlanFragment
    let typename: String?
    /// The response path of the object.
    var path: ResponsePath
    /// The path that the server uses: that of the object when the fragment was discovered.
    let origin: ResponsePath
    /// The path lengths of the objects from the root down to this one.
    let levels: [Int]
    /// Whether it is unknown if the fragment and its enclosing fragments cover the object.
    let isUncertain: Bool
    var isAnnounced = false
    /// Whether the server sent anything about the fragment.
    var isConfirmed = false
  }

  struct Location: Hashable, Sendable {
    let path: ResponsePath
    let label: String?
  }

  struct InnerFragment: Hashable, Sendable {
    let path: ResponsePath
    let fragmentID: Int
  }

  /// The final state of a fragment.
  struct Settlement: Sendable {
    let state: DeferredState
    var shortfall: IncompleteReason?
  }

  var fragments: [DeferredFragment] = []
  /// The indexes of the fragments that the current payload fulfilled.
  var fulfilled: [Int] = []
  var streams: [StreamedList] = []
  /// The fields that the server deferred although no directive allows it.
  var fields: [DeferredFragment] = []

  let root: PlanNode
  /// The arrival time of the current payload.
  var elapsed = Duration.zero
  var instances: [Instance] = []
  var indexes: [ResponsePath: [Int]] = [:]
  var streamIndexes: [ResponsePath: Int] = [:]
  /// Announcements whose fragment has not been discovered.
  var unclaimed: [Location: Int] = [:]
  /// Results for fragments that have not been discovered, because a server may send an inner fragment before its outer
  /// one.
  var early: [Location: Settlement] = [:]
  /// Results for inner fragments without labels, which the fields of their items identified.
  var earlyInner: [InnerFragment: Settlement] = [:]
  var hasAnnouncements = false
  /// Whether the server's announcements have labels.
  var sendsLabels = false
  var data = JSONValue.null
  /// The errors of the payloads so far, without those of their entries, which belong to a fragment.
  var errors: [GraphQLError] = []
  var continuation = Continuation.none
  /// The path and data of the current entry, or of the first payload.
  var entry: (path: ResponsePath, value: JSONValue)?
  /// The nulls of the current payload in fields that are still pending.
  var placeholders: [ResponsePath] = []
  /// The nulls that were removed from the data, by the fragment that may still bring values.
  var held: [Int: [HeldNull]] = [:]
  /// The nulls that turned out to be data.
  var released: [HeldNull] = []
  /// The places of fragments whose list element was removed, as the server names them.
  var removedPlaces: Set<Location> = []
  /// The fragments whose list element is gone. They are not part of results.
  var gone: Set<Int> = []
  /// The streams whose list element is gone.
  var goneStreams: Set<Int> = []
  /// `nil` until list elements moved.
  var moved: MovedPlaces?
  /// The fields of `streams`, in the same order.
  var streamFields: [PlanField] = []

  init(plan: SelectionPlan) {
    root = plan.root
  }

  // MARK: - Payloads

  /// Whether another payload follows the current one.
  enum Continuation { case none, possible, promised }

  /// Starts the next payload.
  mutating func begin(at elapsed: Duration, continuation: Continuation = .none) {
    self.elapsed = elapsed
    self.continuation = continuation
    fulfilled = []
  }

  mutating func announce(path: ResponsePath, label: String?) {
    hasAnnouncements = true
    if label != nil { sendsLabels = true }
    if let index = pending(at: path, label: label).first(where: { !instances[$0].isAnnounced }) {
      instances[index].isAnnounced = true
    } else {
      unclaimed[Location(path: path, label: label), default: 0] += 1
    }
  }

  /// Processes the initial result.
  mutating func discoverAll(in data: JSONValue) {
    self.data = data
    entry = (.root, data)
    defer { entry = nil }
    discover(root, value: data, path: [], levels: [])
  }

  /// Processes new items of a list.
  mutating func discoverItems(of path: ResponsePath, indexes: Range<Int>, data: JSONValue) {
    self.data = data
    guard let (node, levels) = locate(path), node.hasIncremental, let list = data.value(at: path) else { return }
    defer { entry = nil }
    for index in indexes {
      guard let value = list[index] else { continue }
      entry = (ResponsePath(path.components + [.index(index)]), value)
      discover(node, value: value, path: path.components + [.index(index)], levels: levels)
    }
  }

  /// Processes the item of a fragment in the 2022 format; JSON null means that it failed. A partial item resolves the
  /// fragment once all of its data is present.
  mutating func arrive(
    path: ResponsePath, label: String?, item: JSONValue, errors: [GraphQLError], isPiece: Bool = false, data: JSONValue
  ) {
    self.data = data
    if isPiece, !item.isNull {
      let value = data.value(at: path) ?? .null
      if let index = pending(at: path, label: label).first(where: { isDelivered(instances[$0], value: value) }) {
        resolve(index, .fulfilled, errors.isEmpty ? nil : .errors)
      }
      return
    }
    let failure = DeferredState.failed(
      errors.isEmpty ? [reason("the server sent null for this fragment", path)] : errors)
    let settled =
      item.isNull
      ? Settlement(state: failure, shortfall: errors.isEmpty ? .null : nil)
      : Settlement(state: .fulfilled, shortfall: errors.isEmpty ? nil : .errors)
    let index: Int
    switch match(path: path, label: label, item: item, errors: errors) {
    case .known(let known): index = known
    case .inner(let fragmentID):
      earlyInner[InnerFragment(path: path, fragmentID: fragmentID)] = settled
      return
    case nil:
      early[Location(path: path, label: label)] = settled
      if item.isNull { return }
      // The path has no known fragment, but the data may contain fragments.
      if let (node, levels) = locate(path), let value = data.value(at: path) {
        discover(node, value: value, path: path.components, levels: levels)
      }
      return
    }
    instances[index].isConfirmed = true
    entry = (path, item)
    defer { entry = nil }
    resolve(index, settled.state, settled.shortfall)
  }

  /// Processes the value of a single field with its own `@defer`, or that the server deferred without one.
  mutating func arrive(field path: ResponsePath, label: String?, isNull: Bool, errors: [GraphQLError], data: JSONValue)
  {
    self.data = data
    let hasFailed = isNull && !errors.isEmpty
    let settled = Settlement(
      state: hasFailed ? .failed(errors) : .fulfilled, shortfall: errors.isEmpty || hasFailed ? nil : .errors)
    if let index = deferredField(at: path) {
      held[index] = nil
      return resolve(index, settled.state, settled.shortfall)
    }
    list(field: path, label: label, settled)
    guard let (node, levels) = locate(path), let value = data.value(at: path) else { return }
    discover(node, value: value, path: path.components, levels: levels)
  }

  /// Completes an announced fragment in the v0.2 format. It failed if there are errors or if nothing arrived for it.
  ///
  /// - Parameters:
  /// - fieldErrors: The errors of its fields.
  /// - hasData: Whether data was sent under its id. Data shared by several fragments may be sent only once.
  mutating func complete(
    path: ResponsePath, label: String?, errors: [GraphQLError]?, fieldErrors: [GraphQLError], hasData: Bool,
    data: JSONValue
  ) {
    self.data = data
    if streamIndexes[path] != nil, data.value(at: path)?.kind == .array {
      settleStream(path: path, errors: errors)
      return
    }
    let shortfall: IncompleteReason? = fieldErrors.isEmpty ? nil : .errors
    let value = data.value(at: path) ?? .null
    let open = pending(at: path, label: label)
    let candidates = open.filter { instances[$0].isAnnounced }
    let complete = candidates.first { isDelivered(instances[$0], value: value) }
    if let errors {
      let failed = candidates.first { $0 != complete && !isDelivered(instances[$0], value: value) } ?? candidates.first
      if let failed {
        resolve(failed, .failed(errors))
      } else {
        early[Location(path: path, label: label)] = Settlement(state: .failed(errors))
      }
    } else if let index = complete {
      resolve(index, .fulfilled, shortfall)
    } else if let index = candidates.first(where: { isDeliveredWithNulls($0) }) {
      // The server sent its nulls with the object.
      resolve(index, .fulfilled, shortfall)
    } else if let other = open.first(where: { isDelivered(instances[$0], value: value) }) {
      // Without labels and types an announcement may have been assigned to the wrong fragment; the data decides.
      if let index = candidates.first { instances[index].isAnnounced = false }
      resolve(other, .fulfilled, shortfall)
    } else if let index = candidates.first, hasData {
      resolve(index, .fulfilled, shortfall)
    } else if fieldErrors.isEmpty, claim(Location(path: path, label: label)) {
      // The operation spreads the fragment more than once, so it was announced more than once.
    } else if fieldErrors.isEmpty, open.count > 1, let index = candidates.first(where: { instances[$0].isUncertain }) {
      // The announcement may belong to another fragment, and it is unknown whether this one covers the object.
      resolve(index, .notExecuted)
    } else if let index = candidates.first {
      let missing = reason("the server completed this fragment without sending it", path)
      resolve(index, .failed(fieldErrors.isEmpty ? [missing] : fieldErrors), fieldErrors.isEmpty ? .null : nil)
    } else if unclaimed[Location(path: path, label: label)] != nil {
      early[Location(path: path, label: label)] = Settlement(state: .fulfilled, shortfall: shortfall)
    }
  }

  /// Ends a stream. It failed if there are errors, or if the server sent null.
  mutating func settleStream(path: ResponsePath, errors: [GraphQLError]?) {
    guard let index = streamIndexes[path], streams[index].state.isPending else { return }
    streams[index].state = errors.map { .failed($0) } ?? .fulfilled
    streams[index].settledAfter = elapsed
    if errors?.isEmpty == true { streams[index].shortfall = .null }
  }

  /// Whether there is a streamed list at a path.
  func isStream(_ path: ResponsePath) -> Bool { streamIndexes[path] != nil }

  /// Whether items of the streamed list at a path may be null.
  func takesNull(inStream path: ResponsePath) -> Bool {
    streamIndexes[path].map { !streamFields[$0].shape.isNonNull(level: 1) } ?? false
  }

  /// Whether a fragment or stream is pending.
  var hasPending: Bool { fragments.contains { $0.state.isPending } || streams.contains { $0.state.isPending } }

  /// Whether a pending fragment that covers its object lacks data.
  var lacksFragments: Bool {
    fragments.indices.contains { index in
      fragments[index].state.isPending && !instances[index].isUncertain
        && !isDelivered(instances[index], value: data.value(at: instances[index].path) ?? .null)
    }
  }

  /// Returns the nulls in pending fields, which are to be removed from the data.
  mutating func takePlaceholders() -> [ResponsePath] {
    defer { placeholders = [] }
    return placeholders
  }

  /// Returns the removed nulls that turned out to be data.
  mutating func takeReleased() -> [HeldNull] {
    defer { released = [] }
    return released
  }

  /// Records that items of a stream had errors.
  mutating func noteErrors(ofStream path: ResponsePath) {
    if let index = streamIndexes[path] { streams[index].shortfall = .errors }
  }

  func reason(_ message: String, _ path: ResponsePath) -> GraphQLError {
    GraphQLError(message: message, path: path)
  }
}
