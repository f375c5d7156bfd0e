import ApusTestSupport
import Testing

/// Descriptors and threads of a client after 300 concurrent uses.
@Suite(.timeLimit(.minutes(3))) struct LeakTests {
  #if os(Linux)
    @Test func `many concurrent requests and subscriptions leave nothing behind`() async throws {
      let server = try await PythonServer.start(.strawberry)
      let load = try ChildProcess(Checkout.products + "/ApusClientLoad", [server.url])
      let words = try #require(await load.nextLine()).split(separator: " ")
      #expect(words.count == 3 && words[0] == "descriptors" && words[1] == words[2], "\(words)")
      #expect(await load.nextLine() == "network threads 0 0")
      #expect(await load.nextLine() == "requests 0 of 300")
      // 100 of the requests give two results (or one, if the server does not wait), 50 of the subscriptions three. The
      // others are left after one: at least 100, 150 and 150.
      let line = try #require(await load.nextLine())
      let results = try #require(Int(line.split(separator: " ").last ?? ""))
      #expect(results >= 400)
    }
  #endif
}
