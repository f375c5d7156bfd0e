import ApusClientAPI

/// The network traffic of a run, prepared for display.
package struct Traffic: Equatable, Sendable {
  /// A body part of the response, or a WebSocket message.
  package struct Part: Equatable, Sendable {
    package var headers: [String]
    /// The received text; JSON is pretty-printed.
    package var text: String
    /// Whether the text is truncated.
    package var isCut: Bool
    package var byteCount: Int
    package var elapsed: Duration

    package init(headers: [String], text: String, isCut: Bool = false, byteCount: Int, elapsed: Duration) {
      self.headers = headers
      self.text = text
      self.isCut = isCut
      self.byteCount = byteCount
      self.elapsed = elapsed
    }
  }

  /// A request as sent, with secret values redacted.
  package struct Request: Equatable, Sendable {
    package var method: String
    package var url: String
    package var headers: [String]
    /// Members of the request body: the document, the variables and any others.
    package var members: [Member]
    package var elapsed: Duration

    package struct Member: Equatable, Sendable {
      package var name: String
      package var text: String

      package init(_ name: String, _ text: String) {
        self.name = name
        self.text = text
      }
    }

    package init(method: String, url: String, headers: [String], members: [Member], elapsed: Duration) {
      self.method = method
      self.url = url
      self.headers = headers
      self.members = members
      self.elapsed = elapsed
    }
  }

  /// The progress of an upload.
  package struct Upload: Equatable, Sendable {
    package var sentByteCount: Int
    package var totalByteCount: Int

    package init(sentByteCount: Int, totalByteCount: Int) {
      self.sentByteCount = sentByteCount
      self.totalByteCount = totalByteCount
    }
  }

  /// A period in which a subscription had no connection and may have missed events.
  package struct Outage: Equatable, Sendable {
    package var start: Duration
    /// The end of the outage, when the subscription was active again; nil while it is not.
    package var end: Duration?
    /// The reason for the lost connection.
    package var reason: String
    package var attempts: Int

    package init(start: Duration, end: Duration? = nil, reason: String, attempts: Int) {
      self.start = start
      self.end = end
      self.reason = reason
      self.attempts = attempts
    }
  }

  /// The time at which a phase of the request ended.
  package struct Phase: Equatable, Sendable {
    package var name: String
    package var end: Duration

    package init(name: String, end: Duration) {
      self.name = name
      self.end = end
    }
  }

  /// A fact about the connection or the server's certificate.
  package struct Fact: Equatable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Bytes that are retained of a long part.
  package static let shownBytes = 16 << 10
  /// Limits on retained parts, in number and in bytes; the oldest are dropped first.
  static let partLimit = 1000
  static let byteLimit = 4 << 20
  static let outageLimit = 1000

  /// Newest requests, oldest first. There are several if the request was retried.
  package private(set) var requests: [Request] = []
  static let requestLimit = 20
  package var status: String?
  /// A status code that reports a failure.
  package var failedStatus: Int?
  /// A network error after which the cache answered instead.
  package var failure: String?
  package var format: String?
  package var headers: [String] = []
  package var phases: [Phase] = []
  package var connection: [Fact] = []
  package var certificate: [Fact] = []
  package var upload: Upload?
  package private(set) var subscription: SubscriptionState?
  /// Newest outages, oldest first.
  package private(set) var outages: [Outage] = []
  package var parts: [Part] = []
  /// Dropped parts before the first retained one.
  package var droppedCount = 0
  private var keptBytes = 0
  /// The least time between the arrival of a part, counted from the start of its request, and its record, counted from
  /// the start of the run. It places other records between parts.
  private var recordDelay: Duration?

  package init() {}

  /// Whether there is any traffic to show.
  package var wasUsed: Bool { status != nil || subscription != nil || upload != nil || !requests.isEmpty }

  /// Whether the server accepted a WebSocket upgrade.
  package var isWebSocket: Bool { status?.hasSuffix(" 101") == true }

  package mutating func add(_ request: Request) { requests = requests.suffix(Self.requestLimit - 1) + [request] }

  /// Records that the subscription entered a state at a time since the start of the run.
  package mutating func enter(_ state: SubscriptionState, at recorded: Duration) {
    let elapsed = recorded - (recordDelay ?? .zero)
    subscription = state
    let last = outages.indices.last.flatMap { outages[$0].end == nil ? $0 : nil }
    switch state {
    case .reconnecting(let attempt, let reason):
      guard let last else {
        if outages.count == Self.outageLimit { outages.removeFirst() }
        return outages.append(Outage(start: elapsed, reason: reason, attempts: attempt))
      }
      outages[last].attempts = attempt
    case .active: if let last { outages[last].end = elapsed }
    case .connecting, .finished: break
    }
  }

  /// Whether the connection was lost and restored between the arrival times of two parts.
  package func wasLost(from start: Duration, to end: Duration) -> Bool {
    outages.contains { start <= $0.start && $0.start < end }
  }

  /// Adds a part, dropping the oldest parts if a limit is exceeded.
  ///
  /// - Parameter recorded: The time since the start of the run.
  package mutating func add(_ part: Part, at recorded: Duration) {
    let delay = recorded - part.elapsed
    recordDelay = min(recordDelay ?? delay, delay)
    parts.append(part)
    keptBytes += min(part.byteCount, Self.shownBytes)
    if parts.count > Self.partLimit || keptBytes > Self.byteLimit { forgetOldest() }
  }

  /// Drops a tenth of the parts at a time, so that this happens rarely.
  private mutating func forgetOldest() {
    let count = max(1, parts.count / 10)
    for part in parts.prefix(count) { keptBytes -= min(part.byteCount, Self.shownBytes) }
    parts.removeFirst(count)
    droppedCount += count
  }
}
