import ApusGraphQLMediaTypes
import ApusClientNetwork

extension AuditContext {
  private static let candidateLimit = 4
  private static let triedLimit = 3

  /// Returns the subscription for audits: the user's, or else the root field without required values that delivers the
  /// most: events and an end within five seconds, or at least events.
  func subscription() async throws -> String {
    if let chosenSubscription { return chosenSubscription }
    let chosen = try await chooseSubscription()
    chosenSubscription = chosen
    return chosen
  }

  /// Returns the subscriptions that may be sent: the user's, or root fields without required values.
  func subscriptionCandidates() throws(AuditStop) -> [String] {
    if let text = try? userOperation(.subscription) { return [text] }
    guard let schema, let root = schema.subscriptionType else {
      throw AuditStop.notApplicable("the schema has no subscription")
    }
    let deriver = FieldDeriver(schema: schema)
    let documents = root.fields.compactMap { deriver.derive($0, on: root, depth: 1) }
      .map { "subscription { \($0.text) }" }.prefix(Self.candidateLimit)
    if documents.isEmpty {
      throw AuditStop.notApplicable("every subscription needs values: name one with --operation")
    }
    return Array(documents)
  }

  private func chooseSubscription() async throws -> String {
    let documents = try subscriptionCandidates()
    var (best, bestRank) = (documents[0], 0)
    var idle: String?
    for document in documents.prefix(Self.triedLimit) where documents.count > 1 {
      let exchange = try await subscribe(document)
      guard exchange.mediaType.isEventStream || exchange.mediaType.isMultipart else { continue }
      guard exchange.hasEvents else {
        idle = idle ?? document
        continue
      }
      let rank = exchange.timings != nil ? 2 : 1
      if rank > bestRank { (best, bestRank) = (document, rank) }
      if rank == 2 { break }
    }
    try await openIdleStream(idle ?? best)
    return best
  }
}

extension Exchange {
  /// Whether an event arrived, not only heartbeats.
  fileprivate var hasEvents: Bool {
    guard mediaType.isMultipart else { return !serverSentEvents.isEmpty }
    return MultipartBody(body, boundary: mediaType.boundary).parts.contains { $0.json?.count ?? 0 > 0 }
  }
}
