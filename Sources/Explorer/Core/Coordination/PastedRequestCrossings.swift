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
        requests.count == 1 ? "Import the curl command?" : "Import \(requests.count) requests of the curl commands?"
      return present(
        ConfirmationPopup(
          question: question, detail: "Nothing is executed or sent. If you decline, the command is pasted as text.",
          lines: Self.lines(of: requests, leftOut: leftOut), effect: .confirm(.importConfirmed(answer)),
          refusal: .send(.importDeclined(text))))
    }
  }

  private static func lines(of requests: [ImportedRequest], leftOut: [String]) -> [String] {
    var lines: [String] = []
    for one in requests {
      if !lines.isEmpty { lines.append("") }
      let request = one.request
      let redactor = Redactor(document: request.query)
      lines.append((request.options.usesGET ? "GET " : "POST ") + RedactedURL.withoutSecrets(request.url))
      lines += request.headers.map { header in
        let line = HeaderLine("\(header.name): \(header.value.source)")
        return line?.isSecret == true ? "\(header.name): \(Redactor.mark)" : "\(header.name): \(header.value.source)"
      }
      lines += split(redactor.document(request.query))
      if !request.variables.isEmpty { lines += ["Variables"] + split(redactor.variables(request.variables)) }
      if !request.extensions.isEmpty { lines += ["Extensions"] + split(redactor.variables(request.extensions)) }
      lines += request.leftOut.map { "Note: \($0)" }
    }
    return lines + leftOut.map { "Note: \($0)" }
  }

  private static func split(_ text: String) -> [String] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
  }
}

/// Text that is a curl command.
enum CurlText {
  /// Whether a text begins with `curl`, perhaps after comments, the prompt of a shell, assignments or `sudo`.
  static func isCommand(_ text: String) -> Bool {
    let lines = text.prefix(2000).unicodeScalars.drop { $0 == "\u{FEFF}" }.split { $0 == "\n" || $0 == "\r" }
    let words = lines.map { $0.split { $0 == " " || $0 == "\t" }.map { String($0) } }
      .filter { $0.first?.hasPrefix("#") == false }.joined()
    let command = words.drop { ["$", "%", ">", "sudo", "env", "time", "export"].contains($0) || isAssignment($0) }
    let name = command.first?.split { $0 == "/" || $0 == "\\" }.last?.lowercased()
    return command.dropFirst().first != nil && (name == "curl" || name == "curl.exe")
  }

  /// Whether a word is an assignment of a shell: `TOKEN=x`.
  private static func isAssignment(_ word: String) -> Bool {
    let name = word.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return !name.isEmpty && word.dropFirst(name.count).first == "="
  }
}
