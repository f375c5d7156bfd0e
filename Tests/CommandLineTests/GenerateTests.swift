import Foundation
import TestSupport
import Testing

/// `apus generate`: source from an endpoint's schema, errors as compilers write them.
struct GenerateTests {
  private func withFolder(_ configuration: String, _ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try configuration.write(toFile: folder + "/apus-generate.yml", atomically: true, encoding: .utf8)
    try await body(folder)
  }

  @Test func anEndpointsSchemaBecomesSource() async throws {
    let server = try ChildProcess(Checkout.apus, ["serve"])
    let url = try #require(await server.nextLine())
    try await withFolder("documents: '*.graphql'\noutput: Out\nselections: [Bird]\n") { folder in
      let document = "query Name { bird(id: \"b1\") { name } }"
      try document.write(toFile: folder + "/name.graphql", atomically: true, encoding: .utf8)
      let first = try await ChildProcess.apus("generate", url, "--config", folder + "/apus-generate.yml")
      #expect(first.exitCode == 0, "\(first.errors)")
      #expect(first.output.contains("Out/Operations/NameQuery.swift\n"))
      #expect(first.output.contains("Out/Selections/Objects.swift\n"))
      let second = try await ChildProcess.apus("generate", url, "--config", folder + "/apus-generate.yml")
      #expect(second.output.isEmpty)
      #expect(second.errors.contains("0 written"))
    }
  }

  @Test func whatIsWrongInADocumentIsToldWithItsPlace() async throws {
    try await withFolder("schema: s.graphql\ndocuments: d.graphql\noutput: Out\n") { folder in
      try "type Query { a: Int }".write(toFile: folder + "/s.graphql", atomically: true, encoding: .utf8)
      try "query Q {\n  b\n}".write(toFile: folder + "/d.graphql", atomically: true, encoding: .utf8)
      let outcome = try await ChildProcess.apus("generate", "--config", folder + "/apus-generate.yml")
      #expect(outcome.exitCode == 1)
      #expect(outcome.errors.contains("\(folder)/d.graphql:2:3: error: Cannot query field \"b\" on type \"Query\"."))
      #expect(!FileManager.default.fileExists(atPath: folder + "/Out"))
    }
  }
}
