import ApusCodeGeneration
import ApusDemo
import ApusGraphQLSchema
import ApusTestSupport
import Foundation
import Testing

/// The generated folders in this repository must equal the generator's output, so that it is compiled, run and
/// reviewed. `apus generate --config FILE` updates one.
struct GeneratedFolderTests {
  @Test(arguments: ["Tests/Support/Generated/BirdsSelections", "Tests/Support/Generated/BirdsModels"])
  func `generated folders are current`(_ folder: String) throws {
    let file = "\(Checkout.root)/\(folder)/apus-generate.yml"
    let plan = try GenerationPlan(reading: String(contentsOfFile: file, encoding: .utf8), file: file)
    let input = try GenerationInput.read(plan)
    let files = try CodeGenerator(schema: input.schema, documents: input.documents, settings: plan.settings).generate()
    #expect(!files.isEmpty)
    var found: Set<String> = []
    let enumerator = FileManager.default.enumerator(atPath: plan.outputPath)
    while let path = enumerator?.nextObject() as? String {
      if path.hasSuffix(".swift") { found.insert(path) }
    }
    #expect(found == Set(files.map(\.path)), "files of \(folder)")
    for file in files {
      let committed = try? String(contentsOfFile: "\(plan.outputPath)/\(file.path)", encoding: .utf8)
      #expect(committed == file.text, "\(folder): \(file.path)")
    }
  }

  @Test func `the example schema equals that of the demo API`() throws {
    let file = try String(contentsOfFile: "\(Checkout.root)/Docs/Examples/Birds/schema.graphql", encoding: .utf8)
    #expect(Schema.load(sdl: DemoSchema.sdl).printSDL() == file)
  }
}
