import ApusJSON
import ApusSecrets

extension RequestExport {
  /// The request as a curl command, with one line per argument.
  package var curlCommand: String {
    let parameters = parametersOfGET?.fields
    // Pass a URL that starts with a dash as an option value.
    let url = "\(url.hasPrefix("-") ? "--url " : "")\(ShellWords.quoted(url))"
    var lines = parameters == nil ? ["curl \(url)", "-H 'Content-Type: application/json'"] : ["curl -G \(url)"]
    for header in headers { lines.append("-H \(Self.shellText(header))") }
    if let parameters {
      lines += parameters.map { "--data-urlencode \(ShellWords.quoted("\($0.name)=\($0.value)"))" }
    } else {
      lines.append("--data-raw \(ShellWords.quoted(JSONWriter.compact(body)))")
    }
    return lines.joined(separator: " \\\n  ") + "\n"
  }

  /// The request as an `apus query` command. With a cache policy, it uses a cache file in the current directory.
  package var apusCommand: String {
    var lines = ["apus query \(ShellWords.quoted(url))"]
    for header in headers { lines.append("--header \(Self.shellText(header))") }
    if !variables.allSatisfy(\.isWhitespace) {
      let compact = (try? JSONDocument(parsingRelaxed: variables).root).map { JSONWriter.compact($0) } ?? variables
      lines.append("--variables \(ShellWords.quoted(compact))")
    }
    if !extensions.isEmpty { lines.append("--extensions \(ShellWords.quoted(extensions))") }
    if let operationName { lines.append("--operation \(ShellWords.quoted(operationName))") }
    if usesGET { lines.append("--get") }
    if digest != nil { lines.append("--persisted") }
    if let cachePolicy { lines.append("--db apus-cache.sqlite --cache-policy \(cachePolicy)") }
    lines.append("-q \(ShellWords.quoted(query))")
    return lines.joined(separator: " \\\n  ") + "\n"
  }

  /// The request as an HTTP file.
  package var httpFile: String {
    let urlOfGET = parametersOfGET?.url
    var lines = urlOfGET.map { ["GET \($0)"] } ?? ["POST \(url)", "Content-Type: application/json"]
    for header in headers { lines.append("\(header.name): \(Self.templateText(header))") }
    return lines.joined(separator: "\n") + "\n" + (urlOfGET == nil ? "\n" + JSONWriter.pretty(body) + "\n" : "")
  }

  /// Returns the value of a header for an HTTP file, where a variable is `{{NAME}}`. A `$(command)` is written as typed,
  /// because HTTP files run none.
  private static func templateText(_ header: Header) -> String {
    guard header.value.isLive else { return header.text }
    return header.value.parts.map { part in
      switch part {
      case .text(let plain): plain
      case .variable(let name): "{{\(name)}}"
      case .command(let command): "$(\(command))"
      }
    }.joined()
  }

  /// Returns a header as a shell word in which `$NAME` and `$(command)` of a live value are expanded by the shell, and all
  /// other text is literal.
  private static func shellText(_ header: Header) -> String {
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

  /// Escapes text for double quotes in a shell.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      if "\"\\`$".unicodeScalars.contains(scalar) { result.append("\\") }
      result.unicodeScalars.append(scalar)
    }
  }
}
