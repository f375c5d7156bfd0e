import ApusClientAPI
import ApusClientOperation
import ApusJSON

/// Knows each place where the operation defers a fragment or streams a list, and what became of it.
///
/// Places are found by walking the data that arrived along the operation's plan: a fragment inside a list of 50 has
/// 50 instances. A fragment inside a deferred one becomes known when the outer one is fulfilled.
struct DeferralTracker: Sendable {
  struct Instance: Sendable {
    let plan: PlanFragment
    let typename: String?
    /// The lengths of the paths of the objects from the root down to this one.
    let levels: [Int]
    /// Whether nobody knows if the fragment, or one that it stands in, covers the object.
    let isUncertain: Bool
    var isAnnounced = false
    /// Whether the server said something about it.
    var isConfirmed = false
  }

  struct Place: Hashable, Sendable {
    let path: ResponsePath
    let label: String?
  }

  var fragments: [DeferredFragment] = []
  /// Those that the payload at hand has fulfilled, by their index.
  var fulfilled: [Int] = []
  var streams: [DeferredStream] = []

  let root: PlanNode
  /// The time of the payload at hand.
  var elapsed = Duration.zero
  var instances: [Instance] = []
  var indexes: [ResponsePath: [Int]] = [:]
  var streamIndexes: [ResponsePath: Int] = [:]
  /// Announcements whose fragment is not known yet.
  var unclaimed: [Place: Int] = [:]
  /// What arrived for fragments that are not known yet: a server may send an inner one before its outer one.
  var early: [Place: (state: DeferredState, shortfall: DeliveryShortfall?)] = [:]
  var hasAnnouncements = false
  /// Whether the server announces with labels.
  var tellsLabels = false
  var data = JSONValue.null
  var continuation = Continuation.none
  /// The place and the data of the entry at hand, or of the first payload.
  var entry: (path: ResponsePath, value: JSONValue)?
  /// Nulls of the payload at hand in place of fields that are still to come.
  var placeholders: [ResponsePath] = []
  /// The fields of the streams, in their order.
  var streamFields: [PlanField] = []

  init(plan: SelectionPlan) {
    root = plan.root
  }

  // MARK: - What the payloads say

  /// Whether more follows the payload at hand.
  enum Continuation { case none, possible, promised }

  /// The next payload begins.
  mutating func begin(at elapsed: Duration, continuation: Continuation = .none) {
    self.elapsed = elapsed
    self.continuation = continuation
    fulfilled = []
  }

  mutating func announce(path: ResponsePath, label: String?) {
    hasAnnouncements = true
    if label != nil { tellsLabels = true }
    if let index = pending(at: path, label: label).first(where: { !instances[$0].isAnnounced }) {
      instances[index].isAnnounced = true
    } else {
      unclaimed[Place(path: path, label: label), default: 0] += 1
    }
  }

  /// The first result: finds everything in it.
  mutating func discoverAll(in data: JSONValue) {
    self.data = data
    entry = (.root, data)
    defer { entry = nil }
    discover(root, value: data, path: [], levels: [])
  }

  /// New items of a list.
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

  /// The 2022 format: a fragment's item arrived; JSON null says that it failed. A piece of it settles the fragment once all
  /// of it is there.
  mutating func arrive(
    path: ResponsePath, label: String?, item: JSONValue, errors: [GraphQLError], isPiece: Bool = false, data: JSONValue
  ) {
    self.data = data
    if isPiece, !item.isNull {
      let value = data.value(at: path) ?? .null
      if let index = pending(at: path, label: label).first(where: { isDelivered(instances[$0], value: value) }) {
        settle(index, .fulfilled, errors.isEmpty ? nil : .errors)
      }
      return
    }
    let failure = DeferredState.failed(
      errors.isEmpty ? [reason("the server sent null for this fragment", path)] : errors)
    let settled: (state: DeferredState, shortfall: DeliveryShortfall?) =
      item.isNull ? (failure, errors.isEmpty ? .null : nil) : (.fulfilled, errors.isEmpty ? nil : .errors)
    guard let index = match(path: path, label: label, item: item, errors: errors) else {
      early[Place(path: path, label: label)] = settled
      if item.isNull { return }
      // Not a fragment that is known here; what it brought may hold some.
      if let (node, levels) = locate(path), let value = data.value(at: path) {
        discover(node, value: value, path: path.components, levels: levels)
      }
      return
    }
    instances[index].isConfirmed = true
    entry = (path, item)
    defer { entry = nil }
    settle(index, settled.state, settled.shortfall)
  }

  /// Format B: an announced part is completed; with errors it failed, and so did one that nothing came of.
  ///
  /// - Parameters:
  ///   - fieldErrors: What its fields came with.
  ///   - hasData: Whether some of them came as its own; what fragments share may be sent once for all.
  mutating func complete(
    path: ResponsePath, label: String?, errors: [GraphQLError]?, fieldErrors: [GraphQLError], hasData: Bool,
    data: JSONValue
  ) {
    self.data = data
    if streamIndexes[path] != nil, data.value(at: path)?.kind == .array {
      settleStream(path: path, errors: errors)
      return
    }
    let shortfall: DeliveryShortfall? = fieldErrors.isEmpty ? nil : .errors
    let value = data.value(at: path) ?? .null
    let open = pending(at: path, label: label)
    let candidates = open.filter { instances[$0].isAnnounced }
    let complete = candidates.first { isDelivered(instances[$0], value: value) }
    if let errors {
      let failed = candidates.first { $0 != complete && !isDelivered(instances[$0], value: value) } ?? candidates.first
      if let failed {
        settle(failed, .failed(errors))
      } else {
        early[Place(path: path, label: label)] = (.failed(errors), nil)
      }
    } else if let index = complete {
      settle(index, .fulfilled, shortfall)
    } else if let other = open.first(where: { isDelivered(instances[$0], value: value) }) {
      // Without labels and types an announcement may have been taken for another fragment's: the data tells.
      if let index = candidates.first { instances[index].isAnnounced = false }
      settle(other, .fulfilled, shortfall)
    } else if let index = candidates.first, hasData {
      settle(index, .fulfilled, shortfall)
    } else if fieldErrors.isEmpty, claim(Place(path: path, label: label)) {
      // One of several announcements of one fragment, which the operation spreads more than once.
    } else if fieldErrors.isEmpty, open.count > 1, let index = candidates.first(where: { instances[$0].isUncertain }) {
      // The announcement may have been another's; nobody knows whether this one covers the object.
      settle(index, .notExecuted)
    } else if let index = candidates.first {
      let missing = reason("the server completed this fragment without sending it", path)
      settle(index, .failed(fieldErrors.isEmpty ? [missing] : fieldErrors), fieldErrors.isEmpty ? .null : nil)
    } else if unclaimed[Place(path: path, label: label)] != nil {
      early[Place(path: path, label: label)] = (.fulfilled, shortfall)
    }
  }

  /// Ends a stream; with errors, or where the server sent null, it failed.
  mutating func settleStream(path: ResponsePath, errors: [GraphQLError]?) {
    guard let index = streamIndexes[path], streams[index].state.isPending else { return }
    streams[index].state = errors.map { .failed($0) } ?? .fulfilled
    streams[index].settledAfter = elapsed
    if errors?.isEmpty == true { streams[index].shortfall = .null }
  }

  /// Whether a list that is streamed stands at a path.
  func isStream(_ path: ResponsePath) -> Bool { streamIndexes[path] != nil }

  /// Whether null may be an item of the list that is streamed at a path.
  func takesNull(inStream path: ResponsePath) -> Bool {
    streamIndexes[path].map { !streamFields[$0].shape.isNonNull(level: 1) } ?? false
  }

  /// Whether a fragment or a stream is still to come.
  var hasPending: Bool { fragments.contains { $0.state.isPending } || streams.contains { $0.state.isPending } }

  /// Whether a fragment that covers its object is still to come, and its data is not there.
  var lacksFragments: Bool {
    fragments.indices.contains { index in
      fragments[index].state.isPending && !instances[index].isUncertain
        && !isDelivered(instances[index], value: data.value(at: fragments[index].path) ?? .null)
    }
  }

  /// The nulls in place of fields that are still to come, which the data is to be without.
  mutating func takePlaceholders() -> [ResponsePath] {
    defer { placeholders = [] }
    return placeholders
  }

  /// Items of a stream came with errors.
  mutating func noteErrors(ofStream path: ResponsePath) {
    if let index = streamIndexes[path] { streams[index].shortfall = .errors }
  }

  func reason(_ message: String, _ path: ResponsePath) -> GraphQLError {
    GraphQLError(message: message, path: path)
  }
}
