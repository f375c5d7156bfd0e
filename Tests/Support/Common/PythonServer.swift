import Foundation

/// A third-party GraphQL server from PyPI, as a process on a loopback port.
///
/// `./install.sh test` installs the servers in `.test-servers/`.
package struct PythonServer: Sendable {
  /// The server and its incremental format.
  package enum Kind: String, Sendable, CaseIterable {
    /// graphql-core 3.3.0a6: `deferSpec=20220824`.
    case graphQLCore2022
    /// graphql-core 3.3.2: pending, incremental, completed.
    case graphQLCoreV02
    /// strawberry-graphql: a mixture of both formats.
    case strawberry
    /// ariadne: no incremental delivery; subscriptions over graphql-transport-ws, uploads.
    case ariadne
    /// ariadne with the subprotocol of subscriptions-transport-ws.
    case ariadneLegacy
    /// The websockets package, well-behaved or not.
    case websockets
    /// Authlib: an OAuth 2 provider with a protected API. Its second line is the URL of subscriptions over a WebSocket.
    case authorization

    /// The servers with incremental delivery.
    package static let incremental: [Kind] = [.graphQLCore2022, .graphQLCoreV02, .strawberry]

    fileprivate var environment: String { self == .graphQLCore2022 ? "format-a" : "current" }
    fileprivate var words: [String] {
      switch self {
      case .graphQLCore2022, .graphQLCoreV02: ["graphql_core_server.py"]
      case .strawberry: ["strawberry_server.py"]
      case .ariadne: ["ariadne_server.py"]
      case .ariadneLegacy: ["ariadne_server.py", "--legacy"]
      case .websockets: ["websocket_server.py"]
      case .authorization: ["authorization_server.py"]
      }
    }
  }

  package struct Missing: Error, CustomStringConvertible {
    package let description: String
  }

  package let url: String
  private let process: ChildProcess

  package static func start(_ kind: Kind) async throws -> PythonServer {
    let python = "\(Checkout.root)/.test-servers/\(kind.environment)/bin/python"
    guard FileManager.default.isExecutableFile(atPath: python) else {
      throw Missing(description: "no \(python); run ./install.sh test, which puts it there")
    }
    let folder = Checkout.servers
    let process = try ChildProcess(python, ["-u", "\(folder)/\(kind.words[0])"] + kind.words.dropFirst())
    guard let url = await process.nextLine() else {
      throw Missing(description: "\(kind) did not start: \(await process.outcome().errors)")
    }
    return PythonServer(url: url, process: process)
  }

  /// Waits for the next line that the server prints about a client.
  package func nextLine() async -> String? { await process.nextLine() }

  /// Waits until the server has printed a line. Returns false at the end of its output.
  package func says(_ line: String) async -> Bool {
    while let next = await nextLine() {
      if next == line { return true }
    }
    return false
  }
}
