import ApusClientNetwork
import ApusCodeGeneration
import ApusConfiguration
import ApusExplorerKeeping
import ApusGraphQLProjects

/// `apus trust`: shows what a project's file sends where, and allows it until the file is changed or moved.
struct TrustCommand {
  private let file: ProjectFile
  private let sends: [String]
  private let arguments: ParsedArguments

  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    self.arguments = arguments
    let found: ProjectFile?
    do throws(ConfigurationError) {
      found =
        if let path = arguments.operands.first { try ProjectFile.read(path) } else {
          try ProjectFile.find(from: Host.workingFolder)
        }
    } catch {
      throw .file("\(error)")
    }
    guard let found else {
      throw .file("there is no graphql-config file here or above; name the file: apus trust FILE")
    }
    file = found
    do {
      sends = try Self.sends(found)
    } catch {
      throw .file("\(error)")
    }
  }

  func run() throws(CommandFailure) -> ExitCode {
    let store = TrustStore()
    do throws(ConfigurationError) {
      if arguments.has("remove") {
        let wasTrusted = try store.remove(file)
        StandardStreams.narrate("apus: \(name) \(wasTrusted ? "is trusted no longer" : "was not trusted")")
        return .success
      }
      StandardStreams.show(lines: [name] + sends.map { "  \(PlainText.line($0, limit: 2000))" })
      if arguments.has("show") {
        StandardStreams.narrate("apus: it is \(store.trust(in: file) == nil ? "not trusted" : "trusted")")
        return .success
      }
      guard isAllowed() else {
        StandardStreams.narrate("apus: it is not trusted")
        return .resultHasErrors
      }
      _ = try store.add(file)
      StandardStreams.narrate("apus: \(name) is trusted until it is changed or moved")
      return .success
    } catch {
      throw .file("\(error)")
    }
  }

  private var name: String { PlainText.line(file.path, limit: 2000) }

  /// A person at a terminal is asked; a script that calls this has decided.
  private func isAllowed() -> Bool {
    guard !arguments.has("yes"), StandardStreams.inputIsTerminal, StandardStreams.errorIsTerminal else { return true }
    StandardStreams.ask("apus: send this, with the values of the environment that it names? [y/N] ")
    let answer = readLine() ?? ""
    return ["y", "yes"].contains(answer.lowercased())
  }

  /// What goes where, a line each, as the file has it.
  private static func sends(_ file: ProjectFile) throws -> [String] {
    if ProjectFile.isGraphQLConfig(file.path) {
      let endpoints = try GraphQLConfig(file).endpoints.flatMap(\.sends)
      let generation = (try? plan(file)).map { $0.headers.isEmpty ? [] : sends($0) } ?? []
      return endpoints + generation == [] ? ["it names no endpoint"] : endpoints + generation
    }
    return sends(try plan(file))
  }

  private static func plan(_ file: ProjectFile) throws -> GenerationPlan {
    try GenerationPlan(reading: String(decoding: file.bytes, as: UTF8.self), file: file.path, hasEndpoint: true)
  }

  /// What `apus generate` sends.
  private static func sends(_ plan: GenerationPlan) -> [String] {
    let urls = plan.schema.filter { $0.contains("://") }
    if urls.isEmpty && plan.headers.isEmpty { return ["it sends nothing"] }
    return (urls.isEmpty ? ["the endpoint that 'apus generate' is given"] : urls)
      + plan.headers.map { "  \($0.name): \($0.value.source)" }
  }
}
