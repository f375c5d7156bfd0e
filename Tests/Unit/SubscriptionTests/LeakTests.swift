import ApusTestSupport
import Testing

/// What is left of a client that 300 have used at once.
struct LeakTests {
  #if os(Linux)
    @Test func afterManyRequestsAndSubscriptionsAtOnceNothingIsLeft() async throws {
      let server = try await PythonServer.start(.strawberry)
      let load = try ChildProcess(Checkout.products + "/ApusClientLoad", [server.url])
      let words = try #require(await load.nextLine()).split(separator: " ")
      #expect(words.count == 3 && words[0] == "descriptors" && words[1] == words[2], "\(words)")
      #expect(await load.nextLine() == "network threads 0 0")
      #expect(await load.nextLine() == "requests 0 of 300")
      // 100 of the requests give two results (or one, where the server waits for nothing), 50 of the subscriptions three;
      // the others are left after one: 100, 150 and 150 at least.
      let line = try #require(await load.nextLine())
      let results = try #require(Int(line.split(separator: " ").last ?? ""))
      #expect(results >= 400)
    }
  #endif
}
