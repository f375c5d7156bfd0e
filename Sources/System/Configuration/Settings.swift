import ApusSecrets

/// What a person set in `config.yml`:
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
  /// Milliseconds to wait for the rest of a key's sequence after Esc.
  package var escapeDelay: Int?
  /// Whether text is moved farther from its background than a scheme has it.
  package var hasHighContrast = false
  /// Whether somebody new is told where the keys are.
  package var showsHints = true
  /// Seconds that a run must take for its end to be told on the desktop while the terminal is out of focus; nil for none.
  package var notifiesAfter: Int?
  /// Whether what is certain to be written next is shown behind the cursor.
  package var showsGhostText = true
  /// Which fields make the keys of cached objects, wherever they come from.
  package var cacheKeys = CacheKeySettings()
  /// How `apus schema lint` judges where nothing else says so.
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

  /// Reads `config.yml`; without the file, nothing is set.
  package static func load(from folders: UserFolders = UserFolders()) throws(ConfigurationError) -> Settings {
    guard let bytes = try UserFile.readOwn(folders.configFile) else { return Settings() }
    return try Settings(YAMLParser.parse(bytes, file: folders.configFile))
  }

  package func profile(named name: String) -> Profile? { profiles.first { $0.name == name } }

  /// Which fields make the keys of what a profile's endpoint answers; of another endpoint's for `nil`.
  package func cacheKeys(for profile: Profile?) -> CacheKeySettings { profile?.cacheKeys.over(cacheKeys) ?? cacheKeys }
}
