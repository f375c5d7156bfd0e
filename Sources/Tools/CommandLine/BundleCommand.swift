import ApusGraphQLLanguage
import ApusJSON

/// `apus bundle`: prints a manifest of persisted queries.
struct BundleCommand: Sendable {
  /// The tool that reads the manifest.
  enum Form: String, CaseIterable {
    case apollo, relay
  }

  let arguments: ParsedArguments

  func run() throws(CommandError) -> ExitCode {
    let groups = try ProjectGroup.groups(try NamedFiles.named(by: arguments))
    var manifests: [(name: String, manifest: JSONValue)] = []
    for group in groups { manifests.append((group.name ?? "", try manifest(of: group))) }
    try CommandError.checkInterruption()
    // Each project has its own server, and so its own manifest.
    let projects = manifests.map { ["name": JSONValue($0.name), "manifest": $0.manifest] as JSONValue }
    StandardStreams.output(
      line: manifests.count == 1 ? manifests[0].manifest : ["projects": .array(projects)], isPretty: true)
    return .success
  }

  private func manifest(of group: ProjectGroup) throws(CommandError) -> JSONValue {
    let documents = try ProjectGroup.wholeDocuments(of: group.files)
    let others = try group.others()
    do throws(PersistedQueryManifest.BundleError) {
      let manifest = try PersistedQueryManifest(
        documents, fragmentsOf: others, addsTypename: arguments.has("typename"))
      return switch arguments.choice("format", default: Form.apollo) {
      case .apollo: manifest.apollo
      case .relay: manifest.relay
      }
    } catch {
      throw CommandError(exitCode: .resultErrors, message: "\(error)")
    }
  }
}
