/// The audits of the endpoint that ran, as they run.
package struct AuditProgress: Equatable, Sendable {
  let id: Int
  package private(set) var rows: [AuditRow] = []
  /// The number of audits of the run; nil until it is known.
  package private(set) var total: Int?
  package private(set) var isRunning = true
  /// The numbers of a run that ended, or the reason why it did not start.
  package private(set) var summary: String?

  /// The most requests of a run.
  package static let requestLimit = 500

  fileprivate mutating func receive(_ answer: AuditAnswer) {
    // A run that was canceled may still have sent something.
    guard isRunning else { return }
    switch answer {
    case .started(let count): total = count
    case .finished(let row):
      // The first of a rank stay first.
      let index = rows.firstIndex { $0.rank > row.rank } ?? rows.endIndex
      rows.insert(row, at: index)
    case .ended(let text):
      summary = text
      isRunning = false
    }
  }

  init(id: Int) { self.id = id }

  fileprivate mutating func cancel() { receive(.ended("canceled after \(Wording.plural(rows.count, "audit"))")) }

  package func count(_ rank: AuditRow.Rank) -> Int { rows.count { $0.rank == rank } }
}

/// The world's report of an audit of the endpoint.
package enum AuditAnswer: Equatable, Sendable {
  case started(count: Int)
  case finished(AuditRow)
  case ended(String)
}

extension ExplorerState {
  /// Shows the audits of the endpoint; before the first, the user is asked.
  mutating func showAudits() -> [Effect] {
    guard audit != nil else { return askForAudit() }
    return present(AuditsState())
  }

  /// Asks before anything is sent.
  mutating func askForAudit() -> [Effect] {
    present(
      Confirmation(
        question: "Audit \(connection.endpoint)?",
        detail: "Sends up to \(AuditProgress.requestLimit) requests to it, one at a time, with this endpoint's own "
          + "headers: queries, subscriptions and malformed requests, no mutation. It takes about a minute.",
        effect: .answer(.auditConfirmed)))
  }

  mutating func startAudit() -> [Effect] {
    let id = (audit?.id ?? 0) + 1
    audit = AuditProgress(id: id)
    return present(AuditsState()) + [.audit(id)]
  }

  mutating func cancelAudit() -> [Effect] {
    audit?.cancel()
    return [.cancelAudit]
  }

  mutating func receive(_ answer: AuditAnswer, of id: Int) {
    guard audit?.id == id else { return }
    audit?.receive(answer)
    if case .ended(let summary) = answer, !popups.all.contains(where: { $0.state is AuditsState }) {
      tell("The audit has ended: \(summary)")
    }
  }

  var reasonAgainstAudits: String? { connection.isOpen ? nil : "No endpoint is open" }
}
