import Apus
import ApusGraphQLLanguage
import ApusPlatform
import ApusTestSupport
import Foundation

/// Requests of all kinds to one `apus serve`.
enum ServerSoak {
  static func run(_ count: Int) async throws -> Bool {
    let server = try ChildProcess(Checkout.apus, ["serve", "--delay-scale", "0"])
    guard let url = await server.nextLine() else {
      throw ChildProcess.LaunchError(description: await server.outcome().errors)
    }
    var growth = Growth("apus serve", count: count, bytesEach: 50)
    try await ask(url, count / 10, from: 0)
    growth.atTenth(server.processIdentifier)
    try await ask(url, count - count / 10, from: count / 10)
    let isBounded = growth.isBounded(server.processIdentifier)
    server.signal(SIGTERM)
    _ = await server.outcome()
    return isBounded
  }

  private static func ask(_ url: String, _ count: Int, from first: Int) async throws {
    let client = GraphQLClient(url: url)
    let kinds = try Kinds(url: url)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for lane in 0..<4 {
        group.addTask {
          for number in stride(from: first + lane, to: first + count, by: 4) {
            try await kinds.ask(number, client)
          }
        }
      }
      try await group.waitForAll()
    }
  }
}

/// The operations, in turn.
private struct Kinds: Sendable {
  let operations: [(text: String, operation: DynamicOperation)]
  let port: UInt16

  init(url: String) throws {
    port = UInt16(url.split(separator: ":").last?.prefix { $0.isNumber } ?? "") ?? 0
    let fragments = { (count: Int) in
      (1...count).map { "... @defer(label: \"f\($0)\") { f\($0): id }" }.joined(separator: " ")
    }
    operations = try [
      "{ bird(id: \"b7\") { id name species { commonName } } }", "{ bird(id: \"b7\") { id \(fragments(3)) } }",
      "{ bird(id: \"b8\") { id \(fragments(100)) } }", "{ birds(first: 20) { nodes { id name station { name } } } }",
      "{ bird(id: \"b9\") { migrationHistory { years @stream(initialCount: 1) { year } } } }",
      "mutation { renameBird(id: \"b900\", name: \"Zoë\") { bird { id name } } }", "{ fail }", "{ nothing }",
      "{ faults { required } }", "subscription { countdown(from: 3, milliseconds: 0) }",
      "{ search(text: \"a\", first: 20) { __typename } observations(limit: 5) { id } }",
    ].map { text in
      (text, DynamicOperation(compiled: try CompiledOperation.compile(Document(parsing: text))))
    }
  }

  func ask(_ number: Int, _ client: GraphQLClient) async throws {
    let kind = number % (operations.count + 2)
    guard kind < operations.count else { return sendBadRequest(isTruncated: kind > operations.count) }
    var options = RequestOptions(cachePolicy: .networkOnly)
    options.incremental = number % 2 == 0 ? .automatic : .incrementalV02
    options.maximumRetries = 0
    let operation = operations[kind].operation
    let results =
      operation.compiled.operationType == .subscription
      ? client.subscribe(subscription: operation, options: options) : client.fetch(query: operation, options: options)
    var count = 0
    do {
      for try await _ in results {
        count += 1
        // Every fifth reader stops before the end.
        if number % 5 == 0 { break }
      }
    } catch let error as GraphQLClientError {
      // An invalid operation results in an error of any kind.
      guard kind == 7 else { throw error }
    }
  }

  /// Sends a request that is not GraphQL, or an incomplete one.
  private func sendBadRequest(isTruncated: Bool) {
    let descriptor = makeClosingSocket()
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    address.sin_port = port.bigEndian
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else { return }
    let body = "{\"query\": nonsense"
    let head = "POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nConnection: close\r\n"
    let length = isTruncated ? body.utf8.count + 100 : body.utf8.count
    let bytes = Array("\(head)Content-Length: \(length)\r\n\r\n\(body)".utf8)
    _ = bytes.withUnsafeBytes { FileDescriptor.send($0, to: descriptor) }
    guard !isTruncated else { return }
    var buffer = [UInt8](repeating: 0, count: 4096)
    while recv(descriptor, &buffer, buffer.count, 0) > 0 {}
  }
}
