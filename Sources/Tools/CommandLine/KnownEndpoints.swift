import ApusConfiguration
import ApusExplorerKeeping
import ApusGraphQLProjects
import ApusSecrets

/// The endpoints that have names: the profiles of `config.yml`, and those of a graphql-config file of the working folder
/// or above. Reading them resolves nothing and needs no trust.
struct KnownEndpoints: Sendable {
  let settings: Settings
  /// The project's file; what it says is used as far as the person trusts it.
  let project: GraphQLConfig?
  /// Why there is none although a file is there.
  let projectProblem: ConfigurationError?
  private let trusted: TrustStore

  /// - Parameter isTolerant: Whether mistakes in `config.yml` are left out; the caller reports them.
  init(isTolerant: Bool = false) throws(CommandFailure) {
    do throws(ConfigurationError) {
      settings = try isTolerant ? Settings.tolerant() : Settings.load()
    } catch {
      throw .file("\(error)")
    }
    trusted = TrustStore()
    do throws(ConfigurationError) {
      project = try GraphQLConfig.find(from: Host.workingFolder)
      projectProblem = nil
    } catch {
      // A file of somebody else must not keep the person from an endpoint that has nothing to do with it.
      project = nil
      projectProblem = error
    }
  }

  var names: [String] {
    settings.profiles.map(\.name) + projectEndpoints.map(\.name)
  }

  /// What a person named comes before what the project names.
  var projectEndpoints: [GraphQLConfig.Endpoint] {
    project?.endpoints.filter { settings.profile(named: $0.name) == nil } ?? []
  }

  func projectEndpoint(named name: String) -> GraphQLConfig.Endpoint? { projectEndpoints.first { $0.name == name } }

  func has(_ name: String) -> Bool { settings.profile(named: name) != nil || projectEndpoint(named: name) != nil }

  /// The trust in the project's file.
  var trust: FileTrust? {
    get throws(CommandFailure) {
      do throws(ConfigurationError) {
        return try project.map { (project) throws(ConfigurationError) in try trusted.trust(in: project.file) } ?? nil
      } catch {
        throw .file("\(error)")
      }
    }
  }

  /// A profile by its name; nil where there is none. `isNamed`: the name is reason enough to use a plain endpoint of a
  /// project's file.
  func profile(
    named name: String, isNamed: Bool, environment: [String: String]
  ) throws(CommandFailure) -> Profile? {
    if let own = settings.profile(named: name) { return own }
    guard let project, let endpoint = projectEndpoint(named: name) else { return nil }
    let trust = try trust
    do throws(ProjectError) {
      return try project.profile(
        of: endpoint, trust: trust, isNamed: isNamed, environment: environment)
    } catch {
      throw .file("'\(name)': \(error)")
    }
  }

  /// The project that the schema file of a profile stays inside; nil for a profile of the user.
  func root(of profile: Profile) -> ProjectRoot? {
    projectEndpoint(named: profile.name).flatMap { _ in project?.file.root }
  }

  /// The failure for a name that nothing has.
  func unknown(_ name: String) -> CommandFailure {
    // A profile that was left out has its reason among the problems.
    let about = settings.problems.first { $0.message.contains("'\(name)'") } ?? settings.problems.first
    if let about {
      return .file("there is no profile '\(MisplacedWord.shown(name))' without a mistake: \(about)")
    }
    var hint = names.isEmpty ? "\(UserFolders().configFile) names none" : "there are \(names.joined(separator: ", "))"
    if let projectProblem { hint += "; \(projectProblem)" }
    return CommandFailure(
      exitCode: .wrongUsage,
      message: "'\(MisplacedWord.shown(name))' is neither a URL (http://…) nor a profile; \(hint)")
  }
}

extension ParsedArguments {
  /// Whether a name in the command line is reason enough to use a plain endpoint of a project's file. It is not where
  /// credentials would go along: who types a name has not seen its URL.
  var namesPlainEndpoints: Bool {
    !["header", "user", "netrc", "netrc-file", "cookie-jar", "cert", "connection-payload"].contains(where: has)
  }
}
