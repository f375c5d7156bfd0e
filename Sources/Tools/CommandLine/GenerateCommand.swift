import ApusClientNetwork
import ApusCodeGeneration
import ApusConfiguration
import ApusExplorerKeeping
import ApusGraphQLProjects
import ApusGraphQLSchema

/// `apus generate`: writes Swift models and selections, as a configuration file says.
///
/// 1. The configuration: the file that is named, or the first one of the usual names in the working folder, or a
///    graphql-config file above it.
/// 2. The schema: that of the endpoint where one is given, else what the configuration names, else what the
///    graphql-config file of its project does; the documents likewise.
/// 3. The documents are judged, the source is made, and only what changed is written.
struct GenerateCommand: Sendable {
  let arguments: ParsedArguments

  func run() async throws(CommandFailure) -> ExitCode {
    if let word = arguments.operands.first, let place = MisplacedWord.place(of: word, in: arguments.command) {
      throw .usage(place, command: "generate")
    }
    let (file, text) = try configuration()
    // Asked for what the configuration lacks: a project that cannot be read is no reason to fail where nothing is lacking.
    let sources = try? ProjectSources.find(for: file)
    let (plan, folder) = try told { () throws(GenerationError) in
      var plan = try GenerationPlan(
        reading: text, file: file,
        hasEndpoint: !arguments.operands.isEmpty || sources?.definition.namesSchema == true,
        output: arguments.value("output"))
      plan.refusesOthers = arguments.value("config") == nil
      if case .config(let config, let project) = sources?.definition {
        plan.takeDocuments(of: project, in: config.file)
      }
      return (plan, try plan.outputFolder())
    }
    var schema: Schema?
    var fetched: [Schema] = []
    if let source = arguments.operands.first {
      // The headers of the configuration belong to its own URLs.
      schema = try await SchemaSource.load(source, arguments)
    } else if plan.schema.isEmpty {
      schema = try await sources?.schema(arguments)
    } else {
      for request in plan.requests {
        fetched.append(try await SchemaSource.fetch(ProjectSources.request(request, of: project(file), arguments)))
      }
    }
    let output = try told { () throws(GenerationError) in
      let input = try GenerationInput.read(plan, schema: schema, fetched: fetched)
      ProjectGroup.report(partial: input.files)
      ProjectSources.tell(plan.unmatchedDocuments.map { "\(file): no file matches '\($0)' of its documents" })
      return try CodeGenerator(
        schema: input.schema, documents: input.documents, settings: plan.settings
      ).output()
    }
    try CommandFailure.checkInterruption()
    let outcome = try told { () throws(GenerationError) in try folder.update(output.files) }
    for warning in output.warnings { StandardStreams.narrate(warning.warning) }
    StandardStreams.show(lines: outcome.written.map { "\(plan.outputPath)/\($0)" })
    StandardStreams.narrate(
      "apus: \(outcome.written.count) written, \(outcome.unchanged.count) unchanged, "
        + "\(outcome.removed.count) removed in \(plan.outputPath)")
    return .success
  }

  private func configuration() throws(CommandFailure) -> (file: String, text: String) {
    if let file = arguments.value("config") {
      return (file, String(decoding: try LocalFile.read(file), as: UTF8.self))
    }
    do throws(ConfigurationError) {
      let names = GenerationPlan.fileNames + GenerationPlan.graphqlConfigNames
      if let file = try ProjectFile.first(of: names, in: ".") {
        let path = FilePath(file.path)
        let name = path.folder == FilePath(real: ".") ? path.name : path
        return ("\(name)", String(decoding: file.bytes, as: UTF8.self))
      }
      if let file = try ProjectFile.find(from: Host.workingFolder) {
        return (file.path, String(decoding: file.bytes, as: UTF8.self))
      }
    } catch {
      throw .file("\(error)")
    }
    throw .file("there is no \(GenerationPlan.fileNames[0]) in this folder: write one, or name it with --config")
  }

  private func project(_ path: String) throws(CommandFailure) -> ProjectFile {
    do throws(ConfigurationError) { return try ProjectFile.read(path) } catch { throw .file("\(error)") }
  }

  /// Prints what is wrong as compilers do, a line each.
  private func told<Value>(_ work: () throws(GenerationError) -> Value) throws(CommandFailure) -> Value {
    do throws(GenerationError) {
      return try work()
    } catch {
      for diagnostic in error.diagnostics { StandardStreams.narrate(diagnostic.description) }
      throw CommandFailure(exitCode: .resultHasErrors, message: "nothing was generated")
    }
  }
}
