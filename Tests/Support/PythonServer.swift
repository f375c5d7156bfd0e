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

    fileprivate var environment: String { self == .graphQLCoreFormatA ? "format-a" : "current" }
    fileprivate var script: String { self == .strawberry ? "strawberry_server.py" : "graphql_core_server.py" }
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
    let process = try ChildProcess(python, ["-u", "\(Checkout.root)/Tests/Servers/\(kind.script)"])
    guard let url = await process.nextLine() else {
      throw Missing(description: "\(kind) did not start: \(await process.outcome().errors)")
    }
    return PythonServer(url: url, process: process)
  }
}
