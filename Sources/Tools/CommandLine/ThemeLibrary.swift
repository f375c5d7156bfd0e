import ApusConfiguration
import ApusExplorerTerminal
import ApusPlatform

/// The available color themes: the two built-in ones, those installed with the program, and the user's.
struct ThemeLibrary: Sendable {
  struct Entry: Sendable {
    /// The name for `--theme` and `config.yml`.
    let name: String
    let title: String
    let palette: ThemePalette
    let variant: Theme.Variant
    /// `nil` for a built-in theme.
    let file: String?
    /// Whether the theme has the terminal's own background and its 16 colors instead of the palette's.
    var usesTerminalColors = false

    func theme(_ capabilities: TerminalCapabilities, _ contrast: Theme.ContrastLevel) -> Theme {
      var capabilities = capabilities
      if usesTerminalColors, capabilities.colors != .mono { capabilities.colors = .sixteen }
      return Theme(palette: palette, variant: variant, capabilities: capabilities, contrast: contrast)
    }
  }

  private(set) var entries: [Entry] = [
    Entry(name: "dark", title: "Apus dark", palette: .builtInDark, variant: .dark, file: nil),
    Entry(name: "light", title: "Apus light", palette: .builtInLight, variant: .light, file: nil),
    Entry(
      name: "terminal", title: "Terminal colors", palette: .builtInDark, variant: .dark, file: nil,
      usesTerminalColors: true),
    Entry(
      name: "terminal-light", title: "Terminal colors, light", palette: .builtInLight, variant: .light, file: nil,
      usesTerminalColors: true),
  ]
  /// The messages about unreadable files, one per file.
  private(set) var problems: [String] = []

  init(folders: UserFolders = UserFolders()) {
    for folder in [InstalledFiles.folder("share/apus/themes", inCheckout: "Themes"), folders.themes].compactMap({ $0 })
    {
      for file in UserFile.names(in: folder, endings: [".yaml", ".yml"]) { add("\(folder)/\(file)") }
    }
  }

  private mutating func add(_ path: String) {
    do throws(ConfigurationError) {
      let entry = try Self.read(path)
      entries.removeAll { $0.name == entry.name }
      entries.append(entry)
    } catch {
      problems.append("\(error)")
    }
  }

  private static func read(_ path: String) throws(ConfigurationError) -> Entry {
    let scheme = try ThemeScheme.load(path)
    let file = path.split(separator: "/").last.map(String.init) ?? path
    let name = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
    guard let palette = ThemePalette(name: scheme.name, colors: scheme.palette.map { RGB($0.hex) }) else {
      throw ConfigurationError(file: path, "a scheme must have 16 or 24 colors")
    }
    return Entry(
      name: name, title: scheme.name, palette: palette, variant: scheme.variant == .dark ? .dark : .light, file: path)
  }

  /// Returns the themes with the wanted one first: a name, or the path of a scheme file.
  func entries(first requested: String?) throws(CommandError) -> [Entry] {
    guard let requested else { return entries }
    if let entry = entries.first(where: { $0.name == requested }) {
      return [entry] + entries.filter { $0.name != requested }
    }
    guard requested.contains("/") || requested.hasSuffix(".yaml") || requested.hasSuffix(".yml") else {
      throw CommandError(
        exitCode: .usageError, message: "unknown theme '\(requested)'; 'apus themes' lists the themes")
    }
    do throws(ConfigurationError) {
      return [try Self.read(requested)] + entries
    } catch {
      throw .file("\(error)")
    }
  }
}
