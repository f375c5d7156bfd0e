import Foundation

/// A GraphQL server that this project did not write, from PyPI, as a real process on a loopback port.
///
/// `./install.sh test` puts the servers into `.test-servers/`.
package struct PythonServer: Sendable {
  /// Which server, and which payload shape it speaks.
  package enum Kind: String, Sendable, CaseIterable {
    /// graphql-core 3.3.0a6: `deferSpec=20220824`.
    case graphQLCoreFormatA
    /// graphql-core 3.3.2: pending, incremental, completed.
    case graphQLCoreFormatB
    /// strawberry-graphql: a hybrid of both.
    case strawberry
    /// ariadne: no incremental delivery; subscriptions over graphql-transport-ws, uploads.
    case ariadne
    /// ariadne with the subprotocol of subscriptions-transport-ws.
    case ariadneLegacy
    /// The websockets package, well-behaved or not.
    case websockets

    /// Those that deliver incrementally.
    package static let incremental: [Kind] = [.graphQLCoreFormatA, .graphQLCoreFormatB, .strawberry]

    fileprivate var environment: String { self == .graphQLCoreFormatA ? "format-a" : "current" }
    fileprivate var words: [String] {
      switch self {
      case .graphQLCoreFormatA, .graphQLCoreFormatB: ["graphql_core_server.py"]
      case .strawberry: ["strawberry_server.py"]
      case .ariadne: ["ariadne_server.py"]
      case .ariadneLegacy: ["ariadne_server.py", "--legacy"]
      case .websockets: ["websocket_server.py"]
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

  /// The next line that the server prints about what a client does.
  package func nextLine() async -> String? { await process.nextLine() }

  /// Waits until the server has printed this line.
  package func says(_ line: String) async -> Bool {
    while let next = await nextLine() {
      if next == line { return true }
    }
    return false
  }
}
