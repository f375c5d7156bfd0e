import ApusGraphQLLanguage
import ApusGraphQLProjects
import ApusGraphQLSchema
import ApusJSON

/// The schema and documents of a plan, read from files.
public struct GenerationInput: Sendable {
  package let schema: Schema
  package let documents: [Document]
  /// Files with documents. Literals with interpolations in files of other languages are omitted.
  package var files: [GraphQLSourceFile] = []

  package init(schema: Schema, documents: [Document]) {
    self.schema = schema
    self.documents = documents
  }

  /// Returns the files of the schema and documents that a plan reads.
  public static func files(of plan: GenerationPlan) -> [String] {
    let schema = plan.schemaParts.flatMap { part -> [String] in
      switch part {
      case .files(let list): list.files
      case .url: []
      }
    }
    return schema + plan.documentFiles.files
  }

  /// Reads the files of a plan.
  ///
  /// - Parameters:
  /// - schema: A schema to use instead of the plan's.
  /// - fetched: The schemas at the URLs of the plan, in order.
  package static func read(
    _ plan: GenerationPlan, schema given: Schema? = nil, fetched: [Schema] = []
  ) throws(GenerationError) -> GenerationInput {
    let schema = if let given { given } else { try schema(of: plan, fetched) }
    var documents: [Document] = []
    var files: [GraphQLSourceFile] = []
    for file in try self.files(plan.documentFiles) { files.append(try content(file, of: plan)) }
    let imported = plan.documentsRoot.imports(of: files) { "\($0)" }
    try check(imported.refusals)
    files += imported.files
    for document in try self.documents(of: files) where !document.isTypeSystem {
      // A pattern for all files may also match the schema.
      documents.append(document)
    }
    documents = withoutIncomplete(documents)
    var input = GenerationInput(schema: schema, documents: documents)
    input.files = files
    return input
  }

  private static func schema(of plan: GenerationPlan, _ fetched: [Schema]) throws(GenerationError) -> Schema {
    var fetched = fetched[...]
    var definitions: [Document] = []
    var sources: [GraphQLSourceFile] = []
    var seen: Set<String> = []
    for part in plan.schemaParts {
      switch part {
      case .url(let url):
        guard let schema = fetched.popFirst() else {
          throw GenerationError([
            GenerationDiagnostic(
              message: "the schema is at \(url), which is not requested here: run 'apus schema' and use its file")
          ])
        }
        definitions += schema.documents
      case .files(let list):
        for file in try files(list) where seen.insert(file).inserted {
          if file.hasSuffix(".json") {
            definitions.append(try introspection(file, of: plan))
          } else {
            sources.append(try content(file, of: plan))
            definitions += try documents(of: [sources[sources.count - 1]], includesIncomplete: true)
          }
        }
      }
    }
    guard !definitions.isEmpty else {
      throw GenerationError([
        GenerationDiagnostic(message: "no file matches the schema '\(plan.schema.joined(separator: ", "))'")
      ]
      )
    }
    let imported = plan.root.imports(of: sources) { "\($0)" }
    try check(imported.refusals)
    return Schema.load(sdl: definitions + (try documents(of: imported.files, includesIncomplete: true)))
  }

  private static func introspection(
    _ file: String, of plan: GenerationPlan
  ) throws(GenerationError) -> Document {
    let bytes = try bytes(file, of: plan)
    do {
      return try Schema.definitions(introspection: JSONDocument(parsing: bytes).root)
    } catch {
      throw GenerationError([GenerationDiagnostic(file: file, message: "\(error)")])
    }
  }

  /// Returns the files of a search. A refused file is an error, because it would be missing in the generated code. A
  /// refused link to a folder is not, because its files are usually found directly.
  private static func files(_ list: FileList) throws(GenerationError) -> [String] {
    try check(list.refusals)
    return list.files
  }

  private static func check(_ refusals: [FileRefusal]) throws(GenerationError) {
    let refused = refusals.filter { $0.reason != .linkToFolder }
    guard refused.isEmpty else {
      throw GenerationError(refused.map { GenerationDiagnostic(file: $0.path, message: $0.explanation) })
    }
  }

  private static func content(_ file: String, of plan: GenerationPlan) throws(GenerationError) -> GraphQLSourceFile {
    let language = HostLanguage(path: file)
    return GraphQLSourceFile(
      bytes: try bytes(file, of: plan), name: file, language: language == .other ? .graphql : language)
  }

  /// Returns the documents in files and literals.
  ///
  /// - Parameter includesIncomplete: Whether to include the definitions around interpolated values.
  private static func documents(
    of files: [GraphQLSourceFile], includesIncomplete: Bool = false
  ) throws(GenerationError) -> [Document] {
    var documents: [Document] = []
    for unit in files.flatMap(\.units) where !unit.hasGaps || includesIncomplete && unit.document.isTypeSystem {
      let document = unit.document
      guard document.diagnostics.isEmpty || unit.hasGaps else {
        throw GenerationError(
          document.diagnostics.map { diagnostic in
            let place = document.source.location(at: diagnostic.range.lowerBound)
            return GenerationDiagnostic(
              file: document.source.name, line: place.line, column: place.column, message: diagnostic.message)
          })
      }
      documents.append(document)
    }
    return documents
  }

  /// Returns the documents without literals that spread a fragment that only an interpolated value can define.
  private static func withoutIncomplete(_ documents: [Document]) -> [Document] {
    guard documents.contains(where: \.source.hasValues) else { return documents }
    let fragments = Set(documents.flatMap(\.fragments).map(\.name.value))
    return documents.filter { document in
      !document.source.hasValues
        || document.nodes.indices.allSatisfy { index in
          document.nodes[index].kind != .fragmentSpread
            || fragments.contains(FragmentSpreadNode(document, NodeID(index)).name.value)
        }
    }
  }

  private static func bytes(_ file: String, of plan: GenerationPlan) throws(GenerationError) -> [UInt8] {
    do throws(FileRefusal) {
      return try plan.read(file)
    } catch {
      throw GenerationError([GenerationDiagnostic(file: file, message: error.explanation)])
    }
  }
}
