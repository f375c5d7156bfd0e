import ApusClientFormats
import ApusClientNetwork
import ApusCodeGeneration
import ApusConfiguration
import ApusExplorerCore
import ApusGraphQLProjects

/// The question whether a project's file may send its requests: those of every command, for the trust is in the whole
/// file.
struct ProjectQuestion: Sendable {
  let file: ProjectFile
  let requests: [ProjectRequest]

  init(_ file: ProjectFile) throws(CommandFailure) {
    self.file = file
    do {
      requests = try Self.requests(of: file)
    } catch {
      throw .file("\(error)")
    }
  }

  private static func requests(of file: ProjectFile) throws -> [ProjectRequest] {
    // The output folder is of no account: with a name for one, the plan is read whatever the file says of it.
    func plan() throws -> GenerationPlan {
      let text = String(decoding: file.bytes, as: UTF8.self)
      return try GenerationPlan(reading: text, file: file.path, hasEndpoint: true, output: ".")
    }
    guard ProjectFile.isGraphQLConfig(file.path) else { return try plan().requests.merged }
    // A plan that cannot be read generates nothing, and so sends nothing.
    return (try GraphQLConfig(file).requests + ((try? plan())?.requests ?? [])).merged
  }

  /// The list that is agreed to, a line each and nothing left out; no line is more than one.
  var lines: [String] { requests.isEmpty ? ["it sends nothing"] : requests.lines.map(VisibleText.of) }

  /// Whether everything on the list was agreed to.
  func isAnswered(by trust: FileTrust?) -> Bool {
    guard let trust else { return false }
    return requests.allSatisfy(trust.allows)
  }

  /// The question in the explorer before it goes to an endpoint.
  func confirmation(for endpoint: String) -> Confirmation {
    Confirmation(
      question: "Trust \(file.path)?",
      detail: "It would send this, with the values of the environment that it names:", lines: lines,
      effect: .trustProject(file.digest, endpoint: endpoint))
  }
}

/// An endpoint of a project's file that is to be opened in the explorer, and the question to be answered first.
struct UntrustedEndpoint: Sendable {
  let endpoint: GraphQLConfig.Endpoint
  let question: ProjectQuestion

  /// The URL with its secrets hidden, to be shown.
  var url: String { HTTPRequest(url: endpoint.url.source).shownURL }

  var confirmation: Confirmation { question.confirmation(for: endpoint.name) }

  /// Why nothing is sent as long as the answer is no.
  var refusal: String { "\(question.file.path) is not trusted: choose the endpoint again, or run 'apus trust'" }
}

extension KnownEndpoints {
  /// The endpoint with its question, if it must be answered before the endpoint is used; else nil. For a plain endpoint of
  /// a project, naming it is enough.
  func untrusted(_ name: String, isNamed: Bool) throws(CommandFailure) -> UntrustedEndpoint? {
    guard let project, let endpoint = projectEndpoint(named: name), endpoint.request.needsTrust || !isNamed,
      try trust?.allows(endpoint.request) != true
    else { return nil }
    return UntrustedEndpoint(endpoint: endpoint, question: try ProjectQuestion(project.file))
  }

  /// The name of the workspace of an endpoint: of a project's one it tells the file and the URL, too.
  func workspaceName(of name: String) -> String {
    guard let project, let endpoint = projectEndpoint(named: name) else { return name }
    return "\(name) \(project.file.path) \(endpoint.url.source)"
  }
}
