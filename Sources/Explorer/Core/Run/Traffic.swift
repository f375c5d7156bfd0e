import ApusClientAPI

/// What went over the wire for a run, as a person looks at it.
package struct Traffic: Equatable, Sendable {
  /// One part of the response as it came, or one message of a WebSocket.
  package struct Part: Equatable, Sendable {
    package var headers: [String]
    /// As it came; JSON is laid out.
    package var text: String
    /// Whether there is more of it than the text has.
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

  /// A request as it was sent, without the values that are secret.
  package struct Request: Equatable, Sendable {
    package var method: String
    package var url: String
    package var headers: [String]
    /// The members of the body as they are read: the document, the variables, and what else there is.
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

  /// How much of what is uploaded is on its way.
  package struct Upload: Equatable, Sendable {
    package var sentByteCount: Int
    package var totalByteCount: Int

    package init(sentByteCount: Int, totalByteCount: Int) {
      self.sentByteCount = sentByteCount
      self.totalByteCount = totalByteCount
    }
  }

  /// A time in which a subscription had no connection: what happened meanwhile may not have been told.
  package struct Outage: Equatable, Sendable {
    package var start: Duration
    /// When the server listened again; nil while it does not.
    package var end: Duration?
    /// Why the connection was lost.
    package var reason: String
    package var attempts: Int

    package init(start: Duration, end: Duration? = nil, reason: String, attempts: Int) {
      self.start = start
      self.end = end
      self.reason = reason
      self.attempts = attempts
    }
  }

  /// The instant at which a phase of the request was over.
  package struct Phase: Equatable, Sendable {
    package var name: String
    package var end: Duration

    package init(name: String, end: Duration) {
      self.name = name
      self.end = end
    }
  }

  /// Something that is known of the connection, or of the certificate that the server showed on it.
  package struct Fact: Equatable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Of a very long part only the beginning is kept to be looked at.
  package static let shownBytes = 16 << 10
  /// Of very many parts the newest, and no more bytes of their texts than this.
  static let partLimit = 1000
  static let byteLimit = 4 << 20
  static let outageLimit = 1000

  /// The newest, oldest first: more than one where the request was repeated.
  package private(set) var requests: [Request] = []
  static let requestLimit = 20
  package var status: String?
  /// The code of a status that says that the request failed.
  package var failedStatus: Int?
  /// Why the cache answered in the network's place, where it did.
  package var failure: String?
  package var format: String?
  package var headers: [String] = []
  package var phases: [Phase] = []
  package var connection: [Fact] = []
  package var certificate: [Fact] = []
  package var upload: Upload?
  package private(set) var subscription: SubscriptionState?
  /// The newest, oldest first.
  package private(set) var outages: [Outage] = []
  package var parts: [Part] = []
  /// Parts that were there before the first that is kept.
  package var droppedCount = 0
  private var keptBytes = 0

  package init() {}

  /// Whether there is something to show.
  package var wasUsed: Bool { status != nil || subscription != nil || upload != nil || !requests.isEmpty }

  /// Whether the server agreed to a WebSocket.
  package var isWebSocket: Bool { status?.hasSuffix(" 101") == true }

  package mutating func add(_ request: Request) { requests = requests.suffix(Self.requestLimit - 1) + [request] }

  /// The subscription entered a state, so long after the run began.
  package mutating func enter(_ state: SubscriptionState, at elapsed: Duration) {
    subscription = state
    let last = outages.indices.last.flatMap { outages[$0].end == nil ? $0 : nil }
    switch state {
    case .reconnecting(let attempt, let reason):
      guard let last else {
        if outages.count == Self.outageLimit { outages.removeFirst() }
        return outages.append(Outage(start: elapsed, reason: reason, attempts: attempt))
      }
      outages[last].attempts = attempt
    case .live: if let last { outages[last].end = elapsed }
    case .connecting, .finished: break
    }
  }

  /// Whether the connection was lost and made anew between two parts, by when they came.
  package func wasLost(from start: Duration, to end: Duration) -> Bool {
    outages.contains { start <= $0.start && $0.start < end }
  }

  /// Takes one part more; of very long and very many ones some is forgotten.
  package mutating func add(_ part: Part) {
    parts.append(part)
    keptBytes += min(part.byteCount, Self.shownBytes)
    if parts.count > Self.partLimit || keptBytes > Self.byteLimit { forgetOldest() }
  }

  /// A tenth at once, so that it is seldom done.
  private mutating func forgetOldest() {
    let count = max(1, parts.count / 10)
    for part in parts.prefix(count) { keptBytes -= min(part.byteCount, Self.shownBytes) }
    parts.removeFirst(count)
    droppedCount += count
  }
}
