import ApusClientNetwork
import ApusConfiguration
import ApusExplorerPersistence
import ApusGraphQLProjects
import ApusSecrets

/// The named endpoints: the profiles of `config.yml`, and the endpoints of the graphql-config file in the current directory
/// or above. Reading them resolves no values and needs no trust.
struct NamedEndpoints: Sendable {
  let settings: Settings
  /// The project's file. Its values are used only as far as the user trusts it.
  let project: GraphQLConfig?
  /// The reason why the project's file could not be read.
  let projectProblem: ConfigurationError?
  private let trusted: TrustStore

  /// Reads the files without the settings and profiles that have mistakes, which the caller reports.
  init() throws(CommandError) {
    do throws(ConfigurationError) {
      settings = try Settings.load()
    } catch {
      throw .file("\(error)")
    }
    trusted = TrustStore()
    do throws(ConfigurationError) {
      project = try GraphQLConfig.find(from: HostSystem.workingFolder)
      projectProblem = nil
    } catch {
      // A mistake in a project's file must not prevent access to an unrelated endpoint.
      project = nil
      projectProblem = error
    }
  }

  var names: [String] {
    settings.profiles.map(\.name) + projectEndpoints.map(\.name)
  }

  /// The project's endpoints whose names are neither URLs nor names of the user's profiles.
  var projectEndpoints: [GraphQLConfig.Endpoint] {
    project?.endpoints.filter { settings.profile(named: $0.name) == nil && !$0.name.contains("://") } ?? []
  }

  func projectEndpoint(named name: String) -> GraphQLConfig.Endpoint? { projectEndpoints.first { $0.name == name } }

  func has(_ name: String) -> Bool { settings.profile(named: name) != nil || projectEndpoint(named: name) != nil }

  /// The trust in the project's file.
  var trust: FileTrust? {
    get throws(CommandError) {
      do throws(ConfigurationError) {
        return try project.map { (project) throws(ConfigurationError) in try trusted.trust(in: project.file) } ?? nil
      } catch {
        throw .file("\(error)")
      }
    }
  }

  /// Returns a profile by its name; `nil` if there is none.
  ///
  /// - Parameter isNamed: Whether naming a plain endpoint of a project's file is sufficient to use it.
  func profile(
    named name: String, isNamed: Bool, environment: [String: String]
  ) throws(CommandError) -> Profile? {
    if let namedProfile = settings.profile(named: name) { return namedProfile }
    guard let project, let endpoint = projectEndpoint(named: name) else { return nil }
    let trust = try trust
    do throws(ProjectError) {
      return try project.profile(
        of: endpoint, trust: trust, isNamed: isNamed, environment: environment)
    } catch {
      throw .file("'\(name)': \(error)")
    }
  }

  /// Returns the project whose root contains the profile's schema file; `nil` for a profile of the user.
  func root(of profile: Profile) -> ProjectRoot? {
    projectEndpoint(named: profile.name).flatMap { _ in project?.file.root }
  }

  /// Reports the mistakes in `config.yml`, if a command line names usable profiles. The explorer shows them itself.
  static func reportMistakes(for arguments: ParsedArguments) throws(CommandError) {
    guard ![CommandTable.explore.name, CommandTable.demo.name].contains(arguments.command.name) else { return }
    let operands = zip(arguments.command.operands, arguments.operands).filter { $0.0.names == .profiles }.map(\.1)
    let names = (operands + arguments.values("schema")).filter { !$0.contains("://") && !SchemaSource.isFile($0) }
    guard !names.isEmpty, case let endpoints = try NamedEndpoints(), names.contains(where: endpoints.has) else {
      return
    }
    for problem in endpoints.settings.problems {
      StandardStreams.narrate("apus: skipped: \(SingleLineText.line("\(problem)", limit: 2000))")
    }
  }

  /// Returns the failure for an unknown name.
  func unknown(_ name: String) -> CommandError {
    // If the profile was skipped because of a mistake, the message gives that reason.
    let about = settings.problems.first { $0.message.contains("'\(name)'") } ?? settings.problems.first
    if let about {
      return .file("there is no usable profile '\(MisplacedArgument.shown(name))': \(about)")
    }
    var hint =
      names.isEmpty ? "\(UserFolders().configFile) defines none" : "the profiles are \(names.joined(separator: ", "))"
    if let projectProblem { hint += "; \(projectProblem)" }
    return CommandError(
      exitCode: .usageError,
      message: "'\(MisplacedArgument.shown(name))' is neither a URL (http://…) nor a profile; \(hint)")
  }
}

extension ParsedArguments {
  /// Whether naming a plain endpoint of a project's file is sufficient to use it. It is not if credentials would be sent,
  /// because the user has not seen the endpoint's URL.
  var namesPlainEndpoints: Bool {
    !["header", "user", "netrc", "netrc-file", "cookie-jar", "cert", "connection-payload"].contains(where: has)
  }
}
