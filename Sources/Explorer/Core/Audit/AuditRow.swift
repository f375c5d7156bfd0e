/// One audit of an endpoint, as the page of audits lists it.
package struct AuditRow: Equatable, Sendable {
  package enum Outcome: Equatable, Sendable {
    case passed
    case failed(String)
    /// It failed once, and passed when it was tried again.
    case unsteady(String)
    case notApplicable(String)
    case reported(String)
  }

  package let id: String
  /// MUST, SHOULD or MAY.
  package let level: String
  package let expectation: String
  /// The document and section that state the rule.
  package let source: String
  /// The programs that break, or were seen to do otherwise.
  package let reason: String
  package let outcome: Outcome
  /// The requests and responses that prove a finding.
  package let exchanges: [AuditedExchange]

  package init(
    id: String, level: String, expectation: String, source: String, reason: String, outcome: Outcome,
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

  /// The order of the page: failures of MUST, of SHOULD, unsteady ones, reports, the rest.
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
  package var found: String {
    switch outcome {
    case .passed: ""
    case .failed(let text), .unsteady(let text), .notApplicable(let text), .reported(let text): text
    }
  }
}

/// A request of an audit and its response, with the bytes that decide the finding.
package struct AuditedExchange: Equatable, Sendable {
  package struct Read: Equatable, Sendable {
    /// The time since the request was sent.
    package let elapsed: Duration
    package let text: String
    /// Whether bytes of it decide the finding.
    package let isProof: Bool

    package init(elapsed: Duration, text: String, isProof: Bool) {
      self.elapsed = elapsed
      self.text = text
      self.isProof = isProof
    }
  }

  /// Method, fields and body.
  package let request: [String]
  /// Status and content type, or the failure.
  package let response: String
  /// The place of the bytes that decide the finding.
  package let proof: String
  package let reads: [Read]

  package init(request: [String], response: String, proof: String, reads: [Read]) {
    self.request = request
    self.response = response
    self.proof = proof
    self.reads = reads
  }
}
