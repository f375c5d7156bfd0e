import ApusClientAPI
import ApusClientNetwork

/// An audit with its outcome.
package struct AuditResult: Sendable {
  package let audit: Audit
  package let outcome: AuditOutcome
  /// The requests and responses that prove a finding, the decisive one first.
  package let exchanges: [Exchange]

  init(audit: Audit, outcome: AuditOutcome, exchanges: [Exchange] = []) {
    self.audit = audit
    self.outcome = outcome
    self.exchanges = exchanges
  }

  /// Returns the result with its text changed, for example to hide secrets.
  package func mapText(_ change: (String) -> String) -> AuditResult {
    AuditResult(audit: audit, outcome: outcome.mapText(change), exchanges: exchanges)
  }
}

/// Runs audits in order, one at a time.
package struct AuditRun {
  let context: AuditContext
  let audits: [Audit]

  package init(_ audits: [Audit], in context: AuditContext) {
    self.audits = audits
    self.context = context
  }

  /// Runs all audits and passes each result to `receive` immediately.
  package func results(_ receive: (AuditResult) -> Void) async throws -> [AuditResult] {
    var results: [AuditResult] = []
    if audits.contains(where: { $0.id == WaitingAudits.silentSocketID }) { try await context.openSilentSocket() }
    defer { context.closeWaitingConnections() }
    for audit in audits {
      var result = try await result(of: audit)
      if audit.level == .must, case .failed(let found) = result.outcome {
        context.forgetAnswers(of: result.exchanges)
        if try await !self.result(of: audit).outcome.isFailure {
          result = AuditResult(audit: audit, outcome: .unsteady(found), exchanges: result.exchanges)
        }
      }
      result = AuditResult(audit: audit, outcome: result.outcome, exchanges: context.kept(result.exchanges))
      context.dropBodies()
      results.append(result)
      receive(result)
    }
    return results
  }

  private func result(of audit: Audit) async throws -> AuditResult {
    do {
      try await audit.check(context)
      return AuditResult(audit: audit, outcome: .passed)
    } catch let stop as AuditStop {
      return switch stop {
      case .failed(let found, let exchanges):
        AuditResult(audit: audit, outcome: .failed(found), exchanges: exchanges)
      case .notApplicable(let reason): AuditResult(audit: audit, outcome: .notApplicable(reason))
      case .reported(let text): AuditResult(audit: audit, outcome: .reported(text))
      }
    }
  }
}
