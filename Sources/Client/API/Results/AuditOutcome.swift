/// The outcome of checking a server against one rule of a specification.
package enum AuditOutcome: Equatable, Sendable {
  case passed
  /// The rule does not hold. The text is the finding.
  case failed(String)
  /// The audit failed at first, and passed when it was repeated.
  case unsteady(String)
  /// The reason why the audit does not apply to the server.
  case notApplicable(String)
  /// An observation that is neither right nor wrong.
  case reported(String)

  package var isFailure: Bool { if case .failed = self { true } else { false } }

  package var isUnsteady: Bool { if case .unsteady = self { true } else { false } }

  /// The outcome as one word.
  package var word: String {
    switch self {
    case .passed: "passed"
    case .failed: "failed"
    case .unsteady: "unsteady"
    case .notApplicable: "notApplicable"
    case .reported: "reported"
    }
  }

  /// The finding, or the reason why the audit does not apply; `nil` for a passed audit.
  package var found: String? {
    switch self {
    case .passed: nil
    case .failed(let text), .unsteady(let text), .notApplicable(let text), .reported(let text): text
    }
  }

  /// Returns the outcome with its text changed.
  package func mapText(_ change: (String) -> String) -> AuditOutcome {
    switch self {
    case .passed: .passed
    case .failed(let text): .failed(change(text))
    case .unsteady(let text): .unsteady(change(text))
    case .notApplicable(let text): .notApplicable(change(text))
    case .reported(let text): .reported(change(text))
    }
  }
}
