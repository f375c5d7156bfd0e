import ApusConfiguration
import ApusPlatform
import ApusProcesses
import ApusSecrets

/// A file in a revision of the git repository around the current directory: `HEAD:schema.graphql`, `v1.2:./schema.graphql`,
/// or `:schema.graphql` for the staged version. As in git, paths are relative to the repository root, or with `./` to the
/// current directory.
///
/// The repository's configuration is untrusted. The git command reads a single object, runs no filter, pager or hook, and
/// cannot fetch. The name is one argument that never begins with a dash.
struct GitRevision {
  let name: String

  /// The maximum size of a schema, in bytes.
  private static let limit = 128 << 20

  /// Returns `nil` if the source has another form or begins with a dash, like an option.
  init?(_ source: String) {
    guard source.contains(":"), !source.contains("://"), !source.hasPrefix("-") else { return nil }
    name = source
  }

  /// Returns the path in the name of a revision's file, relative to the repository root.
  static func path(of source: String) -> String {
    guard GitRevision(source) != nil, access(source, F_OK) != 0, let colon = source.lastIndex(of: ":") else {
      return source
    }
    let path = source[source.index(after: colon)...]
    return String(path.hasPrefix("./") ? path.dropFirst(2) : path)
  }

  func read() throws(CommandError) -> [UInt8] {
    var variables = ProcessEnvironment.variables
    // Without any protocol git cannot fetch objects that a partial clone lacks.
    variables["GIT_ALLOW_PROTOCOL"] = ""
    variables["GIT_NO_LAZY_FETCH"] = "1"
    variables["GIT_OPTIONAL_LOCKS"] = "0"
    do throws(ChildOutput.ReadError) {
      return try ChildOutput.read(
        "git", ["-c", "core.fsmonitor=false", "cat-file", "blob", name],
        environment: variables.map { "\($0)=\($1)" }, errors: .nowhere, limit: Self.limit)
    } catch {
      switch error {
      case .notStarted(let reason): throw .file("cannot start git to read \(printable(name)): \(reason)")
      case .tooLong: throw .file("\(printable(name)) is larger than \(Self.limit >> 20) MB")
      case .failed(let status):
        throw .file(
          "git cannot find '\(printable(name))' (exit code \(status)); paths are relative to the repository root")
      }
    }
  }
}
