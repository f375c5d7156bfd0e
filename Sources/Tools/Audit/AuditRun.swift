import ApusClientNetwork

package enum AuditOutcome: Sendable {
  case passed
  /// The rule does not hold; `exchanges` prove it.
  case failed(found: String, exchanges: [Exchange])
  /// The audit failed at first, and passed when it was repeated.
  case unsteady(found: String, exchanges: [Exchange])
  case notApplicable(String)
  case reported(String)

  package var isFailure: Bool { if case .failed = self { true } else { false } }
}

package struct AuditResult: Sendable {
  package let audit: Audit
  package let outcome: AuditOutcome

  /// Returns the result with its text changed, for example to hide secrets.
  package func mapText(_ change: (String) -> String) -> AuditResult {
    let changed: AuditOutcome =
      switch outcome {
      case .passed: .passed
      case .failed(let found, let exchanges): .failed(found: change(found), exchanges: exchanges)
      case .unsteady(let found, let exchanges): .unsteady(found: change(found), exchanges: exchanges)
      case .notApplicable(let reason): .notApplicable(change(reason))
      case .reported(let text): .reported(change(text))
      }
    return AuditResult(audit: audit, outcome: changed)
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
      var outcome = try await outcome(of: audit)
      if audit.level == .must, case .failed(let found, let exchanges) = outcome {
        context.forgetAnswers(of: exchanges)
        if try await !self.outcome(of: audit).isFailure { outcome = .unsteady(found: found, exchanges: exchanges) }
      }
      let result = AuditResult(audit: audit, outcome: outcome)
      results.append(result)
      receive(result)
    }
    return results
  }

  private func outcome(of audit: Audit) async throws -> AuditOutcome {
    do {
      try await audit.check(context)
      return .passed
    } catch let stop as AuditStop {
      return switch stop {
      case .failed(let found, let exchanges): .failed(found: found, exchanges: exchanges)
      case .notApplicable(let reason): .notApplicable(reason)
      case .reported(let text): .reported(text)
      }
    }
  }
}
