import ApusASCII

/// The text formats without a distinctive header. The file name or the start of the text determines the format.
enum ImportedTextFormat {
  case shell, commandPrompt, powerShell, fetch, http, markdown

  init(of text: String, named name: String) {
    let ending = name.lowercased().split(separator: ".").last ?? ""
    switch ending {
    case "http", "rest": self = .http
    case "md", "markdown": self = .markdown
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
    var block: [Substring]?
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      let isFence = line.drop { $0 == " " }.hasPrefix("```")
      guard isFence else {
        block?.append(line)
        continue
      }
      if let lines = block {
        let code = lines.joined(separator: "\n")
        let format = ImportedTextFormat(of: code, named: "")
        // A block counts as an HTTP file only if it starts with a request line.
        if format.isCertain(of: code) { format.read(code, files, into: &collection) }
        block = nil
      } else {
        block = []
      }
    }
  }

  private func isCertain(of text: String) -> Bool {
    switch self {
    case .shell, .commandPrompt, .powerShell, .fetch: true
    case .http: HTTPRequestLine.first(in: text) != nil
    case .markdown: false
    }
  }
}
