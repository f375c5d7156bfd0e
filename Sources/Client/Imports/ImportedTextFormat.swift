import ApusASCII

/// The text formats without a distinctive header. The file name or the start of the text determines the format.
enum ImportedTextFormat {
  case shell, commandPrompt, powerShell, fetch, http, markdown

  init(of text: String, named name: String) {
    let ending = name.lowercased().split(separator: ".").last ?? ""
    switch ending {
    case "http", "rest": self = .http
    case "md", "markdown": self = .markdown
    case "sh", "bash", "zsh", "curl": self = CommandPromptWords.isOne(text) ? .commandPrompt : .shell
    case "bat", "cmd": self = .commandPrompt
    case "ps1": self = .powerShell
    case "js", "mjs", "cjs", "ts": self = .fetch
    default:
      if CommandPromptWords.isOne(text) {
        self = .commandPrompt
      } else if HTTPRequestLine.first(in: text) != nil {
        self = .http
      } else if PowerShellScript.isOne(text) {
        self = .powerShell
      } else if FetchScript.isOne(text) {
        self = .fetch
      } else {
        self = Self.hasCurl(text) ? .shell : .http
      }
    }
  }

  private static let textEndings: Set<Substring> = [
    "http", "rest", "md", "markdown", "sh", "bash", "zsh", "curl", "bat", "cmd", "ps1", "js", "mjs", "cjs", "ts", "txt",
  ]

  /// Returns whether a file of this name is not JSON, even if it starts with a brace or bracket.
  static func isText(named name: String) -> Bool {
    name.lowercased().split(separator: ".").last.map(textEndings.contains) == true
  }

  private static func hasCurl(_ text: String) -> Bool {
    // Skip the shell parser if the word does not occur.
    text.utf8.count < 1 << 26 && text.contains("curl")
      && ShellScript(text.utf8).commands.contains { CurlCommand($0, after: nil) != nil }
  }

  func read(_ text: String, _ files: AdjacentFiles, into collection: inout ImportedCollection) {
    switch self {
    case .shell: collection.readShell(ShellScript(text.utf8), files)
    case .commandPrompt: collection.readCommandPrompt(text, files)
    case .powerShell: collection.readPowerShell(text, files)
    case .fetch: collection.readFetch(text)
    case .http: collection.readHTTP(text, files)
    case .markdown: Self.readMarkdown(text, files, into: &collection)
    }
  }

  /// Reads the code blocks that contain requests. A GraphQL document alone has no endpoint and is ignored.
  private static func readMarkdown(
    _ text: String, _ files: AdjacentFiles, into collection: inout ImportedCollection
  ) {
    var block: [Substring] = []
    var fence: Substring = ""
    func finish(_ collection: inout ImportedCollection) {
      let code = block.joined(separator: "\n")
      let format = ImportedTextFormat(of: code, named: "")
      if format.isCertain(of: code, named: "") { format.read(code, files, into: &collection) }
      block = []
      fence = ""
    }
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      let start = line.drop { $0 == " " || $0 == "\t" || $0 == ">" }
      let mark = start.prefix { $0 == start.first && ($0 == "`" || $0 == "~") }
      if fence.isEmpty {
        if mark.count >= 3 { fence = mark }
      } else if mark.first == fence.first, mark.count >= fence.count,
        start.dropFirst(mark.count).allSatisfy(\.isWhitespace)
      {
        finish(&collection)
      } else {
        block.append(line)
      }
    }
    // A block without an end reaches to the end of the text.
    if !fence.isEmpty { finish(&collection) }
  }

  /// Returns whether text has the form of requests. Text of unknown form is read as an HTTP file, which needs a request line,
  /// unless that is the file's ending.
  func isCertain(of text: String, named name: String) -> Bool {
    switch self {
    case .shell, .commandPrompt, .powerShell, .fetch, .markdown: true
    case .http:
      ["http", "rest"].contains { name.lowercased().hasSuffix(".\($0)") } || HTTPRequestLine.first(in: text) != nil
    }
  }
}
