import ApusClientAPI
import ApusClientCache
import ApusClientCore
import ApusClientPagination
import ApusClientRequestChain
import ApusExplorerCore
import ApusJSON
import Synchronization

/// The environment's state of a run: the request and its results, the pages loaded after it, and a snapshot of the
/// cache after each result. A value owned by `RunSessions`.
struct RunSession: Sendable {
  let id: Int
  let operation: DynamicOperation
  /// The executed document, including fragments from other files.
  let text: String
  let options: RequestOptions
  /// Files to upload.
  let files: [GraphQLFile]
  /// The client of the run's endpoint, also used for its pages and refetches.
  let client: GraphQLClient
  /// Whether a command supplies the credentials for the request.
  let hasRenewableCredentials: Bool

  /// Lowercased names of header fields whose values came from the environment or a command.
  var resolvedFields: Set<String> = []

  /// The traffic of the newest request.
  var exchange: SavedExchange?

  /// The newest result of the operation, without its pages.
  private(set) var result: GraphQLResult<JSONValue>?
  /// The displayed data: the result with its loaded pages, updated from the cache.
  var data: JSONValue?
  /// The errors of the displayed data, including its pages.
  var errors: [GraphQLError] = []
  /// Pagers of lists whose pages were loaded, by the list's path: `birds`.
  var pagers: [ResponsePath: RunPager] = [:]
  /// Loaded pages in the order in which they were merged.
  var pages: [LoadedPage] = []
  private(set) var moments: CacheSnapshotHistory
  /// The latest data from the cache and from the network.
  private(set) var given: (byCache: JSONValue?, byNetwork: JSONValue?) = (nil, nil)

  /// Whether the run shows a request of an application. Its data stays as the application received it.
  private(set) var isObserved = false
  /// Identifiers of the run's own requests, whose writes it ignores.
  private var requests: Set<RequestID> = []
  /// The number of tasks in progress. External changes are processed after the last one ends.
  private var taskCount = 0
  /// An external change that affects the displayed data and has not been processed.
  private var unseen: CacheChange?
  /// The dependent keys and the contents of the latest cache read; nil until the cache is read for the data now
  /// displayed.
  private var read: (dependentKeys: DependentKeys, holdings: [CacheReadSummary])?
  /// Whether the displayed data was read from the cache again after it arrived.
  private(set) var isReread = false
  /// Consecutive refetches that led to the latest one.
  private(set) var refetchDepth = 0
  /// The policy of the tab, which the user may have changed after the run. It decides whether lost data is fetched.
  var watchPolicy: CachePolicy
  /// The change that the latest refetch follows, and the data that the cache lost by it.
  var loss: (change: String, misses: [CacheUsage.Miss])?

  init(
    id: Int, operation: DynamicOperation, text: String, options: RequestOptions, files: [GraphQLFile],
    client: GraphQLClient, hasRenewableCredentials: Bool, start: CacheSnapshot?
  ) {
    self.id = id
    self.operation = operation
    self.text = text
    self.options = options
    self.files = files
    self.client = client
    self.hasRenewableCredentials = hasRenewableCredentials
    watchPolicy = options.cachePolicy
    moments = CacheSnapshotHistory(start: start)
  }

  /// Whether the server returned a result but rejects the credentials.
  func isRejected(withStatus status: Int?) -> Bool {
    guard let result else { return false }
    return status == 401 || (result.data?.isNull ?? true) && result.errors.contains(where: \.rejectsCredentials)
  }
  var isQuery: Bool { operation.compiled.operationType == .query }
  /// The operation's name, or its type if it has none.
  var title: String { operation.compiled.name ?? operation.compiled.operationType.rawValue }
  /// The operation and the queries of its loaded pages.
  var queries: [DynamicOperation] { [operation] + pages.map(\.query) }

  // MARK: Results

  mutating func begin(_ request: RequestID) {
    requests.insert(request)
    taskCount += 1
  }

  /// Makes the run that of an application's request.
  mutating func observe(_ request: RequestID?) {
    isObserved = true
    if let request { requests.insert(request) }
  }

  /// Ends a task. Returns true if an external change to the displayed data must now be processed.
  mutating func end() -> Bool {
    taskCount -= 1
    return taskCount == 0 && unseen != nil
  }

  mutating func receive(_ result: GraphQLResult<JSONValue>, of request: RequestID) {
    moments.receive(result.source == .cache ? nil : PayloadID(request: request, number: result.payloadIndex))
    switch result.source {
    case .cache: given.byCache = result.data
    case .server: given.byNetwork = result.data
    }
    self.result = result
    data = result.data
    errors = result.errors
    pagers = [:]
    pages = []
    read = nil
    isReread = false
  }

  /// Changes the loaded pages, which invalidates the latest cache read.
  mutating func changePages(_ change: (inout RunSession) -> Void) {
    change(&self)
    read = nil
  }

  // MARK: The cache

  /// The identity of the run's query in conflicts with other runs.
  var watch: WatchIdentity { WatchIdentity(operation.compiled, variables: operation.variables) }

  func owns(_ change: CacheChange) -> Bool { change.request.map(requests.contains) ?? false }

  /// Records a cache change. Returns true if the displayed data must be compared with the cache now.
  mutating func record(_ change: ObservedCacheChange) -> Bool {
    if owns(change.change) {
      if case .write(_, let payload?) = change.change.cause, let request = change.change.request {
        moments.add(change.after, PayloadID(request: request, number: payload))
      }
      return false
    }
    guard isQuery, !isObserved, result != nil, read?.dependentKeys.intersects(change.change.changedKeys) ?? true else {
      return false
    }
    // Of several changes, keep the one that permits the most refetching.
    if unseen.map({ change.change.refetchDepth <= $0.refetchDepth }) ?? true { unseen = change.change }
    return taskCount == 0
  }

  /// Takes the unprocessed change; changes after this call are recorded again.
  mutating func takeUnseen() -> (change: CacheChange, earlier: [CacheReadSummary])? {
    guard let change = unseen, let result else { return nil }
    unseen = nil
    defer { read = nil }
    return (change, read?.holdings ?? queries.map { _ in CacheReadSummary(result) })
  }

  /// Records a cache read of all queries; `data` replaces the displayed data if `isOther` is set.
  mutating func record(_ reads: [CacheRead], shows data: JSONValue?, isOther: Bool, refetchDepth: Int) {
    if isOther {
      self.data = data
      isReread = true
    }
    self.refetchDepth = refetchDepth
    var keys = DependentKeys()
    for read in reads { keys.formUnion(read.dependentKeys) }
    read = (keys, reads.map { CacheReadSummary($0) })
  }

  /// Returns fragments read from the cache with their original arrival times.
  func withArrivals(_ fragments: [DeferredFragment]) -> [DeferredFragment] {
    let arrivals = Dictionary(grouping: result?.fragments ?? [], by: \.path)
    return fragments.map { fragment in
      let arrived = arrivals[fragment.path]?.first { $0.fragmentID == fragment.fragmentID }
      guard fragment.settledAfter == nil, fragment.state == arrived?.state else { return fragment }
      return arrived ?? fragment
    }
  }
}

/// The sessions of the runs in open tabs.
final class RunSessions: Sendable {
  private let sessions = Mutex<[Int: RunSession]>([:])

  subscript(_ id: Int) -> RunSession? { sessions.withLock { $0[id] } }

  var all: [RunSession] { sessions.withLock { $0.values.sorted { $0.id < $1.id } } }

  func add(_ session: RunSession) { sessions.withLock { $0[session.id] = session } }
  func remove(_ id: Int) { sessions.withLock { $0[id] = nil } }

  @discardableResult
  func change<Result: Sendable>(_ id: Int, _ change: (inout RunSession) -> Result) -> Result? {
    sessions.withLock { sessions in
      guard var session = sessions[id] else { return nil }
      // Removed during the change so that its contents are not copied.
      sessions[id] = nil
      defer { sessions[id] = session }
      return change(&session)
    }
  }

  /// Records a change in all sessions; returns the runs that must be compared with the cache now.
  func record(_ change: ObservedCacheChange) -> [Int] {
    sessions.withLock { sessions in
      sessions.keys.sorted().filter { sessions[$0]?.record(change) ?? false }
    }
  }

  /// Returns the session whose request made a change.
  func owner(of change: CacheChange) -> RunSession? {
    sessions.withLock { sessions in sessions.values.first { $0.owns(change) } }
  }
}
