import Foundation

/// A GraphQL server in JavaScript, Ruby or Go, with a library from Debian, as a process on a loopback port. All of them
/// serve `Tests/Support/Servers/birds.graphql`.
///
/// `./install.sh test` installs the required packages if the package manager has them.
package struct DistributionServer: Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    /// graphql-js with node's http module. Invalid requests get status 400.
    case graphQLJS
    /// graphql-ruby with WEBrick. All requests get status 200.
    case graphQLRuby
    /// graph-gophers with Go's net/http. All requests get status 200.
    case graphGophers

    /// The required files, and the package that contains them.
    private var needs: (files: [String], package: String) {
      switch self {
      case .graphQLJS: (["/usr/bin/node", "/usr/share/nodejs/graphql/package.json"], "node-graphql")
      case .graphQLRuby: (["/usr/bin/ruby", "/usr/share/doc/ruby-graphql"], "ruby-graphql")
      case .graphGophers: ([Self.builtServer], "golang-github-graph-gophers-graphql-go-dev")
      }
    }

    fileprivate static let builtServer = "\(Checkout.root)/.test-servers/graph-gophers/server"

    package var isHere: Bool { needs.files.allSatisfy { FileManager.default.fileExists(atPath: $0) } }
    package var absence: String {
      "needs Debian's \(needs.package), which './install.sh test' installs where apt has it"
    }

    fileprivate var command: [String] {
      let folder = Checkout.servers
      return switch self {
      case .graphQLJS: ["/usr/bin/node", "\(folder)/graphql_js_server.js"]
      case .graphQLRuby: ["/usr/bin/ruby", "\(folder)/graphql_ruby_server.rb"]
      case .graphGophers: [Self.builtServer, "\(folder)/birds.graphql"]
      }
    }
  }

  package struct LaunchError: Error, CustomStringConvertible {
    package let description: String
  }

  package static let schema = "\(Checkout.servers)/birds.graphql"

  package let url: String
  private let process: ChildProcess

  package static func start(_ kind: Kind) async throws -> DistributionServer {
    let process = try ChildProcess(
      kind.command[0], Array(kind.command.dropFirst()), environment: ["NODE_PATH": "/usr/share/nodejs"])
    guard let url = await process.nextLine() else {
      throw LaunchError(description: "\(kind) did not start: \(await process.outcome().errors)")
    }
    return DistributionServer(url: url, process: process)
  }
}
