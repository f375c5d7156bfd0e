import CodeGeneration
import TestSupport
import Testing

/// Schemas and documents of the real world: what is generated from the small ones compiles, and the large ones are
/// generated whole. `Tests/Generated/compile-corpus` compiles those.
@Suite(.enabled(if: Corpus.folder != nil, "\(Corpus.absence)"))
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
  func theSmallOnesCompile(_ schema: String, selections: Bool) async throws {
    let files = try files(schema, selections: selections).map { (name: $0.path, text: $0.text) }
    #expect(try await SwiftCompiler.errors(in: files) == [])
  }

  @Test(arguments: [("saleor", 400, 200), ("linear", 600, 500)])
  func theLargeOnesAreGenerated(_ schema: String, operations: Int, fragments: Int) throws {
    let files = try files(schema, selections: false)
    #expect(files.count { $0.path.hasPrefix("Operations/") } > operations)
    #expect(files.count { $0.path.hasPrefix("Fragments/") } > fragments)
  }
}
