import ApusClientIncremental

extension AuditContext {
  private static let candidateLimit = 3

  /// The subscription that audits use: one of the user's, else the root field that needs no values and delivers the most:
  /// events and an end within five seconds, else events.
  func subscription() async throws -> String {
    if let chosenSubscription { return chosenSubscription }
    let chosen = try await chooseSubscription()
    chosenSubscription = chosen
    return chosen
  }

  private func chooseSubscription() async throws -> String {
    if let text = try? userOperation(.subscription) { return text }
    guard let schema, let root = schema.subscriptionType else {
      throw AuditStop.notApplicable("the schema has no subscription")
    }
    let deriver = FieldDeriver(schema: schema)
    let documents = root.fields.compactMap { deriver.derive($0, on: root, depth: 1) }
      .map { "subscription { \($0.text) }" }.prefix(Self.candidateLimit)
    guard var best = documents.first else {
      throw AuditStop.notApplicable("every subscription needs values: name one with --operation")
    }
    var bestRank = 0
    for document in documents where documents.count > 1 {
      let exchange = try await subscribe(document)
      let isStream = exchange.mediaType.isEventStream || exchange.mediaType.isMultipart
      guard isStream, exchange.reads.count > 1 else { continue }
      let rank = exchange.timings != nil ? 2 : 1
      if rank > bestRank { (best, bestRank) = (document, rank) }
      if rank == 2 { break }
    }
    return best
  }
}
