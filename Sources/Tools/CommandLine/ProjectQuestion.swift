import ApusClientNetwork
import ApusExplorerCore
import ApusGraphQLProjects

/// What a person is asked before the explorer goes to an endpoint of a project's file that is not trusted.
struct ProjectQuestion: Sendable {
  let file: ProjectFile
  let endpoint: GraphQLConfig.Endpoint

  /// What is shown of the URL, which is not gone to.
  var url: String { HTTPRequest(url: endpoint.url.source).shownURL }

  var confirmation: Confirmation {
    Confirmation(
      question: "Trust \(file.path)?",
      detail: "It would send this, with the values of the environment that it names:",
      lines: endpoint.sends, effect: .trustProject(file.digest, endpoint: endpoint.name))
  }

  /// Why nothing is sent as long as the answer is no.
  var refusal: String { "\(file.path) is not trusted: choose the endpoint again, or run 'apus trust'" }
}

extension KnownEndpoints {
  /// The question to be answered before an endpoint is used; nil where there is none. A plain endpoint of a project that
  /// the person named takes no more than naming it.
  func question(before name: String, isNamed: Bool) -> ProjectQuestion? {
    guard let project, let endpoint = projectEndpoint(named: name), trust == nil, endpoint.needsTrust || !isNamed else {
      return nil
    }
    return ProjectQuestion(file: project.file, endpoint: endpoint)
  }

  /// The name of the workspace of an endpoint: of a project's one it tells the file and the URL, too.
  func workspaceName(of name: String) -> String {
    guard let project, let endpoint = projectEndpoint(named: name) else { return name }
    return "\(name) \(project.file.path) \(endpoint.url.source)"
  }
}
