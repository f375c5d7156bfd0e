import ApusTestSupport
import Foundation
import Testing

/// The examples use all public types, which shows that they are usable.
struct PublicTypesTests {
  /// The modules visible to applications through the products `Apus`, `ApusSelections`, `ApusTesting`,
  /// `ApusGraphQLTools` and `ApusCodeGeneration`.
  private static let folders = [
    "Client/API", "Client/Cache", "Client/Core", "Client/Formats", "Client/Network", "Client/Operation",
    "Client/Pagination", "Client/RequestChain", "Client/Selections", "Client/Subscriptions", "Client/Testing",
    "GraphQL/Language", "GraphQL/Schema", "GraphQL/Tools", "System/JSON", "Tools/CodeGeneration",
  ]
  /// Public only for the compiler. Applications cannot create instances.
  private static let unreachable: Set = ["Tape", "TapePosition"]

  private func swiftFiles(in folder: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return names.filter { $0.hasSuffix(".swift") && !$0.hasPrefix(".") }.map { "\(folder)/\($0)" }
  }

  private func publicTypes() throws -> Set<String> {
    let declaration = try Regex(
      #"(?m)^ *(?:@[\w()]+ +)*public (?:indirect |final )*(?:struct|class|enum|actor|protocol|typealias) (\w+)"#,
      as: (Substring, Substring).self)
    var names: Set<String> = []
    let files = Self.folders.flatMap { swiftFiles(in: "\(Checkout.root)/Sources/\($0)") }
    // Former names need no example.
    for file in files where !file.hasSuffix("/Deprecated.swift") {
      let text = try String(contentsOfFile: file, encoding: .utf8)
      names.formUnion(text.matches(of: declaration).map { String($0.output.1) })
    }
    return names.subtracting(Self.unreachable)
  }

  @Test func `every public type is used by an example`() throws {
    let word = try Regex(#"\w+"#, as: Substring.self)
    var used: Set<Substring> = []
    let files = swiftFiles(in: "\(Checkout.root)/Docs/Examples")
    for file in files {
      let text = try String(contentsOfFile: file, encoding: .utf8)
      used.formUnion(text.matches(of: word).map(\.output))
    }
    let types = try publicTypes()
    #expect(types.count > 150)
    let unused = types.filter { !used.contains(Substring($0)) }.sorted()
    #expect(unused.isEmpty, "no example uses \(unused.joined(separator: ", "))")
  }
}
