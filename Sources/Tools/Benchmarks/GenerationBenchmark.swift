import CodeGeneration
import FoundationEssentials
import GraphQLLanguage
import GraphQLSchema
import GraphQLValidation

extension Benchmark {
  /// Linear's 1,220 definitions: judged, which is the yardstick, and made into models, which judges them too.
  static let generation = Benchmark(
    name: "generation", summary: "Linear's documents: models generated, compared with validating the documents"
  ) {
    let folder = "\(try Shared.folder("schemas"))/linear"
    func read(_ file: String) throws -> Document {
      Document(parsing: [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/\(file)"))), name: file)
    }
    let schema = Schema.load(sdl: [try read("schema.graphql")])
    let documents = try read("operations.graphql")
    var settings = GenerationSettings()
    settings.skipsInvalid = true
    let generator = CodeGenerator(schema: schema, documents: [documents], settings: settings)
    var selections = GenerationSettings()
    selections.selections = .all
    let api = CodeGenerator(schema: schema, settings: selections)
    try await Contest(
      "generation",
      yardstick: .here("validate Linear's documents") { _ = Validator.validate(documents, schema: schema) },
      works: [
        .here("generate their models") { _ = try generator.output() },
        .here("generate the selections of Linear's schema") { _ = try api.output() },
      ], rounds: 5
    ).run()
  }
}
