/// The requests that wait for a connection, and the decision which of them a free one goes to.
///
/// The loop asks when a request comes and when one has ended. What is under way is counted anew each time: it is bounded by the
/// limits, but for long-lived responses.
struct WaitingRequests {
  /// A server and the way to it: its requests can share connections.
  struct Host: Hashable {
    let place: String
    private let unixSocket: String?

    init(_ target: TargetURL, _ connection: HTTPConnectionOptions) {
      place = target.place.lowercased()
      unixSocket = connection.unixSocket
    }
  }

  /// The requests to one host in the order in which they came.
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

    /// Removes those for which the condition holds, and returns them.
    mutating func removeAll(where condition: (TransferChannel) -> Bool) -> [TransferChannel] {
      let waiting = channels[head...]
      channels = waiting.filter { !condition($0) }
      head = 0
      return waiting.filter(condition)
    }

    var all: ArraySlice<TransferChannel> { channels[head...] }
  }

  /// The requests under way that count, and the connections that they need.
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

  /// The streams that HTTP/2 servers allow on a connection (RFC 9113, section 6.5.2, recommends no fewer).
  private static let streamsPerConnection = 100

  private let limits: HTTPConnectionLimits
  private var lines: [Host: Line] = [:]
  /// The hosts that have answered over HTTP/2 or HTTP/3.
  private var multiplexed: Set<Host> = []
  private var earliestDeadline: ClockInstant?

  init(_ limits: HTTPConnectionLimits) { self.limits = limits }

  var isEmpty: Bool { lines.isEmpty }

  /// Whether a new request need not wait.
  mutating func isFree(_ host: Host, among transfers: some Sequence<Transfer>) -> Bool {
    lines[host] == nil && use(of: transfers).hasRoom(for: host, perConnection: perConnection(host), limits)
  }

  mutating func append(_ channel: TransferChannel, _ host: Host) {
    lines[host, default: Line()].append(channel)
    guard let instant = Self.deadline(of: channel)?.instant else { return }
    earliestDeadline = earliestDeadline.map { min($0, instant) } ?? instant
  }

  /// Removes and returns the requests for which there is a connection now; the one that has waited longest comes first.
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

  /// Remembers whether the host of a transfer that has a response lets requests share a connection.
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

  /// Fails what has waited longer than its limit on the whole time; returns the next deadline.
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
      for channel in overdue ?? [] { channel.finish(throwing: Self.deadline(of: channel)?.error(host: host.place)) }
      if lines[host]?.first == nil { lines[host] = nil }
    }
    earliestDeadline = next
    return next
  }

  /// Ends all of them, as the transport ends.
  mutating func cancelAll() {
    for line in lines.values { for channel in line.all { channel.finish(throwing: CancellationError()) } }
    lines = [:]
  }

  private static func deadline(of channel: TransferChannel) -> Deadline? {
    channel.request.timeouts.total.map { Deadline(instant: channel.start + $0, phase: .total, limit: $0) }
  }
}
