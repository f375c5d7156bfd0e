import ApusTesting
import PeopleAPI
import Synchronization

/// A responder that returns the method and the body of each request.
private struct Echo: HTTPResponder {
  func respond(to request: HTTPRequest, _ response: HTTPResponseWriter) async throws {
    response.writeHead(status: 201, headers: ["X-Method": request.method])
    try await response.write(request.body ?? [])
  }
}

/// Checks the tools for tests of an application.
func checkTesting(_ report: Report) async throws {
  let clock = TestClock()
  let server = MockServer(clock: clock)
  let gate = TestGate()
  let person = #"{"__typename":"User","id":"1","name":"Ada","likes":1}"#
  let first: MockResponse.Payload = .json(#"{"data":{"people":null},"hasNext":true}"#)
  server.respond(to: PeopleQuery.self, with: .parts(first, .hold(gate), #"{"hasNext":false}"#))
  var states: [String] = []
  for try await result in server.client().fetch(query: PeopleQuery(first: 2)) {
    states.append(result.completeness.rawValue)
    gate.open()
  }
  report.check("parts arrive one by one", states, is: ["partial", "complete"])

  server.respond(to: "Person", with: MockResponse.data(#"{"person":\#(person)}"#).delayed(by: .seconds(60)))
  let client = server.client()
  async let later = client.fetch(PersonQuery(id: "1", short: true))
  let asked: MockRequest = try await server.nextRequest()
  report.check("a request is seen", asked.operationName, is: "People")
  await clock.advance(by: .seconds(60))
  report.check("time advances as the test sets it", clock.now, is: TestClock.Instant(offset: .seconds(60)))
  let late = try? await later
  report.check("and a response arrives with it", late != nil)

  let steps: [MockResponse.Step] = [.fail(.dnsFailure(host: "people.example"))]
  server.respond(with: MockResponse(steps: steps))
  do {
    _ = try await client.fetch(PeopleQuery(first: 1))
    report.check("a failure is thrown", false)
  } catch {
    report.check("a failure is thrown", error is GraphQLClientError)
  }
  do throws(RecordingFormatError) {
    try server.replay("nothing".utf8)
    report.check("an invalid recording is refused", false)
  } catch {
    report.check("an invalid recording is refused", "\(error)".contains("line 1"))
  }

  let lines = Mutex<[String]>([])
  var request = HTTPRequest(method: "POST", url: "http://echo.invalid/", body: Array("hello".utf8))
  request.connection.trace = HTTPTrace { line in
    if case .sent(let text) = line { lines.withLock { $0.append(text) } }
  }
  var body: [UInt8] = []
  var head: HTTPHead?
  for try await event in HTTPTransport(responder: Echo()).send(request) {
    if case .head(let found) = event { head = found }
    if case .bytes(let chunk) = event { body += chunk.bytes }
  }
  report.check("a responder responds", String(decoding: body, as: UTF8.self), is: "hello")
  report.check("with its own head", head?.status, is: 201)
  report.check("and no connection is opened", lines.withLock { $0 }, is: [])
}
