import ApusConfiguration
import ApusPlatform
import ApusProcesses
import ApusSecrets

/// A file as a revision of the git repository around the working folder has it: `HEAD:schema.graphql`,
/// `v1.2:./schema.graphql`, or `:schema.graphql` as it is staged. Paths are git's: from the repository's top, or with `./`
/// from here.
///
/// What the repository's configuration says may be anybody's. Git is asked for the bytes of one object, by a command that
/// runs no filter, pager or hook, and may fetch nothing. The name is one word that never begins with a dash.
struct GitRevision {
  let name: String

  /// More is no schema.
  private static let limit = 128 << 20

  /// nil for what has not the form, or begins like an option.
  init?(_ source: String) {
    guard source.contains(":"), !source.contains("://"), !source.hasPrefix("-") else { return nil }
    name = source
  }

  /// The path in the name of a revision's file, as those write it who read the repository: from its top.
  static func path(of source: String) -> String {
    guard GitRevision(source) != nil, access(source, F_OK) != 0, let colon = source.lastIndex(of: ":") else {
      return source
    }
    let path = source[source.index(after: colon)...]
    return String(path.hasPrefix("./") ? path.dropFirst(2) : path)
  }

  func read() throws(CommandFailure) -> [UInt8] {
    var variables = ProcessEnvironment.variables
    // No protocol at all: an object that is missing in a partial clone is missing.
    variables["GIT_ALLOW_PROTOCOL"] = ""
    variables["GIT_NO_LAZY_FETCH"] = "1"
    variables["GIT_OPTIONAL_LOCKS"] = "0"
    do throws(ChildOutput.Failure) {
      return try ChildOutput.read(
        "git", ["-c", "core.fsmonitor=false", "cat-file", "blob", name],
        environment: variables.map { "\($0)=\($1)" }, errors: .nowhere, limit: Self.limit)
    } catch {
      switch error {
      case .notStarted(let reason): throw .file("\(printable(name)): git cannot be started: \(reason)")
      case .tooLong: throw .file("\(printable(name)) is larger than \(Self.limit >> 20) MB")
      case .failed(let status):
        throw .file(
          "git has no file '\(printable(name))' here (it ended with \(status)); a path begins at the repository's top")
      }
    }
  }
}
