import ApusClientNetwork
import ApusCodeGeneration
import ApusConfiguration
import ApusExplorerPersistence
import ApusGraphQLProjects
import ApusGraphQLSchema

/// `apus generate`: writes Swift models and selections by a configuration file.
///
/// 1. Find the configuration: the file of `--config`, else a file with a default name in the current directory, else the
///    nearest graphql-config file above it.
/// 2. Load the schema from the given endpoint, else as the configuration says, else as the graphql-config file of its
///    project says. Find the documents in the same way.
/// 3. Validate the documents, generate the source, and write only files that changed.
struct GenerateCommand: Sendable {
  let arguments: ParsedArguments

  func run() async throws(CommandError) -> ExitCode {
    if let word = arguments.operands.first, let place = MisplacedArgument.owningOption(of: word, in: arguments.command)
    {
      throw .usage(place, command: "generate")
    }
    let (file, text) = try configuration()
    // The project supplies settings that the configuration lacks. If nothing is lacking, an unreadable project is not an
    // error.
    let sources = try? ProjectSources.find(for: file)
    let (plan, folder) = try reporting { () throws(GenerationError) in
      var plan = try GenerationPlan(
        reading: text, file: file,
        hasEndpoint: !arguments.operands.isEmpty || sources?.definition.namesSchema == true,
        output: arguments.value("output"))
      plan.refusesOthers = arguments.value("config") == nil
      if case .config(let config, let project) = sources?.definition {
        plan.useDocuments(of: project, in: config.file)
      }
      return (plan, try plan.outputFolder())
    }
    var schema: Schema?
    var fetched: [Schema] = []
    if let source = arguments.operands.first {
      // The headers in the configuration are only for its own URLs.
      schema = try await SchemaSource.load(source, arguments)
    } else if plan.schema.isEmpty {
      schema = try await sources?.schema(arguments)
    } else {
      for request in plan.requests {
        fetched.append(try await SchemaSource.fetch(ProjectSources.reached(request, of: project(file), arguments)))
      }
    }
    let (output, documents) = try reporting { () throws(GenerationError) in
      let input = try GenerationInput.read(plan, schema: schema, fetched: fetched)
      ProjectGroup.report(partial: input.files)
      ProjectSources.report(plan.unmatchedDocuments.map { "\(file): no file matches the documents pattern '\($0)'" })
      let output = try CodeGenerator(
        schema: input.schema, documents: input.documents, settings: plan.settings
      ).output()
      return (output, input.documents)
    }
    try CommandError.checkInterruption()
    let outcome = try reporting { () throws(GenerationError) in try folder.update(output.files) }
    ProjectSources.report(descriptionsOf: documents)
    for warning in output.warnings { StandardStreams.narrate(warning.warning) }
    StandardStreams.show(lines: outcome.written.map { "\(plan.outputPath)/\($0)" })
    StandardStreams.narrate(
      "apus: \(outcome.written.count) written, \(outcome.unchanged.count) unchanged, "
        + "\(outcome.removed.count) removed in \(plan.outputPath)")
    return .success
  }

  private func configuration() throws(CommandError) -> (file: String, text: String) {
    if let file = arguments.value("config") {
      return (file, String(decoding: try LocalFile.read(file), as: UTF8.self))
    }
    do throws(ConfigurationError) {
      let names = GenerationPlan.fileNames + GenerationPlan.graphqlConfigNames
      var nearest = try ProjectFile.first(of: names, in: ".")
      if nearest == nil { nearest = try ProjectFile.find(from: HostSystem.workingFolder) }
      if let file = nearest {
        let path = FilePath(file.path)
        let name = path.folder == FilePath(real: ".") ? path.name : path
        return ("\(name)", String(decoding: file.bytes, as: UTF8.self))
      }
    } catch {
      throw .file("\(error)")
    }
    throw .file("there is no \(GenerationPlan.fileNames[0]) in this folder: create one, or select a file with --config")
  }

  private func project(_ path: String) throws(CommandError) -> ProjectFile {
    do throws(ConfigurationError) { return try ProjectFile.read(path) } catch { throw .file("\(error)") }
  }

  /// Runs `work`. Prints its diagnostics in the format of compilers, one per line.
  private func reporting<Value>(_ work: () throws(GenerationError) -> Value) throws(CommandError) -> Value {
    do throws(GenerationError) {
      return try work()
    } catch {
      for diagnostic in error.diagnostics { StandardStreams.narrate(diagnostic.description) }
      throw CommandError(exitCode: .resultErrors, message: "nothing was generated")
    }
  }
}
