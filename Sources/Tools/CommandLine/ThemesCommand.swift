import ApusConfiguration

/// `apus themes`: lists the available color themes, one per line.
enum ThemesCommand {
  static func run() -> ExitCode {
    let library = ThemeLibrary()
    let width = library.entries.map(\.name.count).max() ?? 0
    StandardStreams.show(
      lines: library.entries.map { entry in
        let variant = entry.variant == .dark ? "dark " : "light"
        return "\(entry.name.padded(to: width))  \(variant)  \(entry.title)"
      })
    for problem in library.problems { StandardStreams.narrate("apus: \(problem)") }
    return library.problems.isEmpty ? .success : .fileError
  }
}
