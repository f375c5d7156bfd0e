import ApusClientAPI

/// A row of the audits popup.
package struct AuditRow: Equatable, Sendable {
  package let id: String
  /// The requirement level: MUST, SHOULD or MAY.
  package let level: String
  package let expectation: String
  /// The document and section that state the rule.
  package let source: String
  /// Programs that break, or that have been observed to behave differently.
  package let reason: String
  package let outcome: AuditOutcome
  /// Requests and responses that prove a finding.
  package let exchanges: [AuditedExchange]

  package init(
    id: String, level: String, expectation: String, source: String, reason: String, outcome: AuditOutcome,
    exchanges: [AuditedExchange]
  ) {
    self.id = id
    self.level = level
    self.expectation = expectation
    self.source = source
    self.reason = reason
    self.outcome = outcome
    self.exchanges = exchanges
  }

  /// The order of the rows: failed MUST, failed SHOULD, unsteady, reported, passed, not applicable.
  package enum Rank: Int, Comparable, Sendable {
    case must, should, unsteady, reported, passed, notApplicable

    package static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
  }

  package var rank: Rank {
    switch outcome {
    case .failed: level == "MUST" ? .must : .should
    case .unsteady: .unsteady
    case .reported: .reported
    case .passed: .passed
    case .notApplicable: .notApplicable
    }
  }

  /// The finding, or the reason why the audit does not apply.
  package var found: String { outcome.found ?? "" }
}

/// A request of an audit and its response, with the bytes that decide the finding.
package struct AuditedExchange: Equatable, Sendable {
  package struct Read: Equatable, Sendable {
    /// The time since the request was sent.
    package let elapsed: Duration
    package let text: String
    /// Whether its bytes decide the finding.
    package let isProof: Bool

    package init(elapsed: Duration, text: String, isProof: Bool) {
      self.elapsed = elapsed
      self.text = text
      self.isProof = isProof
    }
  }

  /// The method, header fields and body.
  package let request: [String]
  /// The status and content type, or the failure.
  package let response: String
  /// The location of the bytes that decide the finding.
  package let proof: String
  package let reads: [Read]

  package init(request: [String], response: String, proof: String, reads: [Read]) {
    self.request = request
    self.response = response
    self.proof = proof
    self.reads = reads
  }
}
