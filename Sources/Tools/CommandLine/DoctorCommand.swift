import ApusFormatting
import ApusClientFormats
import ApusClientNetwork
import ApusConfiguration
import ApusDemo
import ApusExplorerCore
import ApusExplorerPersistence
import ApusExplorerNCurses
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusFilters
import ApusGraphQLProjects
import ApusGraphQLSchema
import ApusPlatform
import ApusSQLite
import ApusSecrets
import CApusSQLite

/// `apus doctor`: checks the terminal, the locale, the libraries and the configuration.
struct DoctorCommand {
  /// The result of one check.
  struct Check {
    enum Verdict { case good, note, wrong }
    var what: String
    var verdict = Verdict.good
    var words: String
    /// The recommended action, if there is one.
    var advice: String?
  }

  private var sections: [(title: String, findings: [Check])] = []
  private let environment = ProcessEnvironment.variables
  /// The environment with the variables of the user's `.env` file.
  private let variables: [String: String]
  private let folders = UserFolders()

  /// The sign-ins of the profiles, by name.
  private let signIns: [String: SignInReport]

  /// - Parameter signIns: The sign-ins of the profiles, by name.
  init(signIns: [String: SignInReport]) {
    self.signIns = signIns
    let file = try? EnvironmentFile.read(folders.environmentFile, isNamed: false)
    variables = file?.completing(environment) ?? environment
    sections = [
      ("Terminal", terminal()), ("Libraries", libraries()), ("Configuration", configuration()),
      ("Folders", keptFolders()),
    ]
  }

  func run() -> ExitCode {
    let useColor = StandardStreams.outputIsTerminal && (environment["NO_COLOR"] ?? "").isEmpty
    var text = "\(HelpText.version)\n"
    var problems = 0
    for (title, findings) in sections {
      text += "\n\(title)\n"
      let width = findings.map(\.what.count).max() ?? 0
      for finding in findings {
        let (mark, color) =
          switch finding.verdict {
          case .good: ("ok   ", "32")
          case .note: ("note ", "33")
          case .wrong: ("WRONG", "31")
          }
        if finding.verdict == .wrong { problems += 1 }
        text +=
          "  \(useColor ? "\u{1B}[\(color)m\(mark)\u{1B}[0m" : mark)  \(TerminalSafeText.of(finding.what).padded(to: width))  \(TerminalSafeText.of(finding.words))\n"
        if let advice = finding.advice { text += "  \("".padded(to: width + 9))\(TerminalSafeText.of(advice))\n" }
      }
    }
    text += problems == 0 ? "\nNo problems.\n" : "\n\(DisplayFormat.plural(problems, "problem")).\n"
    StandardStreams.output(styled: text)
    return problems == 0 ? .success : .resultErrors
  }

  // MARK: Checks

  private func terminal() -> [Check] {
    let report = TerminalReport(environment: environment)
    var findings: [Check] = []
    if !StandardStreams.outputIsTerminal || !StandardStreams.inputIsTerminal {
      findings.append(
        Check(what: "screen", verdict: .note, words: "not a terminal; commands work, but the explorer needs one")
      )
    } else if let size = report.size {
      let fits = size.width >= ScreenLayout.smallest.width && size.height >= ScreenLayout.smallest.height
      findings.append(
        Check(
          what: "screen", verdict: fits ? .good : .wrong, words: "\(size.width)×\(size.height)",
          advice: fits ? nil : "the explorer needs \(ScreenLayout.smallest.width)×\(ScreenLayout.smallest.height)"))
    }
    findings += entry(report)
    let locale = environment["LC_ALL"] ?? environment["LC_CTYPE"] ?? environment["LANG"] ?? "unset"
    findings.append(
      Check(
        what: "locale", verdict: report.isUTF8 ? .good : .wrong,
        words: "\(locale)\(report.isUTF8 ? ", UTF-8" : ", not UTF-8")",
        advice: report.isUTF8 ? nil : "other characters than ASCII are replaced; set LC_ALL=C.UTF-8"))
    if report.isTmux {
      findings.append(
        Check(
          what: "tmux", verdict: .note, words: "yes",
          advice: "copying needs 'set -s set-clipboard on', a quick Esc 'set -s escape-time 10'"))
    }
    if report.isGNUScreen {
      findings.append(Check(what: "screen(1)", verdict: .note, words: "yes: at most 256 colors, no direct color"))
    }
    if report.isConsole {
      findings.append(Check(what: "console", verdict: .note, words: "no mouse, no clipboard, few glyphs"))
    }
    if environment["SSH_CONNECTION"] != nil {
      findings.append(
        Check(what: "SSH", words: "copying goes through the terminal (OSC 52); --escape-delay helps on a slow link"))
    }
    return findings
  }

  /// Checks the terminfo entry of the terminal.
  private func entry(_ report: TerminalReport) -> [Check] {
    guard let colors = report.colors else {
      if let fallback = report.fallbackName {
        let words = "'\(report.name)' has no terminfo entry; using \(fallback) instead"
        return [Check(what: "TERM", verdict: .note, words: words, advice: "install its entry (ncurses-term)")]
      }
      return [
        report.name.isEmpty
          ? Check(
            what: "TERM", verdict: .wrong, words: "is not set",
            advice: "set it to the terminal's name, such as xterm-256color")
          : Check(
            what: "TERM", verdict: .wrong, words: "'\(report.name)' is unknown to terminfo",
            advice: "install its entry (ncurses-term), or set TERM=xterm-256color")
      ]
    }
    let words =
      switch colors {
      case .mono: report.forbidsColor ? "none (NO_COLOR is set)" : "none"
      case .sixteen: "16"
      case .indexed256: "256"
      case .direct: "direct color"
      }
    let hasFew = colors < .indexed256 && !report.forbidsColor
    return [
      report.positionsCursor
        ? Check(what: "TERM", words: report.name)
        : Check(
          what: "TERM", verdict: .wrong, words: "'\(report.name)' cannot position the cursor",
          advice: "use a terminal such as xterm; commands other than the explorer work"),
      Check(
        what: "colors", verdict: hasFew ? .note : .good, words: words,
        advice: hasFew ? "a terminal with 256 colors shows the exact colors of themes" : nil),
    ]
  }

  private func libraries() -> [Check] {
    let report = TerminalReport(environment: environment)
    func loaded(
      _ what: String, without: String, failure: String?, version: String, isOptional: Bool = false
    ) -> Check {
      guard let failure else { return Check(what: what, words: version) }
      return Check(what: what, verdict: isOptional ? .note : .wrong, words: failure, advice: "needed for \(without)")
    }
    return [
      Check(what: "ncurses", words: report.ncursesVersion),
      loaded(
        "curl", without: "requests", failure: CurlLibrary.failure, version: CurlLibrary.version ?? "unknown"),
      Check(what: "sqlite", words: sqlite3_libversion().map { String(cString: $0) } ?? "unknown"),
      loaded(
        "secret", without: "sign-ins in the keyring", failure: KeyringTokenStore.libraryFailure, version: "loaded",
        isOptional: true),
      loaded("jq", without: "filters of a response", failure: FilterWorker.libraryFailure, version: "loaded"),
      loaded(
        "microhttpd", without: "apus demo and apus serve", failure: DemoServer.libraryFailure,
        version: DemoServer.libraryVersion ?? "unknown"),
    ]
  }

  private func configuration() -> [Check] {
    var findings: [Check] = []
    func check(_ what: String, _ read: () throws -> String) {
      do {
        findings.append(Check(what: what, words: try read()))
      } catch {
        findings.append(Check(what: what, verdict: .wrong, words: "\(error)"))
      }
    }
    var settings = Settings()
    check("config.yml") {
      guard try UserFile.readOwn(folders.configFile) != nil else { return "none (\(folders.configFile))" }
      settings = try Settings.load(from: folders)
      _ = try SchemaLintCommand.settings(settings.lint)
      return "\(folders.configFile): \(DisplayFormat.plural(settings.profiles.count, "profile"))"
    }
    findings += settings.problems.map(Self.leftOut)
    for profile in settings.profiles {
      findings += missingFiles(of: profile)
      if let report = signIns[profile.name] {
        findings.append(Check(what: "  \(profile.name)", verdict: report.isUsable ? .good : .note, words: report.words))
      }
      for header in profile.headers {
        do throws(SecretTextError) {
          // Commands are not run here, because they may prompt for a password.
          _ = try profile.resolved(header.value, process: variables, run: { (_) throws(SecretTextError) in "" })
        } catch {
          findings.append(
            Check(what: "  \(profile.name)", verdict: .note, words: "the header \(header.name): \(error)"))
        }
      }
    }
    check(".env") {
      let file = try EnvironmentFile.read(folders.environmentFile, isNamed: false)
      return file.map { "\($0.variables.count) variables" } ?? "none"
    }
    var keys = KeysFile()
    check("keys.yml") {
      guard try UserFile.readOwn(folders.keysFile) != nil else { return "none: the default keys" }
      keys = try KeysFile.load(from: folders)
      return "\(keys.usesVim ? "vim" : "default") key map, \(DisplayFormat.plural(keys.changes.count, "change"))"
    }
    findings += keys.problems.map(Self.leftOut)
    findings += keys.notes.map { Check(what: "  limited", verdict: .note, words: "\($0)") }
    check("graphql-config") {
      guard let config = try GraphQLConfig.find(from: HostSystem.workingFolder) else {
        let program = ProjectFile.unread(from: HostSystem.workingFolder).map(ProjectFile.unreadNote)
        return program.map { SingleLineText.line($0, limit: 2000) } ?? "none in this folder or above"
      }
      let names = config.endpoints.map(\.name).joined(separator: ", ")
      return SingleLineText.line(names.isEmpty ? config.file.path : "\(config.file.path): \(names)", limit: 2000)
    }
    findings += Self.missingSchemas()
    findings.append(Self.generation())
    findings += dialects()
    findings += projectRequests()
    check("trust") {
      try UserFile.checkOwn(folders.trust)
      return folders.trust
    }
    check("history") {
      let file = "\(folders.data)/history.sqlite"
      // Its folder may not exist either.
      guard access(file, F_OK) == 0 else { return "none" }
      try UserFile.checkOwn(file)
      return try DatabaseFile(file).contents == .missing ? "none" : file
    }
    check("sessions") {
      let folder = "\(folders.state)/workspaces"
      try UserFile.checkOwn(folder)
      return folder
    }
    let themes = ThemeLibrary(folders: folders)
    findings.append(Check(what: "themes", words: "\(themes.entries.count)"))
    for (place, name) in [("config.yml", settings.theme)] + settings.profiles.map({ ("  \($0.name)", $0.theme) }) {
      guard let name else { continue }
      do throws(CommandError) {
        _ = try themes.entries(first: name)
      } catch {
        findings.append(Check(what: place, verdict: .wrong, words: error.message))
      }
    }
    for problem in themes.problems { findings.append(Check(what: "themes", verdict: .wrong, words: problem)) }
    return findings
  }

  private static func leftOut(_ problem: ConfigurationError) -> Check {
    Check(what: "  skipped", verdict: .wrong, words: "\(problem)")
  }

  /// Returns a finding for each file that a profile names and that cannot be read.
  private func missingFiles(of profile: Profile) -> [Check] {
    let files = [
      ("cacert", profile.certificateAuthority), ("cert", profile.certificate), ("key", profile.key),
      ("schema", profile.schema),
    ]
    return files.compactMap { key, file in
      guard let file, !(key == "schema" && file.contains("://")), access(file, R_OK) != 0 else { return nil }
      let reason = String(cString: strerror(errno))
      return Check(what: "  \(profile.name)", verdict: .wrong, words: "\(key): \(file): \(reason)")
    }
  }

  /// Returns the GraphQL dialects of each project's documents.
  private func dialects() -> [Check] {
    let folder = FilePath(HostSystem.workingFolder)
    guard let config = (try? GraphQLConfig.find(from: HostSystem.workingFolder)) ?? nil else {
      return [finding([], root: ProjectRoot.folder(HostSystem.workingFolder), folder, project: nil)]
    }
    let place = FilePath(config.file.folder)
    return config.projects.map { finding($0.dialectSetting, root: config.file.root, place, project: $0.name) }
  }

  private func finding(_ settings: [String], root: ProjectRoot?, _ folder: FilePath, project: String?) -> Check {
    let what = "dialects" + (project.map { " of \($0)" } ?? "")
    let unknown = DialectSelection.unknownNames(in: settings).joined(separator: ", ")
    if !unknown.isEmpty {
      return Check(
        what: what, verdict: .wrong,
        words: SingleLineText.line("extensions.apus.dialect: unknown \(unknown)", limit: 200),
        advice: "the dialects are \(DialectSelection.names.joined(separator: ", "))")
    }
    let selection = DialectSelection(settings: settings, root: root, folder: folder)
    let uses = selection.uses.map(\.description).joined(separator: ", ")
    let others = selection.detects ? "detected from the documents" : "none"
    return Check(what: what, words: SingleLineText.line(uses.isEmpty ? others : uses, limit: 2000))
  }

  /// Returns every request of the project's file, as `apus trust` shows it, and whether it is trusted.
  private func projectRequests() -> [Check] {
    guard let file = (try? ProjectFile.find(from: HostSystem.workingFolder)) ?? nil else { return [] }
    do {
      let trust = try TrustStore().trust(in: file)
      return try TrustPrompt(file).requests.enumerated().map { index, request in
        let isAllowed = trust?.allows(request) ?? false
        let lines = ["for \(request.purposes.joined(separator: ", and for "))"] + request.lines
        return Check(
          what: "  request \(index + 1)",
          words: "\(isAllowed ? "trusted" : "not trusted") \(lines.joined(separator: "; "))")
      }
    } catch {
      return [Check(what: "  requests", verdict: .wrong, words: "\(error)")]
    }
  }

  private func keptFolders() -> [Check] {
    [("history", folders.data), ("sessions", folders.state), ("schemas", folders.cache)].map { what, folder in
      do throws(ConfigurationError) {
        try UserFile.makeFolder(folder)
        guard access(folder, W_OK) == 0 else {
          throw ConfigurationError(file: folder, "the folder cannot be written to")
        }
        return Check(what: what, words: folder)
      } catch {
        return Check(
          what: what, verdict: .wrong, words: "\(error)", advice: "the explorer works but saves nothing there")
      }
    }
  }
}
