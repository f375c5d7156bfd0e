import ApusPlatform

/// Where a person's files are.
///
/// Source: XDG Base Directory Specification 0.8. `APUS_CONFIG_HOME` and its like come first, so that a test or a
/// second set-up can have a home of its own; a relative path in a variable is ignored, as the specification demands.
package struct UserFolders: Equatable, Sendable {
  /// `config.yml`, `themes/`, `keys.yml`.
  package let config: String
  /// History and caches that are worth keeping.
  package let data: String
  /// Restored workspaces.
  package let state: String
  /// What can be made again.
  package let cache: String

  package init(environment: [String: String] = ProcessEnvironment.variables) {
    let home = Self.home(environment)
    func folder(_ kind: String, _ usual: String) -> String {
      func absolute(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
      if let own = absolute("APUS_\(kind)_HOME") { return own }
      return (absolute("XDG_\(kind)_HOME") ?? "\(home)/\(usual)") + "/apus"
    }
    config = folder("CONFIG", ".config")
    data = folder("DATA", ".local/share")
    state = folder("STATE", ".local/state")
    cache = folder("CACHE", ".cache")
  }

  package var configFile: String { config + "/config.yml" }
  /// Variables for the profiles; it is a person's own, as the configuration beside it.
  package var environmentFile: String { config + "/.env" }
  package var keysFile: String { config + "/keys.yml" }
  package var themes: String { config + "/themes" }
  /// Texts that an editor has.
  package var editing: String { state + "/editing" }
  /// What the user trusted, a file for each.
  package var trust: String { data + "/trusted" }

  /// The user's home folder.
  package static var home: String { home(ProcessEnvironment.variables) }

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
