import ApusClientAPI
import ApusClientCache
import ApusClientCore
import ApusClientPagination
import ApusClientRequestChain
import ApusExplorerCore
import ApusJSON
import Synchronization

/// A run as the world knows it: what was asked for and what came of it, the pages that were loaded behind it, and the
/// cache as it was after each result. A value with one owner, `RunSessions`.
struct RunSession: Sendable {
  let id: Int
  let operation: DynamicOperation
  /// The document as it was asked for, with the fragments of other files.
  let text: String
  let options: RequestOptions
  /// What goes along with it.
  let files: [GraphQLFile]
  /// The client of the endpoint that it runs on, which its pages and refetches go to as well.
  let client: GraphQLClient
  /// Whether a command gives the credentials that it is sent with.
  let hasRenewableCredentials: Bool

  /// The header fields, by their names in lower case, whose values came from the environment or a command.
  var resolvedFields: Set<String> = []

  /// The traffic of its newest request.
  var exchange: KeptExchange?

  /// The newest result of the operation itself.
  private(set) var result: GraphQLResult<JSONValue>?
  /// What is shown: the result's data with the pages that were loaded behind it, as the cache has it by now.
  var data: JSONValue?
  /// The errors of what is shown, those of the pages too.
  var errors: [GraphQLError] = []
  /// Who loads the pages of each list that was paged, by the list's place.
  var pagers: [ResponsePath: LivePager] = [:]
  /// The pages that were loaded, in the order in which they were merged.
  var pages: [LoadedPage] = []
  private(set) var moments: CacheMoments
  /// What the cache and what the network gave last.
  private(set) var given: (byCache: JSONValue?, byNetwork: JSONValue?) = (nil, nil)

  /// The names of its requests: what they write is no news to it.
  private var requests: Set<RequestID> = []
  /// How much is under way: what others change meanwhile is looked at when that is over.
  private var taskCount = 0
  /// A change of others that touched what is shown and was not looked at yet.
  private var unseen: CacheChange?
  /// What the newest read of the cache looked at, and how much it had; nil until the cache is read for what is shown now.
  private var read: (dependentKeys: DependentKeys, holdings: [CacheHolding])?
  /// Whether what is shown is what the cache had, and not what came.
  private(set) var isReread = false
  /// How many fetches that only made good a loss led to the fetch of what was lost last.
  private(set) var refetchDepth = 0

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
    moments = CacheMoments(start: start)
  }

  /// Whether the server gave no data because it does not accept the credentials.
  var isRejected: Bool {
    guard let result else { return false }
    return (result.data?.isNull ?? true) && result.errors.contains(where: \.rejectsCredentials)
  }
  var isQuery: Bool { operation.compiled.operationType == .query }
  /// What the operation is called on the screen.
  var title: String { operation.compiled.name ?? operation.compiled.operationType.rawValue }
  /// The operation's query, and those of its pages.
  var queries: [DynamicOperation] { [operation] + pages.map(\.query) }

  // MARK: Results

  mutating func begin(_ request: RequestID) {
    requests.insert(request)
    taskCount += 1
  }

  /// Something that was begun is over; true when others changed meanwhile what is shown.
  mutating func end() -> Bool {
    taskCount -= 1
    return taskCount == 0 && unseen != nil
  }

  mutating func receive(_ result: GraphQLResult<JSONValue>, of request: RequestID) {
    moments.receive(part: result.source == .cache ? nil : CachePart(request: request, number: result.part))
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

  /// A page was loaded, or all were given up: what is shown is more or less than was read.
  mutating func changePages(_ change: (inout RunSession) -> Void) {
    change(&self)
    read = nil
  }

  // MARK: The cache

  func owns(_ change: CacheChange) -> Bool { change.request.map(requests.contains) ?? false }

  /// Takes a change of the cache; true when it is to be looked at whether it made what is shown another.
  mutating func note(_ change: ObservedCacheChange) -> Bool {
    if owns(change.change) {
      if case .write(_, let part?) = change.change.cause, let request = change.change.request {
        moments.add(change.after, CachePart(request: request, number: part))
      }
      return false
    }
    guard isQuery, result != nil, read?.dependentKeys.areTouched(by: change.change.changedKeys) ?? true else {
      return false
    }
    // Of several the one that may ask for the most.
    if unseen.map({ change.change.refetchDepth <= $0.refetchDepth }) ?? true { unseen = change.change }
    return taskCount == 0
  }

  /// The change that is still to be looked at; whatever changes from now on is looked at too.
  mutating func takeUnseen() -> (change: CacheChange, earlier: [CacheHolding])? {
    guard let change = unseen, let result else { return nil }
    unseen = nil
    defer { read = nil }
    return (change, read?.holdings ?? queries.map { _ in CacheHolding(result) })
  }

  /// The cache was read for all of the queries; where it has other data, that is shown from now on.
  mutating func note(_ reads: [CacheRead], shows data: JSONValue?, isOther: Bool, refetchDepth: Int) {
    if isOther {
      self.data = data
      isReread = true
    }
    self.refetchDepth = refetchDepth
    var keys = DependentKeys()
    for read in reads { keys.formUnion(read.dependentKeys) }
    read = (keys, reads.map { CacheHolding($0) })
  }

  /// Fragments read from the cache, with the times at which they came.
  func withArrivals(_ fragments: [DeferredFragment]) -> [DeferredFragment] {
    let known = Dictionary(grouping: result?.fragments ?? [], by: \.path)
    return fragments.map { fragment in
      let arrived = known[fragment.path]?.first { $0.fragmentID == fragment.fragmentID }
      guard fragment.settledAfter == nil, fragment.state == arrived?.state else { return fragment }
      return arrived ?? fragment
    }
  }
}

/// The sessions of the runs that tabs show, each for as long as its tab holds it.
final class RunSessions: Sendable {
  private let sessions = Mutex<[Int: RunSession]>([:])

  subscript(_ id: Int) -> RunSession? { sessions.withLock { $0[id] } }

  var all: [RunSession] { sessions.withLock { $0.values.sorted { $0.id < $1.id } } }

  func add(_ session: RunSession) { sessions.withLock { $0[session.id] = session } }
  func remove(_ id: Int) { sessions.withLock { $0[id] = nil } }
  func removeAll() { sessions.withLock { $0 = [:] } }

  @discardableResult
  func change<Result: Sendable>(_ id: Int, _ change: (inout RunSession) -> Result) -> Result? {
    sessions.withLock { sessions in
      guard var session = sessions[id] else { return nil }
      // Out of its place while it is changed: what it holds is not copied.
      sessions[id] = nil
      defer { sessions[id] = session }
      return change(&session)
    }
  }

  /// Tells all of a change; those that are to be looked at because of it.
  func note(_ change: ObservedCacheChange) -> [Int] {
    sessions.withLock { sessions in
      sessions.keys.sorted().filter { sessions[$0]?.note(change) ?? false }
    }
  }

  /// The session whose request made a change.
  func owner(of change: CacheChange) -> RunSession? {
    sessions.withLock { sessions in sessions.values.first { $0.owns(change) } }
  }
}
