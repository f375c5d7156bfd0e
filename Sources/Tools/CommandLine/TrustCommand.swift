import ApusConfiguration
import ApusExplorerPersistence
import ApusGraphQLProjects

/// `apus trust`: shows the requests of a project's file and allows them until the file changes or moves.
struct TrustCommand {
  private let question: TrustPrompt
  private let arguments: ParsedArguments

  init(_ arguments: ParsedArguments) throws(CommandError) {
    self.arguments = arguments
    let found: ProjectFile?
    do throws(ConfigurationError) {
      found =
        if let path = arguments.operands.first { try ProjectFile.read(path) } else {
          try ProjectFile.find(from: HostSystem.workingFolder)
        }
    } catch {
      throw .file("\(error)")
    }
    guard let found else {
      throw .file("there is no graphql-config file in this folder or above; name one: apus trust FILE")
    }
    question = try TrustPrompt(found)
  }

  func run() throws(CommandError) -> ExitCode {
    let store = TrustStore()
    let file = question.file
    do throws(ConfigurationError) {
      if arguments.has("remove") {
        let wasTrusted = try store.remove(file)
        StandardStreams.narrate("apus: \(file.path) \(wasTrusted ? "is no longer trusted" : "was not trusted")")
        return .success
      }
      let lines = [file.path] + question.lines.map { "  \($0)" }
      StandardStreams.show(lines: lines)
      if arguments.has("show") {
        let trust = try store.trust(in: file)
        let isPartly = trust != nil && !question.isAnswered(by: trust)
        let state = isPartly ? "trusted, but not for all of these requests" : trust == nil ? "not trusted" : "trusted"
        StandardStreams.narrate("apus: \(file.path) is \(state)")
        return .success
      }
      guard arguments.has("yes") || StandardStreams.agrees(to: words, about: lines) else {
        StandardStreams.narrate("apus: \(file.path) is not trusted")
        return .resultErrors
      }
      _ = try store.add(file, shown: question.requests)
      StandardStreams.narrate("apus: \(file.path) is trusted until it changes or moves")
      return .success
    } catch {
      throw .file("\(error)")
    }
  }

  private var words: String {
    let count = question.requests.count
    return "allow \(count == 1 ? "this request" : "these \(count) requests"), including the environment variables used?"
  }
}
