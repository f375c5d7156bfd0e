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
package struct Settings: Equatable, Sendable {
  package var theme: String?
  /// The time to wait for the rest of an escape sequence after Esc, in milliseconds.
  package var escapeDelay: Int?
  /// Whether the contrast of theme colors is increased.
  package var hasHighContrast = false
  /// Whether hints for new users are shown.
  package var showsHints = true
  /// The seconds after which a finished run causes a desktop notification if the terminal has no focus; nil for never.
  package var notifiesAfter: Int?
  /// Whether ghost text is shown when only one completion is possible.
  package var showsGhostText = true
  /// The default key fields of cached objects.
  package var cacheKeys = CacheKeySettings()
  /// The default settings of `apus schema lint`.
  package var lint = LintSettings()
  package var profiles: [Profile] = []

  package init() {}

  package init(_ root: YAMLNode) throws(ConfigurationError) {
    if root.isNull { return }
    try root.allow(
      keys: ["theme", "escapeDelay", "contrast", "hints", "notifyAfter", "ghostText", "cacheKeys", "lint", "profiles"],
      in: "the configuration")
    theme = try root["theme"]?.string("theme")
    escapeDelay = try root["escapeDelay"]?.int("escapeDelay", in: 0...10_000)
    if let contrast = root["contrast"] {
      switch try contrast.string("contrast") {
      case "normal": hasHighContrast = false
      case "high": hasHighContrast = true
      default: throw contrast.error("contrast must be normal or high")
      }
    }
    showsHints = try root["hints"]?.bool("hints") ?? true
    notifiesAfter = try root["notifyAfter"]?.int("notifyAfter", in: 0...86_400)
    showsGhostText = try root["ghostText"]?.bool("ghostText") ?? true
    if let node = root["cacheKeys"] { cacheKeys = try CacheKeySettings(node) }
    if let node = root["lint"] { lint = try LintSettings(node) }
    for member in try root["profiles"]?.members("profiles") ?? [] {
      guard !member.key.isEmpty, !member.key.contains("://"), !member.key.hasPrefix("-") else {
        throw ConfigurationError(
          file: root.file, at: member.keyPosition, "'\(printable(member.key))' cannot be the name of a profile")
      }
      profiles.append(try Profile(name: member.key, member.value))
    }
  }

  /// Reads `config.yml`; returns default settings if it does not exist.
  package static func load(from folders: UserFolders = UserFolders()) throws(ConfigurationError) -> Settings {
    guard let bytes = try UserFile.readOwn(folders.configFile) else { return Settings() }
    return try Settings(YAMLParser.parse(bytes, file: folders.configFile))
  }

  package func profile(named name: String) -> Profile? { profiles.first { $0.name == name } }

  /// Returns the key fields for the endpoint of a profile; for other endpoints if `profile` is `nil`.
  package func cacheKeys(for profile: Profile?) -> CacheKeySettings { profile?.cacheKeys.over(cacheKeys) ?? cacheKeys }
}
