/// The queue of requests that wait for a connection.
///
/// The loop checks it when a request starts and when one ends. The running requests are counted each time; their number
/// is bounded by the limits, except for long-lived ones.
struct WaitingRequests {
  /// A server and the way to it. Its requests can share connections.
  struct Host: Hashable {
    let authority: String
    private let unixSocket: String?

    init(_ target: TargetURL, _ connection: HTTPConnectionOptions) {
      authority = target.authority.lowercased()
      unixSocket = connection.unixSocket
    }
  }

  /// The waiting requests to one host, in order.
  private struct Line {
    private var channels: [TransferChannel] = []
    private var head = 0

    var first: TransferChannel? { head < channels.count ? channels[head] : nil }

    mutating func append(_ channel: TransferChannel) { channels.append(channel) }

    mutating func removeFirst() {
      head += 1
      if head > 64, 2 * head > channels.count {
        channels.removeFirst(head)
        head = 0
      }
    }

    /// Removes and returns the requests that satisfy a condition.
    mutating func removeAll(where condition: (TransferChannel) -> Bool) -> [TransferChannel] {
      let waiting = channels[head...]
      channels = waiting.filter { !condition($0) }
      head = 0
      return waiting.filter(condition)
    }

    var all: ArraySlice<TransferChannel> { channels[head...] }
  }

  /// The running requests that count, and the connections that they need.
  private struct Use {
    private var counts: [Host: Int] = [:]
    private var connectionCount = 0

    mutating func add(_ host: Host, perConnection: Int) {
      let count = counts[host] ?? 0
      if count % perConnection == 0 { connectionCount += 1 }
      counts[host] = count + 1
    }

    func hasRoom(for host: Host, perConnection: Int, _ limits: HTTPConnectionLimits) -> Bool {
      let count = counts[host] ?? 0
      let needsConnection = count % perConnection == 0
      return count < limits.perHost * perConnection && (!needsConnection || connectionCount < limits.total)
    }
  }

  /// The number of streams that HTTP/2 servers allow per connection (RFC 9113, section 6.5.2, recommends at least this
  /// many).
  private static let streamsPerConnection = 100

  private let limits: HTTPConnectionLimits
  private var lines: [Host: Line] = [:]
  /// The hosts that responded over HTTP/2 or HTTP/3.
  private var multiplexed: Set<Host> = []
  private var earliestDeadline: ClockInstant?

  init(_ limits: HTTPConnectionLimits) { self.limits = limits }

  var isEmpty: Bool { lines.isEmpty }

  /// Whether a new request can start immediately.
  mutating func isFree(_ host: Host, among transfers: some Sequence<Transfer>) -> Bool {
    lines[host] == nil && use(of: transfers).hasRoom(for: host, perConnection: perConnection(host), limits)
  }

  mutating func append(_ channel: TransferChannel, _ host: Host) {
    lines[host, default: Line()].append(channel)
    guard let instant = Self.deadline(of: channel)?.instant else { return }
    earliestDeadline = earliestDeadline.map { min($0, instant) } ?? instant
  }

  /// Removes and returns the requests that can start now, the longest waiting first.
  mutating func takeStartable(among transfers: some Sequence<Transfer>) -> [TransferChannel] {
    var use = use(of: transfers)
    var startable: [TransferChannel] = []
    let hosts = lines.sorted { ($0.value.first?.id ?? 0) < ($1.value.first?.id ?? 0) }.map(\.key)
    for host in hosts {
      let perConnection = perConnection(host)
      while let channel = lines[host]?.first {
        if !channel.isCancelled {
          guard use.hasRoom(for: host, perConnection: perConnection, limits) else { break }
          use.add(host, perConnection: perConnection)
          startable.append(channel)
        }
        lines[host]?.removeFirst()
      }
      if lines[host]?.first == nil { lines[host] = nil }
    }
    return startable
  }

  /// Records whether the host of a transfer allows requests to share a connection.
  mutating func learn(from transfer: Transfer) {
    switch transfer.sharesConnection {
    case true?: multiplexed.insert(transfer.waitingHost)
    case false?: if !multiplexed.isEmpty { multiplexed.remove(transfer.waitingHost) }
    case nil: break
    }
  }

  private func perConnection(_ host: Host) -> Int { multiplexed.contains(host) ? Self.streamsPerConnection : 1 }

  private mutating func use(of transfers: some Sequence<Transfer>) -> Use {
    for transfer in transfers { learn(from: transfer) }
    var use = Use()
    for transfer in transfers where transfer.takesConnection {
      let host = transfer.waitingHost
      use.add(host, perConnection: perConnection(host))
    }
    return use
  }

  // MARK: Deadlines and the end

  /// Fails requests that exceeded their total timeout; returns the next deadline.
  mutating func failOverdue(at now: ClockInstant) -> ClockInstant? {
    guard let earliest = earliestDeadline, earliest <= now else { return earliestDeadline }
    var next: ClockInstant?
    for host in Array(lines.keys) {
      let overdue = lines[host]?.removeAll { channel in
        guard let deadline = Self.deadline(of: channel) else { return false }
        if deadline.instant <= now { return true }
        next = next.map { min($0, deadline.instant) } ?? deadline.instant
        return false
      }
      for channel in overdue ?? [] { channel.finish(throwing: Self.deadline(of: channel)?.error(host: host.authority)) }
      if lines[host]?.first == nil { lines[host] = nil }
    }
    earliestDeadline = next
    return next
  }

  /// Cancels all requests when the transport ends.
  mutating func cancelAll() {
    for line in lines.values { for channel in line.all { channel.finish(throwing: CancellationError()) } }
    lines = [:]
  }

  private static func deadline(of channel: TransferChannel) -> Deadline? {
    let start = channel.request.totalStart ?? channel.start
    return channel.request.timeouts.total.map { Deadline(instant: start + $0, phase: .total, limit: $0) }
  }
}
