import ApusClientAPI
import ApusClientRequestChain
import ApusClientRequests
import ApusGraphQLLanguage
import ApusJSON
import ApusSecrets

extension RequestDraft {
  /// The request as a curl command, with one line per argument.
  package var curlCommand: String { ExportedRequest(self).curlCommand }
  /// The request as an `apus query` command. With a cache policy, it uses a cache file in the current directory.
  package var apusCommand: String { ExportedRequest(self).apusCommand }
  package var httpFile: String { ExportedRequest(self).httpFile }

  /// Environment variables that an exported request needs: those of its headers, and one for each reference.
  package var environmentNames: [String] { named(ExportedRequest(self).names) }
  /// Environment variables that an `apus` command needs.
  package var environmentNamesOfCommand: [String] { named(ExportedRequest(self).namesOfCommand) }

  private func named(_ others: [String]) -> [String] {
    var names: [String] = []
    for name in (headers + commandOptions).flatMap(\.value.variables) + others where !names.contains(name) {
      names.append(name)
    }
    return names
  }

  /// Environment variables that a curl command and an HTTP file insert into JSON text, so that their values must be
  /// escaped as in JSON.
  package var environmentNamesInJSON: [String] { ExportedRequest(self).namesInJSON }
  /// Environment variables that a curl command and an HTTP file insert into a string of the document, which is a string of
  /// JSON itself.
  package var environmentNamesInDocument: [String] { ExportedRequest(self).namesInDocument }
  /// Environment variables that an `apus` command inserts into JSON text.
  package var environmentNamesInJSONOfCommand: [String] { ExportedRequest(self).namesInJSONOfCommand }
}

extension ExportedRequest {
  fileprivate var curlCommand: String {
    let parameters = parametersOfGET?.fields
    // Pass a URL that starts with a dash as an option value.
    let target = "\(url.hasPrefix("-") ? "--url " : "")\(shellWord(url))"
    // The events of a subscription are printed when they arrive.
    let program = isSubscription ? "curl -N" : "curl"
    var lines = parameters == nil ? ["\(program) \(target)"] : ["\(program) -G \(target)"]
    if parameters == nil, draft.uploads.isEmpty { lines.append("-H 'Content-Type: application/json'") }
    for header in headers { lines.append("-H \(Self.shellText(header))") }
    if let parameters {
      lines += parameters.map { "--data-urlencode \(shellWord("\($0.name)=\($0.value)"))" }
    } else if !draft.uploads.isEmpty {
      lines += curlForm.options
    } else {
      lines.append("--data-raw \(shellWord(JSONWriter.compact(body)))")
    }
    let input = parameters == nil && !draft.uploads.isEmpty ? curlForm.input : ""
    return lines.joined(separator: " \\\n  ") + input + "\n"
  }

  fileprivate var apusCommand: String {
    var lines = ["apus query \(shellWord(url))"]
    for header in headersOfCommand { lines.append("--header \(Self.headerOption(header))") }
    // The value of `--var` is any text, which needs no escapes.
    let (whole, rest) = splitVariables ?? ([], [])
    if splitVariables == nil, !variables.allSatisfy(\.isWhitespace) {
      lines.append("--variables \(shellWord(variables))")
    } else if !rest.isEmpty {
      lines.append("--variables \(shellWord(JSONWriter.compact(.object(rest.map { ($0.key, $0.value) }))))")
    }
    for (variable, name) in whole + added {
      lines.append("--var \(variable)=\"\(Self.reference(to: nameOfText(name)))\"")
    }
    for upload in draft.uploads {
      lines.append("--upload \(ShellWords.quoted("\(upload.variablePath)=\(upload.path)"))")
    }
    if !extensions.isEmpty { lines.append("--extensions \(shellWord(extensions))") }
    if let operationName = draft.operationName, Document(parsing: query).operations.count > 1 {
      lines.append("--operation \(ShellWords.quoted(operationName))")
    }
    if let onError = draft.options.onError { lines.append("--on-error \(onError.rawValue)") }
    if !subscriptionURL.isEmpty { lines.append("--subscription-url \(shellWord(subscriptionURL))") }
    for option in draft.commandOptions where option.name != "subscription-url" || subscriptionURL.isEmpty {
      let value = option.value.variables.first.map { "\"$\($0)\"" } ?? ShellWords.quoted(option.text)
      lines.append("--\(option.name) \(value)")
    }
    if draft.options.usesGET { lines.append("--get") }
    if draft.options.usesPersistedQueries { lines.append("--persisted") }
    if let seconds = draft.options.timeLimit { lines.append("--timeout \(seconds)") }
    if draft.cachePolicy != .networkOnly {
      lines.append("--db apus-cache.sqlite --cache-policy \(draft.cachePolicy.rawValue)")
    }
    lines.append("-q \(shellWord(query))")
    return lines.joined(separator: " \\\n  ") + "\n"
  }

  fileprivate var httpFile: String {
    let urlOfGET = parametersOfGET.map { templateText($0.url, isInURL: true) }
    let isForm = !draft.uploads.isEmpty
    let type = isForm ? "multipart/form-data; boundary=\(boundary)" : "application/json"
    var lines = urlOfGET.map { ["GET \($0)"] } ?? ["POST \(templateText(url))", "Content-Type: \(type)"]
    for header in headers { lines.append("\(header.name): \(Self.templateText(header))") }
    var text = urlOfGET == nil ? "\n" + templateText(JSONWriter.pretty(body)) + "\n" : ""
    if isForm { text = "\n" + httpForm(boundary: boundary) }
    return lines.joined(separator: "\n") + "\n" + text
  }

  /// Returns the value of a header for an HTTP file, where a variable is `{{NAME}}`. A `$(command)` is written as
  /// typed, because HTTP files run none.
  private static func templateText(_ header: RequestDraft.Header) -> String {
    guard header.value.isLive else { return TemplateText.escaped(header.text) }
    return header.value.parts.map { part in
      switch part {
      case .text(let plain): TemplateText.escaped(plain)
      case .variable(let name): "{{\(name)}}"
      case .command(let command): "$(\(command))"
      }
    }.joined()
  }

  /// Returns a header as a shell word in which `$NAME` and `$(command)` of a live value are expanded by the shell, and
  /// all other text is literal.
  private static func shellText(_ header: RequestDraft.Header) -> String {
    guard header.value.isLive else { return ShellWords.quoted("\(header.name): \(header.text)") }
    var text = escaped("\(header.name): ")
    for (index, part) in header.value.parts.enumerated() {
      switch part {
      case .text(let plain): text += escaped(plain)
      case .variable(let name):
        var isGlued = false
        if case .text(let next)? = header.value.parts[(index + 1)...].first, let first = next.first {
          isGlued = first.isLetter || first.isNumber || first == "_"
        }
        text += isGlued ? "${\(name)}" : "$\(name)"
      case .command(let command): text += "$(\(command))"
      }
    }
    return "\"\(text)\""
  }

  /// Returns a header as a shell word for `apus query`, which expands `$NAME` and reads `$$` as a dollar sign. The shell runs
  /// commands, since `apus query` runs none.
  private static func headerOption(_ header: RequestDraft.Header) -> String {
    guard !header.value.commands.isEmpty else { return ShellWords.quoted("\(header.name): \(header.value.source)") }
    let value = header.value.parts.map { part in
      switch part {
      case .text(let plain): escaped(plain.replacing("$", with: "$$"))
      case .variable(let name): escaped("${\(name)}")
      case .command(let command): "$(\(command))"
      }
    }
    return "\"\(escaped("\(header.name): "))\(value.joined())\""
  }

  /// Escapes text for double quotes in a shell.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      if "\"\\`$".unicodeScalars.contains(scalar) { result.append("\\") }
      result.unicodeScalars.append(scalar)
    }
  }
}
