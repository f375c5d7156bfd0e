import ApusClientNetwork
import ApusCodeGeneration
import ApusConfiguration
import ApusExplorerPersistence
import ApusGraphQLProjects

// The files of the project around the current directory.

extension DoctorCommand {
  /// Returns a finding for each schema pattern of the graphql-config file that no file matches.
  static func missingSchemas() -> [Check] {
    guard let config = (try? GraphQLConfig.find(from: HostSystem.workingFolder)) ?? nil else { return [] }
    return config.projects.flatMap { project -> [Check] in
      let what = "  schema" + (project.name.map { " of \($0)" } ?? "")
      let found = ProjectDefinition.config(config, project).schemaFiles()
      let isEmpty = found.files.isEmpty && project.schemaEndpoints.isEmpty
      return (isEmpty ? project.schema.filter { !$0.hasPrefix("!") } : found.unmatched).map { pattern in
        let shown = SingleLineText.line(ProjectSources.shortened(pattern), limit: 2000)
        return Check(what: what, verdict: .wrong, words: "no file matches '\(shown)'")
      }
    }
  }

  /// Returns the finding about the current directory's `apus-generate.yml`, as `apus generate` reads it.
  static func generation() -> Check {
    let what = "generate"
    func wrong(_ words: String) -> Check {
      Check(what: what, verdict: .wrong, words: SingleLineText.line(words, limit: 2000))
    }
    do throws(ConfigurationError) {
      guard let file = try ProjectFile.first(of: GenerationPlan.fileNames, in: ".") else {
        return Check(what: what, words: "no \(GenerationPlan.fileNames[0]) in this folder")
      }
      let name = "\(FilePath(file.path).name)"
      let sources = try? ProjectSources.find(for: name)
      var plan: GenerationPlan
      do throws(GenerationError) {
        plan = try GenerationPlan(
          reading: String(decoding: file.bytes, as: UTF8.self), file: name,
          hasEndpoint: sources?.definition.namesSchema == true)
      } catch {
        return wrong(error.diagnostics.map(\.description).joined(separator: "; "))
      }
      if case .config(let config, let project) = sources?.definition { plan.useDocuments(of: project, in: config.file) }
      let missing = plan.missingFiles
      guard missing.isEmpty else { return wrong("\(name): no file matches \(missing.joined(separator: ", "))") }
      return Check(what: what, words: SingleLineText.line("\(name): writes \(plan.outputPath)", limit: 2000))
    } catch {
      return wrong("\(error)")
    }
  }
}

extension GenerationPlan {
  /// The schema sources and document patterns that no file matches, in quotes.
  fileprivate var missingFiles: [String] {
    let named = schema.filter { !$0.hasPrefix("!") }
    let unmatched = zip(named, schemaParts).filter { _, part in
      switch part {
      case .files(let list): list.files.isEmpty
      case .url: false
      }
    }
    return (unmatched.map(\.0) + unmatchedDocuments).map { "'\($0)'" }
  }
}
