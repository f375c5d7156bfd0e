/// The requirement level of an audit, as in RFC 2119.
package enum AuditLevel: String, CaseIterable, Sendable {
  /// The source requires it, or describes a format without alternatives.
  case must = "MUST"
  /// The source recommends it, or two editions of the source differ.
  case should = "SHOULD"
  /// Reported only; never a failure.
  case may = "MAY"
}

/// A group of audits that can be run alone.
package enum AuditGroup: String, CaseIterable, Sendable {
  case http, errors, incremental, subscriptions, uploads, persisted, paging
}

/// One check of a server: a rule, its source, and the requests that test it.
package struct Audit: Sendable {
  /// The group, a hyphen and the rule: `http-accept-json`.
  package let id: String
  package let group: AuditGroup
  package let level: AuditLevel
  /// The expected behavior, in one line.
  package let expectation: String
  package let source: AuditSource
  /// The reason why it matters: clients that break, or servers that are known to behave differently.
  package let reason: String
  /// Returns if the rule holds, and throws an `AuditStop` otherwise.
  let check: @Sendable (AuditContext) async throws -> Void

  init(
    _ group: AuditGroup, _ rule: String, _ level: AuditLevel, _ expectation: String, _ source: AuditSource,
    reason: String, check: @escaping @Sendable (AuditContext) async throws -> Void
  ) {
    id = "\(group.rawValue)-\(rule)"
    self.group = group
    self.level = level
    self.expectation = expectation
    self.source = source
    self.reason = reason
    self.check = check
  }

  /// All audits in the order in which they run. Those that examine every response of the run are last.
  package static let all: [Audit] =
    HTTPMediaTypeAudits.all + HTTPRequestAudits.all + HTTPMethodAudits.all + HTTPStatusAudits.all + ErrorAudits.all
    + NegotiationAudits.all + ShapeAudits.all + FailureAudits.all + PayloadAudits.all + PendingAudits.all
    + FramingAudits.all + TransportSocketAudits.all + LegacySocketAudits.all + EventStreamAudits.all
    + SingleConnectionAudits.all + MultipartSubscriptionAudits.all + UploadAudits.all + PersistedQueryAudits.all
    + PagingAudits.all + WaitingAudits.all + EveryResponseAudits.all
}

/// The reason why an audit ended without passing.
enum AuditStop: Error {
  /// The rule does not hold. `exchanges` prove it.
  case failed(found: String, [Exchange])
  /// The server lacks something that the audit needs.
  case notApplicable(String)
  /// Information for the report, which is not a failure.
  case reported(String)
}

/// The document that states a rule, with its section: "GraphQL over HTTP", "Accept".
package struct AuditSource: Sendable, Equatable, CustomStringConvertible {
  package let document: String
  package let section: String

  package var description: String { section.isEmpty ? document : "\(document), \(section)" }

  /// Returns a section of GraphQL over HTTP, draft of August 2026.
  static func overHTTP(_ section: String) -> Self {
    Self(document: "GraphQL over HTTP (draft, August 2026)", section: section)
  }
  /// Returns a section of the GraphQL specification of September 2025.
  static func graphQL(_ section: String) -> Self { Self(document: "GraphQL (September 2025)", section: section) }
  /// Returns a section of the edits for incremental delivery of April 2026 (the v0.2 format).
  static func incremental(_ section: String) -> Self {
    Self(document: "GraphQL incremental delivery (draft, April 2026)", section: section)
  }
  /// Returns a section of pull request 742 as of 2022-08-24 (the 2022 format).
  static func delivery2022(_ section: String) -> Self {
    Self(document: "GraphQL defer and stream (draft, 2022-08-24)", section: section)
  }
  /// Returns a section of Incremental Delivery over HTTP, an RFC of the GraphQL over HTTP working group.
  static func incrementalOverHTTP(_ section: String = "") -> Self {
    Self(document: "Incremental Delivery over HTTP (RFC)", section: section)
  }
  static func rfc(_ number: Int, _ section: String) -> Self { Self(document: "RFC \(number)", section: section) }
  static func other(_ document: String, _ section: String = "") -> Self { Self(document: document, section: section) }
}
