import ApusFormatting

/// The progress and results of auditing the endpoint.
package struct AuditProgress: Equatable, Sendable {
  let id: Int
  package private(set) var rows: [AuditRow] = []
  /// The number of audits in the run; nil until it is known.
  package private(set) var total: Int?
  package private(set) var isRunning = true
  /// The audit whose requests are being sent.
  package private(set) var current: String?
  /// Totals of a completed run, or the reason why it did not start.
  package private(set) var summary: String?

  /// The maximum number of requests in a run.
  package static let requestLimit = 500

  fileprivate mutating func receive(_ answer: AuditAction) {
    // A canceled run may still send results.
    guard isRunning else { return }
    switch answer {
    case .started(let count): total = count
    case .running(let audit): current = audit
    case .finished(let row):
      // Rows of equal rank keep their order.
      let index = rows.firstIndex { $0.rank > row.rank } ?? rows.endIndex
      rows.insert(row, at: index)
    case .ended(let text):
      summary = text
      current = nil
      isRunning = false
    }
  }

  init(id: Int) { self.id = id }

  fileprivate mutating func cancel() { receive(.ended("canceled after \(DisplayFormat.plural(rows.count, "audit"))")) }

  package func count(_ rank: AuditRow.Rank) -> Int { rows.count { $0.rank == rank } }
}

/// An event from the environment about an audit.
package enum AuditAction: Equatable, Sendable {
  case started(count: Int)
  /// The requests of an audit are being sent.
  case running(String)
  case finished(AuditRow)
  case ended(String)
}

extension ExplorerState {
  /// Shows the audits of the endpoint. Before the first audit, the user is asked.
  mutating func showAudits() -> [Effect] {
    guard audit != nil else { return askForAudit() }
    return present(AuditsPopup())
  }

  /// Asks before anything is sent.
  mutating func askForAudit() -> [Effect] {
    present(
      ConfirmationPopup(
        question: "Audit \(connection.endpoint)?",
        detail: "Apus sends up to \(AuditProgress.requestLimit) requests, one at a time, with this endpoint's own "
          + "headers: queries, subscriptions and malformed requests, but no mutations. It takes about a minute.",
        confirmation: .send(.auditConfirmed)))
  }

  mutating func startAudit() -> [Effect] {
    let id = (audit?.id ?? 0) + 1
    audit = AuditProgress(id: id)
    return present(AuditsPopup()) + [.endpoint(.audit(id))]
  }

  mutating func cancelAudit() -> [Effect] {
    audit?.cancel()
    return [.endpoint(.cancelAudit)]
  }

  mutating func receive(_ answer: AuditAction, of id: Int, at endpoint: EndpointID) {
    guard endpoints[endpoint].audit?.id == id else { return }
    endpoints[endpoint].audit?.receive(answer)
    if endpoint == tabs.shown.endpoint, case .ended(let summary) = answer,
      !popups.all.contains(where: { $0.state is AuditsPopup })
    {
      showNotice("Audit finished: \(summary)")
    }
  }

  var reasonAgainstAudits: String? { connection.isOpen ? nil : "No endpoint is open" }
}
