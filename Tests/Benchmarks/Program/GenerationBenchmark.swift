import ApusCodeGeneration
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusGraphQLValidation
import FoundationEssentials

extension Benchmark {
  /// Generates models for Linear's 1,220 definitions, compared with validating them, which generation includes; and for
  /// four times as many, which should take four times as long.
  static let generation = Benchmark(
    name: "generation", summary: "Linear's documents: models generated, compared with validating the documents"
  ) {
    let folder = "\(try SharedFiles.folder("schemas"))/linear"
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
    try await Comparison(
      "generation",
      yardstick: .here("validate Linear's documents") { _ = Validator.validate(documents, schema: schema) },
      works: [
        .here("generate their models") { _ = try generator.output() },
        .here("generate the selections of Linear's schema") { _ = try api.output() },
      ], rounds: 5
    ).run()
    let copies = [documents] + (1...3).map { Copies.copy($0, of: documents) }
    let fourfold = CodeGenerator(schema: schema, documents: copies, settings: settings)
    try await Comparison(
      "growth (linear is 0.25×)",
      yardstick: .here("models of Linear's documents") { _ = try generator.output() },
      works: [.here("models of four times as many") { _ = try fourfold.output() }], rounds: 3
    ).run()
  }
}

/// Copies of a document's definitions with other names.
private enum Copies {
  static func copy(_ number: Int, of document: Document) -> Document {
    let bytes = document.source.bytes
    var ends: [Int] = []
    for definition in document.definitions {
      switch definition {
      case .operation(let operation): operation.name.map { ends.append($0.range.upperBound) }
      case .fragment(let fragment): ends.append(fragment.name.range.upperBound)
      default: break
      }
    }
    for (id, node) in document.nodes.enumerated() where node.kind == .fragmentSpread {
      ends.append(FragmentSpreadNode(document, NodeID(id)).name.range.upperBound)
    }
    var copy: [UInt8] = []
    var start = 0
    for end in ends.sorted() {
      copy += bytes[start..<end] + Array("Copy\(number)".utf8)
      start = end
    }
    copy += bytes[start...]
    return Document(parsing: copy, name: "copy \(number)")
  }
}
