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

  /// How much of what is uploaded is on its way.
  package struct Upload: Equatable, Sendable {
    package var sentByteCount: Int
    package var totalByteCount: Int

    package init(sentByteCount: Int, totalByteCount: Int) {
      self.sentByteCount = sentByteCount
      self.totalByteCount = totalByteCount
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
  package var subscription: SubscriptionState?
  package var parts: [Part] = []
  /// Parts that were there before the first that is kept.
  package var droppedCount = 0
  private var keptBytes = 0

  package init() {}

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
