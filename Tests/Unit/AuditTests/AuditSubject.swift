import ApusClientAPI
import ApusClientNetwork
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusTestSupport

@testable import ApusAudit

/// Runs audits against a server whose schema is known.
enum AuditSubject {
  static func results(
    of url: String, schema: Schema?, _ audits: [Audit] = Audit.all, settings: AuditContext.Settings = .init()
  ) async throws -> [AuditResult] {
    let context = AuditContext(
      endpoint: HTTPRequest(method: "POST", url: url), schema: schema, settings: settings, transport: HTTPTransport())
    return try await AuditRun(audits, in: context).results { _ in }
  }

  static func schema(_ sdl: String) -> Schema { Schema.load(sdl: [Document(parsing: sdl, name: "schema")]) }

  /// A schema whose only field can be deferred.
  static let birds = schema(
    """
    directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
    directive @stream(if: Boolean! = true, label: String, initialCount: Int! = 0) on FIELD
    type Query { bird: Bird }
    type Bird { id: ID! name: String }
    """)

  /// Returns the outcome of an audit against a scripted server.
  static func outcome(of id: String, _ answer: @escaping @Sendable (ScriptedServer.Request) -> ScriptedAnswer)
    async throws -> AuditOutcome?
  {
    let server = try ScriptedServer { request, _ in answer(request) }
    let audits = Audit.all.filter { $0.id == id }
    var settings = AuditContext.Settings()
    settings.timeout = .seconds(5)
    return try await results(of: server.url, schema: birds, audits, settings: settings).first?.outcome
  }
}
