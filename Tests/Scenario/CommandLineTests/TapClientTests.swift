import ApusTestSupport
import Foundation
import Testing

/// Clients of other projects receive the same bytes through `apus tap` as directly.
@Suite(.timeLimit(.minutes(3)))
struct TapClientTests {
  private static let python = "\(Checkout.root)/.test-servers/clients/bin/python"

  private static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: python) }

  private func compare(
    _ url: String, _ query: String, _ deferred: String, _ subscription: String, strictly words: [String] = []
  ) async throws {
    let tap = try await Tap([url])
    let outcome = try await ChildProcess.run(
      Self.python, ["\(Checkout.servers)/tap_clients.py", url, tap.url, query, deferred, subscription] + words)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 10 && lines.allSatisfy { $0.hasPrefix("same ") }, "\(outcome.output)\(outcome.errors)")
    let stopped = await tap.stop()
    #expect(stopped.exitCode == 0)
  }

  @Test(.enabled(if: isInstalled, "run ./install.sh test, which installs the clients"))
  func `clients receive the same bytes from the demo API`() async throws {
    let server = try ChildProcess(Checkout.apus, ["serve", "--delay-scale", "0.02"])
    let url = try #require(await server.nextLine())
    try await compare(
      url, "{ birds(first: 50) { edges { node { __typename id name } } } }",
      "{ bird(id: \"b1\") { id ... @defer { species { id } } } }",
      "subscription { countdown(from: 3, milliseconds: 10) }", strictly: ["--strict"])
  }

  @Test(
    .enabled(if: isInstalled, "run ./install.sh test, which installs the clients"),
    .enabled(if: DistributionServer.Kind.graphQLRuby.isHere, "\(DistributionServer.Kind.graphQLRuby.absence)"))
  func `clients receive the same bytes from graphql-ruby`() async throws {
    let server = try await DistributionServer.start(.graphQLRuby)
    try await compare(
      server.url, "{ birds(first: 2) { edges { node { id name } } } }", "{ __typename }",
      "subscription { __typename }")
  }

  private static let node = "/usr/bin/node"

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: node), "needs node"))
  func `node's fetch receives the same bytes`() async throws {
    let server = try ChildProcess(Checkout.apus, ["serve", "--delay-scale", "0.02"])
    let url = try #require(await server.nextLine())
    let tap = try await Tap([url])
    let outcome = try await ChildProcess.run(
      Self.node,
      [
        "\(Checkout.servers)/tap_fetch.mjs", url, tap.url,
        "{ birds(first: 50) { edges { node { __typename id name } } } }",
        "{ bird(id: \"b1\") { id ... @defer { species { id } } } }",
      ])
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 9 && lines.allSatisfy { $0.hasPrefix("same ") }, "\(outcome.output)\(outcome.errors)")
    #expect(await tap.stop().exitCode == 0)
  }

  @Test(.enabled(if: isInstalled, "run ./install.sh test, which installs the clients"))
  func `clients receive the same bytes from strawberry`() async throws {
    let server = try await PythonServer.start(.strawberry)
    try await compare(
      server.url, "{ __typename }", "{ __typename ... @defer { __typename } }", "subscription { __typename }")
  }
}
