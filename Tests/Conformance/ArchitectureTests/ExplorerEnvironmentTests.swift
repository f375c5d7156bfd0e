import ApusTestSupport
import Foundation
import Testing

/// The closures of the explorer's environment, which effects call. They have defaults, so that a test sets only those that it
/// uses, and so the compiler does not report one that the program forgets.
struct ExplorerEnvironmentTests {
  @Test func `the program sets every closure of the explorer's environment`() throws {
    let core = try texts(in: "Sources/Explorer/Core")
    let program = try ["Explorer/Environment", "Explorer/Persistence", "Tools/CommandLine"].flatMap {
      try texts(in: "Sources/\($0)")
    }
    let environment = try #require(core.first { $0.contains("struct ExplorerEnvironment: Sendable") })
    var forgotten = closures(in: environment).filter { !isSet("\\b\($0)", in: program) }
    for group in environment.matches(of: /package var (\w+) = (\w+)\(\)/) {
      let (property, type) = (group.output.1, group.output.2)
      let declaration = try #require(core.first { $0.contains("struct \(type): Sendable") }, "\(type)")
      // A function that creates the whole group sets its closures as `environment.name`.
      let creators = program.compactMap { text in
        text.range(of: "var environment = \(type)()").map { String(text[$0.upperBound...]) }
      }
      let names = closures(in: declaration)
      #expect(!names.isEmpty, "\(type)")
      forgotten += names.filter { name in
        !isSet("\\b\(property)\\.\(name)", in: program) && !isSet("environment\\.\(name)", in: creators)
      }.map { "\(property).\($0)" }
    }
    // The default of the search is its implementation, which needs nothing from outside.
    #expect(forgotten == ["reading.search"])
  }

  private func closures(in text: String) -> [String] {
    text.matches(of: /package var (\w+):\s+@Sendable/).map { String($0.output.1) }
  }

  private func isSet(_ name: String, in texts: [String]) -> Bool {
    texts.contains { $0.range(of: "\(name) = \\{", options: .regularExpression) != nil }
  }

  private func texts(in folder: String) throws -> [String] {
    let root = "\(Checkout.root)/\(folder)"
    let files = try #require(FileManager.default.enumerator(atPath: root)).compactMap { $0 as? String }
    return try files.filter { $0.hasSuffix(".swift") }.map {
      try String(contentsOfFile: "\(root)/\($0)", encoding: .utf8)
    }
  }
}
