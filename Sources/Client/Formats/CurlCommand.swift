import ApusJSON
import ApusSecrets

extension SharedRequest {
  /// A curl command as browsers and documentation write it.
  init?(curl text: String) {
    var words = ShellWords.split(text)[...]
    guard words.popFirst() == "curl" else { return nil }
    var (url, body): (String?, String) = (nil, "")
    var headers: [Header] = []
    while let word = words.popFirst() {
      var option = word
      var value: String?
      if word.hasPrefix("--"), let equals = word.firstIndex(of: "=") {
        option = String(word[..<equals])
        value = String(word[word.index(after: equals)...])
      } else if word.hasPrefix("-"), !word.hasPrefix("--"), word.count > 2,
        "HdXuAbe".contains(word.dropFirst().first ?? " ")
      {
        option = String(word.prefix(2))
        value = String(word.dropFirst(2))
      }
      func argument() -> String { value ?? words.popFirst() ?? "" }
      switch option {
      case "-H", "--header":
        let header = argument()
        if let colon = header.firstIndex(of: ":") {
          headers.append(
            Header(
              name: String(header[..<colon]),
              foreign: String(header[header.index(after: colon)...].drop { $0 == " " })))
        }
      case "-d", "--data", "--data-raw", "--data-binary", "--data-ascii", "--json":
        body += body.isEmpty ? argument() : "&" + argument()
      case "-b", "--cookie": headers.append(Header(name: "Cookie", foreign: argument()))
      case "-A", "--user-agent": headers.append(Header(name: "User-Agent", foreign: argument()))
      case "-e", "--referer": headers.append(Header(name: "Referer", foreign: argument()))
      case "--url": url = argument()
      case "-X", "--request", "-u", "--user", "-o", "--output", "-m", "--max-time", "--connect-timeout", "-x",
        "--proxy",
        "--cacert", "-E", "--cert", "--key", "-w", "--write-out", "-F", "--form":
        _ = argument()
      case _ where option.hasPrefix("-"): break
      default: url = word
      }
    }
    guard let url else { return nil }
    self.init(url: url, headers: headers, body: body)
  }

  /// The request for a shell, a line for each part.
  package var curlCommand: String {
    var lines = ["curl \(ShellWords.quoted(url))", "-H 'Content-Type: application/json'"]
    for header in headers { lines.append("-H \(Self.shellText(header))") }
    lines.append("--data-raw \(ShellWords.quoted(JSONWriter.compact(body)))")
    return lines.joined(separator: " \\\n  ") + "\n"
  }

  /// The same for `apus query`. A cache policy needs a cache to go by: a file in the current folder.
  package var apusCommand: String {
    var lines = ["apus query \(ShellWords.quoted(url))"]
    for header in headers { lines.append("--header \(Self.shellText(header))") }
    if !variables.allSatisfy(\.isWhitespace) {
      let compact = (try? JSONDocument(parsing: variables).root).map { JSONWriter.compact($0) } ?? variables
      lines.append("--variables \(ShellWords.quoted(compact))")
    }
    if let operationName { lines.append("--operation \(ShellWords.quoted(operationName))") }
    if let cachePolicy { lines.append("--db apus-cache.sqlite --cache-policy \(cachePolicy)") }
    lines.append("-q \(ShellWords.quoted(query))")
    return lines.joined(separator: " \\\n  ") + "\n"
  }

  /// A value with `$NAME` or `$(command)` in it stays one that the shell fills in; all else is quoted against it.
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

  /// Text between double quotes of a shell.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      if "\"\\`$".unicodeScalars.contains(scalar) { result.append("\\") }
      result.unicodeScalars.append(scalar)
    }
  }
}
