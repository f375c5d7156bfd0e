import ApusSecrets

/// The user's settings in `config.yml`:
///
///     theme: nord
///     escapeDelay: 25
///     profiles:
///       birds: https://birds.example/graphql
///       ringing:
///         url: https://ringing.example/graphql
///         headers:
///           Authorization: Bearer $RINGING_TOKEN
///           X-Key: $(pass show ringing)
///       staging:
///         extends: ringing
///         url: https://staging.ringing.example/graphql
package struct Settings: Equatable, Sendable {
  package var theme: String?
  /// The time to wait for the rest of an escape sequence after Esc, in milliseconds.
  package var escapeDelay: Int?
  /// Whether the contrast of theme colors is increased.
  package var hasHighContrast = false
  /// Whether hints for new users are shown.
  package var showsHints = true
  /// Whether runs are stored in the history.
  package var recordsHistory = true
  /// The seconds after which a finished run causes a desktop notification if the terminal has no focus; nil for never.
  package var notifiesAfter: Int?
  /// Whether ghost text is shown when only one completion is possible.
  package var showsGhostText = true
  package var cacheKeys = CacheKeySettings()
  package var lint = LintSettings()
  package var profiles: [Profile] = []
  /// Settings and profiles with mistakes, which have no effect.
  package private(set) var problems: [ConfigurationError] = []
  private var sectionProblems: [Section: ConfigurationError] = [:]

  /// A part of the file that some commands cannot work without: `apus schema lint` needs `lint`.
  package enum Section: Sendable {
    /// The file cannot be parsed.
    case file
    case cacheKeys, lint, other
  }

  package init() {}

  /// - Throws: The first error in the file.
  package init(_ root: YAMLNode) throws(ConfigurationError) {
    self.init(tolerating: root)
    if let problem = problems.first { throw problem }
  }

  /// Reads the settings and profiles without those that have a mistake.
  package init(tolerating root: YAMLNode) {
    if root.isNull { return }
    let keys = [
      "theme", "escapeDelay", "contrast", "hints", "history", "notifyAfter", "ghostText", "cacheKeys", "lint",
      "profiles",
    ]
    noting { (_) throws(ConfigurationError) in try root.allow(keys: keys, in: "the configuration") }
    noting { (parsed) throws(ConfigurationError) in parsed.theme = try root["theme"]?.string("theme") }
    noting { (parsed) throws(ConfigurationError) in
      parsed.escapeDelay = try root["escapeDelay"]?.int("escapeDelay", in: 0...10_000)
    }
    noting { (parsed) throws(ConfigurationError) in
      guard let contrast = root["contrast"] else { return }
      switch try contrast.string("contrast") {
      case "normal": parsed.hasHighContrast = false
      case "high": parsed.hasHighContrast = true
      default: throw contrast.error("contrast must be normal or high")
      }
    }
    noting { (parsed) throws(ConfigurationError) in parsed.showsHints = try root["hints"]?.bool("hints") ?? true }
    noting { (parsed) throws(ConfigurationError) in
      parsed.recordsHistory = try root["history"]?.bool("history") ?? true
    }
    noting { (parsed) throws(ConfigurationError) in
      parsed.notifiesAfter = try root["notifyAfter"]?.int("notifyAfter", in: 0...86_400)
    }
    noting { (parsed) throws(ConfigurationError) in
      parsed.showsGhostText = try root["ghostText"]?.bool("ghostText") ?? true
    }
    noting(.cacheKeys) { (parsed) throws(ConfigurationError) in
      if let node = root["cacheKeys"] { parsed.cacheKeys = try CacheKeySettings(node) }
    }
    noting(.lint) { (parsed) throws(ConfigurationError) in
      if let node = root["lint"] { parsed.lint = try LintSettings(node) }
    }
    var members: [YAMLNode.Member] = []
    noting { (_) throws(ConfigurationError) in members = try root["profiles"]?.members("profiles") ?? [] }
    var inheritance = ProfileInheritance(members)
    for member in members {
      noting { (parsed) throws(ConfigurationError) in
        guard !member.key.isEmpty, !member.key.contains("://"), !member.key.hasPrefix("-") else {
          throw ConfigurationError(
            file: root.file, at: member.keyPosition, "'\(printable(member.key))' cannot be the name of a profile")
        }
        let resolved = try inheritance.resolved(member)
        var profile = try Profile(name: member.key, resolved.node)
        profile.signInOwner = resolved.signInOwner
        parsed.profiles.append(profile)
      }
    }
  }

  private mutating func noting(
    _ section: Section = .other, _ body: (inout Settings) throws(ConfigurationError) -> Void
  ) {
    do throws(ConfigurationError) {
      try body(&self)
    } catch {
      problems.append(error)
      if sectionProblems[section] == nil { sectionProblems[section] = error }
    }
  }

  /// Throws if a mistake is the reason that a section has its default values.
  package func check(_ section: Section) throws(ConfigurationError) {
    if let problem = sectionProblems[.file] ?? sectionProblems[section] { throw problem }
  }

  /// Reads `config.yml` without the settings and profiles that have a mistake, which are reported in `problems`;
  /// returns default settings if the file does not exist.
  ///
  /// - Throws: Why the file may not be used at all: another user owns it or may write it.
  package static func load(from folders: UserFolders = UserFolders()) throws(ConfigurationError) -> Settings {
    guard let bytes = try UserFile.readOwn(folders.configFile) else { return Settings() }
    var settings = Settings()
    settings.noting(.file) { (parsed) throws(ConfigurationError) in
      parsed = Settings(tolerating: try YAMLParser.parse(bytes, file: folders.configFile))
    }
    return settings
  }

  /// Returns the profiles that share the sign-in of a profile, with the profile itself.
  package func profiles(sharingSignInOf profile: Profile) -> [Profile] {
    let others = profiles.filter {
      $0.signInOwner == profile.signInOwner && $0.authentication == profile.authentication && $0.name != profile.name
    }
    return [profile] + others
  }

  package func profile(named name: String) -> Profile? { profiles.first { $0.name == name } }

  /// Returns the key fields for the endpoint of a profile; for other endpoints if `profile` is `nil`.
  package func cacheKeys(for profile: Profile?) -> CacheKeySettings { profile?.cacheKeys.over(cacheKeys) ?? cacheKeys }
}
