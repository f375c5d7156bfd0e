import ApusConfiguration
import ApusGraphQLLanguage
import ApusGraphQLProjects
import ApusGraphQLSchema
import ApusJSON

/// The schema and the documents that a plan names, read from files.
public struct GenerationInput: Sendable {
  private static let sizeLimit = 256 << 20

  package let schema: Schema
  package let documents: [Document]

  package init(schema: Schema, documents: [Document]) {
    self.schema = schema
    self.documents = documents
  }

  /// The files that the plan reads: the schema's and the documents'.
  public static func files(of plan: GenerationPlan) -> [String] {
    (FilePattern.files(plan.schema.filter { !$0.contains("://") }, in: plan.folder)
      + FilePattern.files(plan.documents, in: plan.folder)).map { FilePattern.absolute($0, in: plan.folder) }
  }

  /// Reads what the plan names; a schema that comes from a URL is given.
  package static func read(_ plan: GenerationPlan, schema fetched: Schema? = nil) throws(GenerationError)
    -> GenerationInput
  {
    var documents: [Document] = []
    for file in FilePattern.files(plan.documents, in: plan.folder) {
      let document = try document(file, in: plan.folder)
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
    let files = FilePattern.files(plan.schema, in: plan.folder)
    guard !files.isEmpty else {
      throw GenerationError([Diagnostic(message: "no file matches the schema '\(plan.schema.joined(separator: ", "))'")]
      )
    }
    if let file = files.first, files.count == 1, file.hasSuffix(".json") {
      let bytes = try bytes(file, in: plan.folder)
      do {
        return try Schema.load(introspection: JSONDocument(parsing: bytes).root)
      } catch {
        throw GenerationError([Diagnostic(file: FilePattern.absolute(file, in: plan.folder), message: "\(error)")])
      }
    }
    var documents: [Document] = []
    for file in files { documents.append(try document(file, in: plan.folder)) }
    return Schema.load(sdl: documents)
  }

  private static func document(_ file: String, in folder: String) throws(GenerationError) -> Document {
    let document = Document(parsing: try bytes(file, in: folder), name: FilePattern.absolute(file, in: folder))
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

  private static func bytes(_ file: String, in folder: String) throws(GenerationError) -> [UInt8] {
    let path = FilePattern.absolute(file, in: folder)
    do throws(ConfigurationError) {
      if let bytes = try UserFile.read(path, limit: sizeLimit) { return bytes }
    } catch {
      throw GenerationError([Diagnostic(file: path, message: error.message)])
    }
    throw GenerationError([Diagnostic(file: path, message: "the file cannot be read")])
  }
}
