import ApusGraphQLLanguage
import ApusGraphQLProjects
import ApusGraphQLSchema
import ApusJSON

/// The schema and the documents that a plan names, read from files.
public struct GenerationInput: Sendable {
  package let schema: Schema
  package let documents: [Document]

  package init(schema: Schema, documents: [Document]) {
    self.schema = schema
    self.documents = documents
  }

  /// The files that the plan reads: the schema's and the documents'.
  public static func files(of plan: GenerationPlan) -> [String] {
    plan.schemaFiles.files + plan.documentFiles.files
  }

  /// Reads what the plan names; a schema that comes from a URL is given.
  package static func read(_ plan: GenerationPlan, schema fetched: Schema? = nil) throws(GenerationError)
    -> GenerationInput
  {
    var documents: [Document] = []
    for file in try files(plan.documentFiles) {
      let document = try document(file, of: plan)
      // A pattern for all files often meets the schema too.
      if !document.isTypeSystem { documents.append(document) }
    }
    if let fetched { return GenerationInput(schema: fetched, documents: documents) }
    return GenerationInput(schema: try schema(of: plan), documents: documents)
  }

  private static func schema(of plan: GenerationPlan) throws(GenerationError) -> Schema {
    if let url = plan.schema.first(where: { $0.contains("://") }) {
      throw GenerationError([
        Diagnostic(
          message: "the schema is at \(url), and there is no network here: run 'apus schema' and name its file")
      ])
    }
    let files = try files(plan.schemaFiles)
    guard !files.isEmpty else {
      throw GenerationError([Diagnostic(message: "no file matches the schema '\(plan.schema.joined(separator: ", "))'")]
      )
    }
    if let file = files.first, files.count == 1, file.hasSuffix(".json") {
      let bytes = try bytes(file, of: plan)
      do {
        return try Schema.load(introspection: JSONDocument(parsing: bytes).root)
      } catch {
        throw GenerationError([Diagnostic(file: file, message: "\(error)")])
      }
    }
    var documents: [Document] = []
    for file in files { documents.append(try document(file, of: plan)) }
    return Schema.load(sdl: documents)
  }

  /// The files that a search found. A refused file is an error, because source would be generated without it. A link to a
  /// folder is none: its files are often found at their own place.
  private static func files(_ list: FileList) throws(GenerationError) -> [String] {
    let refused = list.refusals.filter { $0.reason != .linkToFolder }
    guard refused.isEmpty else {
      throw GenerationError(refused.map { Diagnostic(file: $0.path, message: $0.explanation) })
    }
    return list.files
  }

  private static func document(_ file: String, of plan: GenerationPlan) throws(GenerationError) -> Document {
    let document = Document(parsing: try bytes(file, of: plan), name: file)
    guard document.diagnostics.isEmpty else {
      throw GenerationError(
        document.diagnostics.map { diagnostic in
          let place = document.source.location(at: diagnostic.range.lowerBound)
          return Diagnostic(
            file: document.source.name, line: place.line, column: place.column, message: diagnostic.message)
        })
    }
    return document
  }

  private static func bytes(_ file: String, of plan: GenerationPlan) throws(GenerationError) -> [UInt8] {
    do throws(FileRefusal) {
      return try plan.read(file)
    } catch {
      throw GenerationError([Diagnostic(file: file, message: error.explanation)])
    }
  }
}
