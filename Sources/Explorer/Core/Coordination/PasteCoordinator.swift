import ApusClientRequests
import ApusSecrets

/// Curl commands that are pasted into the query: their import is offered first, and nothing is executed.
extension ExplorerState {
  /// Offers to import pasted requests, and shows them. Without a GraphQL request the text is pasted.
  mutating func offerImport(_ answer: ImportResult, of text: String) -> [Effect] {
    guard screen.focus == .query, popups.isEmpty else {
      showNotice("Nothing was pasted: the query is no longer in front", .warning)
      return []
    }
    switch answer {
    case .failed(let reason):
      let effects = pasteAsText(text)
      showNotice("Pasted as text: \(reason)", .warning)
      return effects
    case .found(let requests, let leftOut):
      let question =
        requests.count == 1
        ? "Import the \(CurlText.isFetch(text) ? "fetch call" : "curl command")?"
        : "Import \(requests.count) requests of the \(CurlText.isFetch(text) ? "fetch calls" : "curl commands")?"
      return present(
        ConfirmationPopup(
          question: question, detail: "Nothing is executed or sent. If you decline, the command is pasted as text.",
          lines: Self.lines(of: requests, leftOut: leftOut), confirmation: .send(.requestImported(answer)),
          refusal: .send(.importDeclined(text))))
    }
  }

  private static func lines(of requests: [ImportedRequest], leftOut: [String]) -> [String] {
    var lines: [String] = []
    for one in requests {
      if !lines.isEmpty { lines.append("") }
      let draft = one.draft
      let redactor = Redactor(document: draft.query.text)
      lines.append((draft.options.usesGET ? "GET " : "POST ") + RedactedURL.withoutSecrets(draft.url))
      if !draft.options.subscriptionURL.isEmpty {
        lines.append("Subscriptions: \(RedactedURL.withoutSecrets(draft.options.subscriptionURL))")
      }
      lines += draft.headers.map { header in
        let line = HeaderLine("\(header.name): \(header.value.source)")
        return line?.isSecret == true ? "\(header.name): \(Redactor.mark)" : "\(header.name): \(header.value.source)"
      }
      lines += split(redactor.document(draft.query.text))
      if !draft.variables.isEmpty { lines += ["Variables"] + split(redactor.variables(draft.variables.text)) }
      if !draft.extensions.isEmpty { lines += ["Extensions"] + split(redactor.variables(draft.extensions.text)) }
    }
    return lines + leftOut.map { "Note: \($0)" }
  }

  private static func split(_ text: String) -> [String] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
  }
}

/// Text that is a curl command, a call of `fetch`, or a request for PowerShell, whose import is refused with advice.
enum CurlText {
  /// Whether a text begins with `curl`, perhaps after comments, the prompt of a shell, assignments or `sudo`, or is for
  /// PowerShell: `Invoke-WebRequest -Uri …`.
  static func isCommand(_ text: String) -> Bool {
    if isFetch(text) { return true }
    let lowered = text.prefix(2000).lowercased()
    if ["invoke-webrequest", "invoke-restmethod", "webrequestsession"].contains(where: lowered.contains) {
      return true
    }
    let lines = text.prefix(2000).unicodeScalars.drop { $0 == "\u{FEFF}" }.split { $0 == "\n" || $0 == "\r" }
    let words = lines.map { $0.split { $0 == " " || $0 == "\t" }.map { String($0) } }
      .filter { $0.first?.hasPrefix("#") == false }.joined()
    let command = words.drop { ["$", "%", ">", "sudo", "env", "time", "export"].contains($0) || isAssignment($0) }
    let name = command.first?.split { $0 == "/" || $0 == "\\" }.last?.lowercased()
    return command.dropFirst().first != nil && ["curl", "curl.exe", "iwr", "irm"].contains(name)
  }

  /// Whether a text begins with a call of `fetch`, as browsers copy it: `await fetch("https://…", {`.
  static func isFetch(_ text: String) -> Bool {
    var start = text.prefix(2000).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    if start.hasPrefix("await ") { start = start.dropFirst(6).drop { $0 == " " } }
    return start.hasPrefix("fetch(")
  }

  /// Whether a word is an assignment of a shell: `TOKEN=x`.
  private static func isAssignment(_ word: String) -> Bool {
    let name = word.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return !name.isEmpty && word.dropFirst(name.count).first == "="
  }
}
