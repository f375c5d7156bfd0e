import ApusClientAPI
import ApusExplorerCore
import ApusExplorerTestSupport
import Testing

/// The audit page: it asks before it sends requests, lists results as they arrive, and opens a finding
/// with its exchange.
@Suite(.timeLimit(.minutes(1)))
struct AuditScenarioTests {
  private static func row(_ id: String, _ level: String, _ outcome: AuditOutcome) -> AuditRow {
    let exchange = AuditedExchange(
      request: ["POST http://birds.example/graphql", "Accept: application/json", "", #"{"query":"{ a }"}"#],
      response: "status 200, application/json", proof: "12 to 20 of the body",
      reads: [
        .init(elapsed: .milliseconds(7), text: #"{"data":"#, isProof: false),
        .init(elapsed: .milliseconds(7), text: #"decisive"#, isProof: true),
      ])
    return AuditRow(
      id: id, level: level, expectation: "expectation of \(id)", source: "GraphQL, 7.1", reason: "clients stop",
      outcome: outcome, exchanges: [exchange])
  }

  private func driver(
    _ audit: @escaping @Sendable (@escaping @Sendable (AuditAction) -> Void) async -> Void
  ) async -> ExplorerDriver {
    var environment = ExplorerEnvironment()
    environment.endpoint.audit = audit
    let driver = await ExplorerDriver(
      state: ExplorerState(endpoint: "http://birds.example/graphql"), environment: environment, width: 120, height: 30)
    await driver.waitForIdle()
    return driver
  }

  @Test func `the palette finds the audits, and they ask before sending requests`() async throws {
    let driver = await driver { send in
      send(.started(count: 2))
      send(.finished(Self.row("http-get", "MAY", .passed)))
      send(.ended("0 MUST failed"))
    }
    await driver.press("Ctrl-P")
    await driver.type("audit")
    #expect(await driver.screen.contains("Audit the server"))
    await driver.press("Enter")
    #expect(await driver.screen.contains("Audit http://birds.example/graphql?"))
    #expect(await driver.screen.contains("up to 500 requests"))
    #expect(await driver.state.audit == nil)
    await driver.press("n")
    #expect(await driver.state.audit == nil)
    await driver.press("Alt-A")
    await driver.press("y")
    await driver.waitForIdle()
    #expect(await driver.screen.contains("http-get"))
    #expect(await driver.screen.contains("0 MUST failed"))
    await driver.quit()
  }

  @Test func `findings are listed first and open with the request and the response bytes`() async throws {
    let driver = await driver { send in
      send(.started(count: 4))
      send(.finished(Self.row("http-get", "MAY", .reported("supported"))))
      send(.finished(Self.row("http-method", "SHOULD", .failed("status 400"))))
      send(.finished(Self.row("http-head", "MUST", .passed)))
      send(.finished(Self.row("errors-map", "MUST", .failed("the members more"))))
      send(.ended("1 MUST and 1 SHOULD failed"))
    }
    await driver.press("Alt-A")
    await driver.press("y")
    await driver.waitForIdle()
    #expect(await driver.state.audit?.rows.map(\.id) == ["errors-map", "http-method", "http-get", "http-head"])
    await driver.press("Enter")
    for text in [
      "MUST errors-map", "expectation of errors-map", "the members more", "GraphQL, 7.1", "clients stop",
      #"{"query":"{ a }"}"#, "status 200, application/json", "12 to 20 of the body", "decisive",
    ] { #expect(await driver.screen.contains(text), "\(text)") }
    await driver.press("Esc")
    await driver.press("Esc")
    // The page opens again without new requests.
    await driver.press("Alt-A")
    #expect(await driver.screen.contains("errors-map"))
    await driver.quit()
  }

  /// The server may be another one, or have changed, so its earlier results say nothing.
  @Test func `after an endpoint was opened again the audits ask again`() {
    let url = "http://birds.example/graphql"
    var state = ExplorerState(endpoint: url)
    func isAsked() -> Bool { state.popups.last?.state is ApusExplorerCore.ConfirmationPopup }
    _ = update(&state, .commandInvoked(.showAudits))
    #expect(isAsked())
    _ = update(&state, .auditConfirmed)
    _ = update(&state, .audit(1, .ended("0 MUST failed")))
    _ = update(&state, .commandInvoked(.popupClose))
    _ = update(&state, .commandInvoked(.showAudits))
    #expect(state.audit != nil && !isAsked(), "the results are shown")
    _ = update(&state, .connected(EndpointChoice(name: url, url: url)))
    #expect(state.audit == nil)
    _ = update(&state, .commandInvoked(.showAudits))
    #expect(isAsked())
  }

  @Test func `the rows are filtered, copied and saved, and the running audit is named`() async throws {
    let driver = await driver { send in
      send(.started(count: 4))
      send(.running("http-get"))
      send(.finished(Self.row("http-get", "MAY", .reported("supported"))))
      send(.running("http-method"))
      send(.finished(Self.row("http-method", "SHOULD", .failed("status 400"))))
      send(.running("errors-map"))
    }
    await driver.press("Alt-A")
    await driver.press("y")
    await driver.waitForIdle()
    #expect(await driver.screen.contains("2 of 4 audits done; now: errors-map"))
    await driver.press("/")
    await driver.type("method 400")
    #expect(await driver.screen.contains("1 of 2"))
    #expect(await !driver.screen.contains("http-get"))
    // Letters are text while the filter is typed.
    await driver.press("Enter y")
    #expect(await driver.terminal.clipboard == "SHOULD http-method failed: status 400\n")
    await driver.press("s")
    #expect(await driver.screen.contains("Save the audits as"))
    #expect(await driver.screen.contains("audits.txt"))
    // Esc clears the filter before it closes the list.
    await driver.press("Esc Esc")
    #expect(await driver.screen.contains("http-get"))
    await driver.press("Esc")
    #expect(await driver.state.popups.isEmpty)
    await driver.quit()
  }

  @Test func `canceling ends the audit and drops later results`() async throws {
    let driver = await driver { send in
      send(.started(count: 170))
      send(.finished(Self.row("http-get", "MAY", .passed)))
      await ExplorerEnvironment().wait(.seconds(1))
      send(.finished(Self.row("http-head", "MUST", .passed)))
    }
    await driver.press("Alt-A")
    await driver.pressWithoutWaiting("y")
    await driver.waitForScreen("1 of 170 audits done")
    await driver.press("Ctrl-C")
    await driver.waitForIdle()
    #expect(await driver.screen.contains("canceled after 1 audit"))
    #expect(await driver.state.audit?.rows.map(\.id) == ["http-get"])
    await driver.quit()
  }
}
