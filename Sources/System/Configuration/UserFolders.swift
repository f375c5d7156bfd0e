import ApusPlatform

/// The folders for the user's files.
///
/// Source: XDG Base Directory Specification 0.8. `APUS_CONFIG_HOME` and related variables take precedence, so that a
/// test or a second setup can use other folders. As the specification requires, relative paths in variables are
/// ignored.
package struct UserFolders: Equatable, Sendable {
  /// The folder for `config.yml`, `themes/` and `keys.yml`.
  package let config: String
  /// The folder for the history and other data that cannot be recreated.
  package let data: String
  /// The folder for saved sessions.
  package let state: String
  /// The folder for data that can be recreated.
  package let cache: String

  package init(environment: [String: String] = ProcessEnvironment.variables) {
    let home = Self.home(environment)
    func folder(_ kind: String, _ usual: String) -> String {
      func absolute(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
      if let override = absolute("APUS_\(kind)_HOME") { return override }
      return (absolute("XDG_\(kind)_HOME") ?? "\(home)/\(usual)") + "/apus"
    }
    config = folder("CONFIG", ".config")
    data = folder("DATA", ".local/share")
    state = folder("STATE", ".local/state")
    cache = folder("CACHE", ".cache")
  }

  package var configFile: String { config + "/config.yml" }
  /// The file of variables for profiles. It belongs to the user, like the configuration.
  package var environmentFile: String { config + "/.env" }
  package var keysFile: String { config + "/keys.yml" }
  package var themes: String { config + "/themes" }
  /// The folder for text that is open in an external editor.
  package var editing: String { state + "/editing" }
  /// The folder with one file for each project that the user trusts.
  package var trust: String { data + "/trusted" }

  package static var home: String { home(ProcessEnvironment.variables) }

  /// Returns the path with a `~` before its first slash replaced by the home folder.
  package static func expandingHome(in path: String) -> String { path.hasPrefix("~/") ? home + path.dropFirst() : path }

  private static func home(_ environment: [String: String]) -> String {
    guard let named = environment["HOME"], named.hasPrefix("/") else { return homeOfUser }
    return named.count > 1 && named.hasSuffix("/") ? String(named.dropLast()) : named
  }

  private static var homeOfUser: String {
    var record = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 4096)
    let status = getpwuid_r(getuid(), &record, &buffer, buffer.count, &found)
    guard status == 0, found != nil, let directory = record.pw_dir else { return "/" }
    return String(cString: directory)
  }
}
