import ApusClientAPI
import ApusClientRequests
import ApusClientTraffic
import ApusExplorerCore
import ApusSecrets
import Synchronization

/// The requests of an application under `apus tap`, for the Requests view and the tabs that follow their responses.
///
/// 1. The tap adds reports. The watcher gets the rows that changed since its last look, and a follower the payloads of one
///    request. Many reports become one action, so that neither the tap nor the keys wait for the screen.
/// 2. Requests with their responses are stored up to a limit of bytes. Beyond it, those that ended are dropped, oldest first.
///    If that is not enough, only the newest result of each running one is kept.
package final class ObservedTraffic: Sendable {
  /// The maximum number of bytes of requests and responses.
  package static let byteLimit = 32 << 20

  private let state = Mutex(ObservedState())
  private let control: DeliveryControl

  /// - Parameter control: Releases the payloads that wait.
  package init(_ control: DeliveryControl = DeliveryControl()) { self.control = control }

  // MARK: Reports of the tap

  /// Adds a report.
  ///
  /// - Parameter redactor: Redacts the secrets of its request.
  package func receive(_ report: ApusClientTraffic.TrafficReport, _ redactor: Redactor) {
    state.withLock { state in
      switch report {
      case .began(let request): state.begin(StoredExchange(request, redactor))
      case .responded(let request, let head, let elapsed):
        state.change(request) { $0.responded(head, at: elapsed) }
      case .part(let request, let body, let elapsed): state.change(request) { $0.receive(body, at: elapsed) }
      case .payload(let request, let payload): state.change(request) { $0.receive(payload) }
      case .hint(let request, let hint): state.change(request) { $0.receive(hint) }
      case .changed(let request, _, _), .held(let request, _): state.change(request) { _ in }
      case .ended(let request): state.change(request) { $0.end() }
      case .conflict(let conflict): state.add(.conflictFound(redactor.text(conflict.description)))
      case .other: state.addOther()
      }
    }
  }

  /// Shows a note in the explorer.
  package func note(_ words: String) { state.withLock { $0.add(.noted(words)) } }

  /// Shows the reason why no more requests are forwarded.
  package func fail(_ reason: String) { state.withLock { $0.add(.failed(reason)) } }

  // MARK: Rules

  /// Releases the next payload of a request, or all of its response.
  package func release(_ number: Int, all isAll: Bool) {
    guard let exchange = exchange(number), !exchange.hasEnded else { return }
    if isAll { control.releaseAll(of: exchange.request.id) } else { control.release(exchange.request.id) }
  }

  /// Sets whether the payloads of later requests wait. If not, all that wait are released.
  package func hold(_ holds: Bool) {
    var rules = control.rules
    rules.holds = holds
    control.use(rules)
  }

  /// Replaces the rules for later requests by those of lines, if all are valid. Returns `rulesUsed` or `rulesRefused`.
  package func use(_ lines: [String]) -> RequestsAction {
    do throws(DeliveryRules.LineError) {
      let rules = try DeliveryRules(lines: lines)
      control.use(rules)
      return .rulesUsed(rules.lines)
    } catch {
      return .rulesRefused(line: error.line, error.reason)
    }
  }

  // MARK: The cache

  /// Returns the title of the request with an identity: "`#3 Birds`"; `nil` if it is not one of the application.
  func title(of request: RequestID) -> String? { state.withLock { $0.title(of: request) } }

  /// Reports a write of the application together with the next rows.
  func cacheChanged(runs: [Int]) { state.withLock { $0.cacheChanged(runs: runs) } }

  // MARK: The view

  /// Sends what changed, each time after the explorer has processed the previous actions.
  package func watch(_ send: @escaping ExplorerEnvironment.Send) async {
    let (news, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    state.withLock { $0.watcher = continuation }
    continuation.yield()
    let backlog = FlowControl(countLimit: 1)
    for await _ in news {
      let receipt = await backlog.receipt(for: 0)
      guard !Task.isCancelled else { return }
      for action in state.withLock({ $0.takeActions() }) { send(action) }
      send(.receiptReleased(receipt))
    }
  }

  /// Returns the action that opens a request in a tab, or a failure.
  package func open(_ number: Int) -> Action {
    guard let exchange = exchange(number) else { return .operationFailed(Self.notStored(number)) }
    return .requests(.opened(number, exchange.draft))
  }

  static func notStored(_ number: Int) -> String {
    "Request \(number) is no longer stored: the newest \(byteLimit >> 20) MB of requests and responses are"
  }

  // MARK: Followers of one request

  /// Returns a request with its response so far.
  func exchange(_ number: Int) -> StoredExchange? { state.withLock { $0.exchanges[number] } }

  /// Returns a stream with an element for now, and one for changes of the request.
  func changes(of number: Int) -> AsyncStream<Void> {
    let (news, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { $0.addFollower(of: number, continuation) }
    continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.removeFollower(id) } }
    continuation.yield()
    return news
  }
}

/// The stored requests, and the changes since the watcher's last look.
private struct ObservedState {
  private(set) var exchanges: [Int: StoredExchange] = [:]
  /// The numbers of the stored requests, in ascending order.
  private var numbers: [Int] = []
  private var byteCount = 0
  /// The rows that changed since the watcher's last look.
  private var rows: [Int: ObservedRequest] = [:]
  /// The number of rows that were dropped before the watcher saw them.
  private var skippedCount = 0
  private var otherCount = 0
  private var actions: [RequestsAction] = []
  private var isCacheChanged = false
  /// The runs that the application's writes to the cache affect.
  private var affectedRuns: Set<Int> = []
  /// The requests by their identity in the changes of the cache.
  private var writers: [RequestID: Int] = [:]
  var watcher: AsyncStream<Void>.Continuation?
  private var followers: [Int: (number: Int, news: AsyncStream<Void>.Continuation)] = [:]
  private var lastFollower = 0

  // MARK: Reports

  mutating func begin(_ exchange: StoredExchange) {
    numbers.append(exchange.row.number)
    if let identity = exchange.request.cacheRequest { writers[identity] = exchange.row.number }
    byteCount += exchange.byteCount
    store(exchange)
  }

  mutating func change(_ request: TrafficRequest, _ change: (inout StoredExchange) -> Void) {
    // Removed during the change so that its contents are not copied.
    guard var exchange = exchanges.removeValue(forKey: request.number) else { return }
    let before = exchange.byteCount
    exchange.update(request)
    change(&exchange)
    byteCount += exchange.byteCount - before
    store(exchange)
    for follower in followers.values where follower.number == request.number { follower.news.yield() }
  }

  private mutating func store(_ exchange: StoredExchange) {
    exchanges[exchange.row.number] = exchange
    rows[exchange.row.number] = exchange.row
    // The view would drop these rows, too.
    if rows.count >= 2 * RequestsFeature.limit {
      let oldest = rows.keys.sorted().prefix(RequestsFeature.limit)
      for number in oldest { rows[number] = nil }
      skippedCount += oldest.count
    }
    dropOldest()
    watcher?.yield()
  }

  mutating func add(_ action: RequestsAction) {
    if actions.count >= RequestsFeature.conflictLimit { actions.removeFirst() }
    actions.append(action)
    watcher?.yield()
  }

  mutating func addOther() {
    otherCount += 1
    watcher?.yield()
  }

  func title(of request: RequestID) -> String? {
    writers[request].flatMap { exchanges[$0]?.row }.map { "#\($0.number) \($0.operation)" }
  }

  mutating func cacheChanged(runs: [Int]) {
    isCacheChanged = true
    affectedRuns.formUnion(runs)
    watcher?.yield()
  }

  // MARK: Limits

  private mutating func dropOldest() {
    while byteCount > ObservedTraffic.byteLimit || numbers.count > RequestsFeature.limit {
      guard let index = numbers.firstIndex(where: { exchanges[$0]?.hasEnded == true }) else { break }
      drop(numbers.remove(at: index))
    }
    while numbers.count > RequestsFeature.limit { drop(numbers.removeFirst()) }
    for number in numbers where byteCount > ObservedTraffic.byteLimit {
      guard let before = exchanges[number]?.byteCount else { continue }
      exchanges[number]?.keepNewest()
      byteCount -= before - (exchanges[number]?.byteCount ?? 0)
    }
  }

  private mutating func drop(_ number: Int) {
    guard let exchange = exchanges.removeValue(forKey: number) else { return }
    byteCount -= exchange.byteCount
    if let identity = exchange.request.cacheRequest { writers[identity] = nil }
    for follower in followers.values where follower.number == number { follower.news.yield() }
  }

  // MARK: Watcher and followers

  /// Returns the actions since the last call.
  mutating func takeActions() -> [Action] {
    let changed = rows.keys.sorted().compactMap { rows[$0] }
    var taken = [Action.requests(.changed(changed, skippedCount: skippedCount, otherCount: otherCount))]
    taken += actions.map { .requests($0) }
    if isCacheChanged { taken.append(.from(.first, .cacheChanged(runs: affectedRuns.sorted()))) }
    (rows, skippedCount, actions, affectedRuns, isCacheChanged) = ([:], 0, [], [], false)
    return taken
  }

  mutating func addFollower(of number: Int, _ news: AsyncStream<Void>.Continuation) -> Int {
    lastFollower += 1
    followers[lastFollower] = (number, news)
    return lastFollower
  }

  mutating func removeFollower(_ id: Int) { followers[id] = nil }
}
