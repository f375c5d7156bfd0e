import ApusCodeGeneration
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusTestSupport
import Foundation
import Testing

/// Generates code for real schemas and documents. The code for small ones is compiled;
/// `Tests/Support/Generated/compile-corpus` compiles that for the large ones.
@Suite(.enabled(if: Corpus.folder != nil, "\(Corpus.absence)"), .timeLimit(.minutes(10)))
struct CorpusTests {
  private func files(_ schema: String, selections: Bool) throws -> [GeneratedFile] {
    var plan = GenerationPlan()
    plan.folder = "\(Corpus.folder ?? "")/schemas"
    plan.schema = ["\(schema)/schema.graphql"]
    plan.settings.skipsInvalid = true
    if selections { plan.settings.selections = .all } else { plan.documents = ["\(schema)/operations.graphql"] }
    let input = try GenerationInput.read(plan)
    return try CodeGenerator(schema: input.schema, documents: input.documents, settings: plan.settings).generate()
  }

  @Test(arguments: ["starwars", "animals"], [true, false])
  func `code for small schemas compiles`(_ schema: String, selections: Bool) async throws {
    let files = try files(schema, selections: selections).map { (name: $0.path, text: $0.text) }
    #expect(try await SwiftCompiler.errors(in: files) == [])
  }

  @Test(arguments: [("saleor", 400, 200), ("linear", 600, 500)])
  func `code for large schemas is generated`(_ schema: String, operations: Int, fragments: Int) throws {
    let files = try files(schema, selections: false)
    func count(_ text: String, in folder: String) -> Int {
      files.filter { $0.path.hasPrefix(folder) }.reduce(0) { $0 + $1.text.components(separatedBy: text).count - 1 }
    }
    #expect(count("static let operationName", in: "Operations/") > operations)
    #expect(count("static let fragmentName", in: "Fragments/") > fragments)
    // A debug build uses two jobs for them, with 25 files each.
    #expect(files.count < 75)
  }

  /// Every fortieth operation, with the fragments that it needs.
  @Test(arguments: ["saleor", "linear"])
  func `a sample of code for large schemas compiles`(_ schema: String) async throws {
    var plan = GenerationPlan()
    plan.folder = "\(Corpus.folder ?? "")/schemas"
    plan.schema = ["\(schema)/schema.graphql"]
    plan.documents = ["\(schema)/operations.graphql"]
    var settings = GenerationSettings()
    settings.skipsInvalid = true
    settings.mocks = true
    let input = try GenerationInput.read(plan)
    let sample = Document(parsing: Self.sample(of: try #require(input.documents.first)), name: "sample")
    let files = try CodeGenerator(schema: input.schema, documents: [sample], settings: settings).generate()
    #expect(files.count { $0.path.hasPrefix("Operations/") } > 9)
    #expect(try await SwiftCompiler.errors(in: files.map { (name: $0.path, text: $0.text) }) == [])
  }

  @Test func `a sample of selections for GitHub compiles`() async throws {
    var plan = GenerationPlan()
    plan.folder = "\(Corpus.folder ?? "")/schemas"
    plan.schema = ["github/schema.graphql"]
    plan.settings.selections = .some(["Query.repository", "Issue", "PullRequestTimelineItems", "Mutation.addComment"])
    let input = try GenerationInput.read(plan)
    let files = try CodeGenerator(schema: input.schema, settings: plan.settings).generate()
    #expect(try await SwiftCompiler.errors(in: files.map { (name: $0.path, text: $0.text) }) == [])
  }

  private static func sample(of document: Document) -> String {
    func spreads(in node: AnyNode) -> [String] {
      (Int(node.id)..<Int(document.nodes[Int(node.id)].next)).filter { document.nodes[$0].kind == .fragmentSpread }
        .map { FragmentSpreadNode(document, NodeID($0)).name.value }
    }
    let chosen = document.operations.enumerated().filter { $0.offset % 40 == 0 }.map(\.element)
    var texts = chosen.map(\.text)
    var pending = chosen.flatMap { spreads(in: $0.erased) }
    var seen: Set<String> = []
    while let name = pending.popLast() {
      guard seen.insert(name).inserted, let fragment = document.fragment(named: name) else { continue }
      texts.append(fragment.text)
      pending += spreads(in: fragment.erased)
    }
    return texts.joined(separator: "\n")
  }
}
