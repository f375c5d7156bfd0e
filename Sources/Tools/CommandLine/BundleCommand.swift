import ApusGraphQLLanguage
import ApusJSON

/// `apus bundle`: a manifest of persisted queries from documents.
struct BundleCommand: Sendable {
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
    let isRelay = arguments.value("format") == "relay"
    StandardStreams.output(line: isRelay ? manifest.relay : manifest.apollo, isPretty: true)
    return .success
  }
}
