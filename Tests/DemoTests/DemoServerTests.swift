import Demo
import GraphQLExecution
import JSON
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DemoServerTests {
  @Test func `A query is answered with one JSON object`() async throws {
    let server = try await DemoServer(delayScale: 0)
    defer { server.stop() }
    let client = try WireClient(port: server.port)
    client.post(#"{"query":"{ bird(id: \"b1\") { id name } }"}"#)
    let (head, body) = try await client.response()
    #expect(head.hasPrefix("HTTP/1.1 200 OK"))
    #expect(head.contains("Content-Type: application/json; charset=utf-8\r\n"))
    #expect(body == #"{"data":{"bird":{"id":"b1","name":"Ýmir Señor Viento"}}}"#)
  }
}
