import ApusClientFormats
import ApusClientNetwork
import ApusCodeGeneration
import ApusConfiguration
import ApusExplorerCore
import ApusGraphQLProjects

/// The question whether a project's file may send its requests. It covers the requests of all commands, because the
/// whole file is trusted.
struct TrustPrompt: Sendable {
  let file: ProjectFile
  let requests: [ProjectRequest]

  init(_ file: ProjectFile) throws(CommandError) {
    self.file = file
    do {
      requests = try Self.requests(of: file)
    } catch {
      throw .file("\(error)")
    }
  }

  private static func requests(of file: ProjectFile) throws -> [ProjectRequest] {
    // The output folder is irrelevant. Passing one makes the plan readable even if the file names none.
    func plan() throws -> GenerationPlan {
      let text = String(decoding: file.bytes, as: UTF8.self)
      return try GenerationPlan(reading: text, file: file.path, hasEndpoint: true, output: ".")
    }
    guard ProjectFile.isGraphQLConfig(file.path) else { return try plan().requests.merged }
    // A plan that cannot be read generates nothing and so sends no requests.
    return (try GraphQLConfig(file).requests + ((try? plan())?.requests ?? [])).merged
  }

  /// Requests that the user agrees to: complete, with one line for each.
  var lines: [String] { requests.isEmpty ? ["it sends nothing"] : requests.lines.map(TerminalSafeText.of) }

  /// Whether the user has agreed to all requests.
  func isAnswered(by trust: FileTrust?) -> Bool {
    guard let trust else { return false }
    return requests.allSatisfy(trust.allows)
  }

  /// Returns the explorer's question before it opens an endpoint.
  func confirmation(for endpoint: String) -> ConfirmationPopup {
    ConfirmationPopup(
      question: "Trust \(file.path)?",
      detail: "It would send these requests, with the environment variables in them:", lines: lines,
      confirmation: .effect(.endpoint(.trustProject(file.digest, endpoint: endpoint))))
  }
}

/// An endpoint of an untrusted project file that is to be opened in the explorer, and the question to answer first.
struct UntrustedEndpoint: Sendable {
  let endpoint: GraphQLConfig.Endpoint
  let question: TrustPrompt

  /// The URL with its secrets redacted.
  var url: String { HTTPRequest(url: endpoint.url.source).redactedURL }

  var confirmation: ConfirmationPopup { question.confirmation(for: endpoint.name) }

  /// The reason why nothing is sent until the user agrees.
  var refusal: String { "\(question.file.path) is not trusted: choose the endpoint again, or run 'apus trust'" }
}

extension NamedEndpoints {
  /// Returns the endpoint with its question if the user must answer it first, else `nil`. A plain endpoint only needs
  /// to be named.
  func untrusted(_ name: String, isNamed: Bool) throws(CommandError) -> UntrustedEndpoint? {
    guard let project, let endpoint = projectEndpoint(named: name), endpoint.request.needsTrust || !isNamed,
      try trust?.allows(endpoint.request) != true
    else { return nil }
    return UntrustedEndpoint(endpoint: endpoint, question: try TrustPrompt(project.file))
  }

  /// Returns the name of an endpoint's saved session. It includes the file and URL of a project's endpoint.
  func workspaceName(of name: String) -> String {
    guard let project, let endpoint = projectEndpoint(named: name) else { return name }
    return "\(name) \(project.file.path) \(endpoint.url.source)"
  }
}
