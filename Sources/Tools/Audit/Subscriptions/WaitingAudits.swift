import ApusGraphQLMediaTypes
import ApusClientNetwork
import ApusJSON

/// Audits of timeouts and heartbeats. Their connections are opened early and read at the end of the run.
enum WaitingAudits {
  static let silentSocketID = "subscriptions-ws-init-timeout"

  static let all: [Audit] = [
    Audit(
      .subscriptions, "ws-init-timeout", .should, "a connection without connection_init is closed with 4408",
      .other("graphql-ws PROTOCOL", "ConnectionInit"), reason: "connections stay open forever"
    ) { context in
      guard let socket = context.silentSocket, case .opened(let agreed) = await socket.next(within: .seconds(1)),
        agreed == TransportSocketAudits.name
      else { throw AuditStop.notApplicable("the server does not speak \(TransportSocketAudits.name)") }
      let event = await socket.nextMessage(within: max(.seconds(11) - socket.elapsed, .milliseconds(100)))
      if case .silence = event { throw AuditStop.notApplicable("no close within 11 s") }
      try context.expect(event.closeCode == 4408, socket, found: event.text)
    },
    Audit(
      .subscriptions, "mp-heartbeat", .should, "a subscription without events sends {} at least every 15 s",
      MultipartSubscriptionAudits.source("Heartbeats"), reason: "proxies cut a connection that is idle"
    ) { context in
      _ = try await context.multipartSubscription()
      guard let exchange = await context.idleStream?.value, exchange.mediaType.isMultipart else {
        throw AuditStop.notApplicable("no multipart subscription was open")
      }
      if exchange.hasHeartbeat { return }
      let last = exchange.reads.last?.elapsed ?? .zero
      guard exchange.duration - last >= heartbeatLimit else {
        throw AuditStop.notApplicable("no subscription was without events for 15 s")
      }
      try context.expect(false, exchange, found: "no bytes for \((exchange.duration - last).components.seconds) s")
    },
  ]

  fileprivate static let heartbeatLimit = Duration.seconds(15)
}

extension AuditContext {
  func openSilentSocket() async throws {
    do {
      silentSocket = try await open([TransportSocketAudits.name])
    } catch is AuditStop {
      // The request limit is reached, so the audit does not apply.
    }
  }

  /// Opens a multipart subscription that is read while other audits run.
  func openIdleStream(_ document: String) async throws {
    guard idleStream == nil else { return }
    try await reserveRequest()
    var request = subscriptionRequest(document, accept: MultipartSubscriptionAudits.accept)
    request.timeouts.idle = nil
    request.timeouts.total = WaitingAudits.heartbeatLimit + .seconds(1)
    let (opening, transport) = (try await authorized(request), transport)
    idleStream = Task { await AuditContext.readToHeartbeat(opening, transport) }
  }

  private static func readToHeartbeat(_ request: HTTPRequest, _ transport: HTTPTransport) async -> Exchange {
    await read(request, transport, until: \.hasHeartbeat)
  }

  func closeWaitingConnections() {
    silentSocket?.cut()
    idleStream?.cancel()
  }
}

extension Exchange {
  fileprivate var hasHeartbeat: Bool {
    mediaType.isMultipart
      && MultipartBody(body, boundary: mediaType.boundary).parts.contains {
        $0.json?.kind == .object && $0.json?.count == 0
      }
  }
}
