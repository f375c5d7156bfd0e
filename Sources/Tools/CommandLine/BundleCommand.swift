import ApusGraphQLLanguage
import ApusJSON

/// `apus bundle`: a manifest of persisted queries from documents.
struct BundleCommand: Sendable {
  let arguments: ParsedArguments

  func run() throws(CommandFailure) -> ExitCode {
    let documents = try DocumentFiles.executable(try DocumentFiles.named(by: arguments))
    do throws(PersistedQueryManifest.Problem) {
      let manifest = try PersistedQueryManifest(documents, addsTypename: arguments.has("typename"))
      let isRelay = arguments.value("format") == "relay"
      StandardStreams.output(line: isRelay ? manifest.relay : manifest.apollo, isPretty: true)
      return .success
    } catch {
      throw CommandFailure(exitCode: .resultHasErrors, message: "\(error)")
    }
  }
}
