import ApusGraphQLLanguage
import ApusJSON

/// `apus bundle`: a manifest of persisted queries from documents.
struct BundleCommand: Sendable {
  /// The tool that reads the manifest.
  enum Form: String, CaseIterable {
    case apollo, relay
  }

  let arguments: ParsedArguments

  func run() throws(CommandFailure) -> ExitCode {
    let documents = try DocumentFiles.executable(try DocumentFiles.named(by: arguments))
    let manifest: PersistedQueryManifest
    do throws(PersistedQueryManifest.Problem) {
      manifest = try PersistedQueryManifest(documents, addsTypename: arguments.has("typename"))
    } catch {
      throw CommandFailure(exitCode: .resultHasErrors, message: "\(error)")
    }
    try CommandFailure.checkInterruption()
    switch arguments.choice("format", default: Form.apollo) {
    case .apollo: StandardStreams.output(line: manifest.apollo, isPretty: true)
    case .relay: StandardStreams.output(line: manifest.relay, isPretty: true)
    }
    return .success
  }
}
