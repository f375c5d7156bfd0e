import ApusPlatform

/// The folders for the user's files: `~/.config/apus`, `~/.local/share/apus`, `~/.local/state/apus` and
/// `~/.cache/apus`.
///
/// Source: XDG Base Directory Specification 0.8. `APUS_CONFIG_HOME` and related variables take precedence, so that a
/// test or a second setup can use other folders. As the specification requires, relative paths in variables are
/// ignored.
package struct UserFolders: Equatable, Sendable {
  /// Settings: `config.yml`, `themes/` and `keys.yml`.
  package let config: String
  /// History and other data that cannot be recreated.
  package let data: String
  /// Saved sessions.
  package let state: String
  /// Data that can be recreated.
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
  /// Variables for profiles. The file belongs to the user, like the configuration.
  package var environmentFile: String { config + "/.env" }
  package var keysFile: String { config + "/keys.yml" }
  package var themes: String { config + "/themes" }
  /// Text that is open in an external editor.
  package var editing: String { state + "/editing" }
  /// One file for each project that the user trusts.
  package var trust: String { data + "/trusted" }

  package static var home: String { home(ProcessEnvironment.variables) }

  /// Replaces a `~` before the first slash by the home folder: `~/schema.graphql`.
  package static func expandingHome(in path: String) -> String {
    path == "~" || path.hasPrefix("~/") ? home + path.dropFirst() : path
  }

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
