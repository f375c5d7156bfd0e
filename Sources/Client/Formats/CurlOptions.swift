import ApusSecrets

/// The words of a curl command, as curl reads them: options in a row (`-sSd x`), values in the same word (`-dx`; `--data=x`
/// is none of curl's, but is met).
///
/// Source: curl's manual page. What is not understood is kept in `leftOut` by its name alone: its value may be a secret.
struct CurlOptions {
  enum Piece: Equatable {
    /// As it is sent.
    case text(String)
    /// What is in this file.
    case file(String)
  }

  struct FormPart: Equatable {
    let name: String
    let value: Piece
  }

  var url: String?
  var method: String?
  var headers: [(name: String, value: String)] = []
  var cookies: [String] = []
  /// `user:password`.
  var user: String?
  var data: [Piece] = []
  var form: [FormPart] = []
  /// Further parts of the URL's query.
  var query: [Piece] = []
  /// `-G`: the data belongs into the URL.
  var sendsDataInURL = false
  var leftOut: [String] = []

  init(_ words: [String]) {
    var words = words[...]
    while let word = words.popFirst() {
      if Self.shellSigns.contains(word) {
        // What follows is not curl's.
        leftOut.append(([word] + words.prefix(1)).joined(separator: " "))
        return
      }
      if word.hasPrefix("--"), word.count > 2 {
        let name = word.prefix { $0 != "=" }
        let inline = name.count < word.count ? String(word.dropFirst(name.count + 1)) : nil
        read(String(name), inline, &words)
      } else if word.hasPrefix("-"), word.count > 1 {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
          let name = "-\(letter)"
          let takesValue = Self.takingValues.contains(Self.longNames[name] ?? name)
          read(name, takesValue && !letters.isEmpty ? String(letters) : nil, &words)
          if takesValue { break }
        }
      } else {
        take(url: word)
      }
    }
  }

  private mutating func read(_ written: String, _ inline: String?, _ words: inout ArraySlice<String>) {
    let name = Self.longNames[written] ?? written
    guard Self.takingValues.contains(name) else {
      if name == "--get" { sendsDataInURL = true }
      if name == "--head" { method = "HEAD" }
      if !Self.harmless.contains(name), name != "--get", name != "--head" {
        leftOut.append(written)
      }
      return
    }
    guard let value = inline ?? words.popFirst() else {
      leftOut.append(written)
      return
    }
    switch name {
    case "--url": take(url: value)
    case "--request": method = value
    case "--header": take(header: value)
    case "--user-agent": headers.append(("User-Agent", value))
    case "--referer": headers.append(("Referer", value))
    case "--oauth2-bearer": headers.append(("Authorization", "Bearer \(value)"))
    case "--user": user = value
    // Without an equals sign it names a file of cookies.
    case "--cookie" where value.contains("="): cookies.append(value)
    case "--data", "--data-ascii", "--data-binary", "--json": data.append(Self.piece(value))
    case "--data-raw": data.append(.text(value))
    case "--data-urlencode": data.append(Self.encoded(value))
    case "--url-query": query.append(value.hasPrefix("+") ? .text(String(value.dropFirst())) : Self.encoded(value))
    case "--form", "--form-string": take(form: value, isPlain: name == "--form-string", written: written)
    case _ where Self.harmlessWithValues.contains(name): break
    default: leftOut.append(written)
    }
  }

  private mutating func take(url: String) {
    if self.url == nil { self.url = url } else { leftOut.append(ShownURL.withoutSecrets(url)) }
  }

  private mutating func take(header: String) {
    guard let field = HeaderText(header) else {
      // A file of headers; `Name;` is a header without a value.
      leftOut.append(header.hasPrefix("@") ? "-H \(header)" : "-H")
      return
    }
    headers.append((field.name, field.value))
  }

  private mutating func take(form: String, isPlain: Bool, written: String) {
    guard let equals = form.unicodeScalars.firstIndex(of: "=") else {
      leftOut.append(written)
      return
    }
    var value = String(form.unicodeScalars[equals...].dropFirst())
    if !isPlain {
      // `;type=…` and `;filename=…` say how the part is sent.
      for mark in [";type=", ";filename="] {
        if let start = value.firstRange(of: mark) { value = String(value[..<start.lowerBound]) }
      }
    }
    let isFile = !isPlain && (value.hasPrefix("@") || value.hasPrefix("<"))
    self.form.append(
      FormPart(name: String(form[..<equals]), value: isFile ? .file(String(value.dropFirst())) : .text(value)))
  }

  private static func piece(_ value: String) -> Piece {
    value.hasPrefix("@") ? .file(String(value.dropFirst())) : .text(value)
  }

  /// `content`, `=content`, `name=content`, `@file`, `name@file`.
  private static func encoded(_ value: String) -> Piece {
    guard let sign = value.firstIndex(where: { $0 == "=" || $0 == "@" }) else {
      return .text(URLQuery.encode(value))
    }
    let content = String(value[value.index(after: sign)...])
    if value[sign] == "@" { return .file(content) }
    let name = value[..<sign]
    return .text((name.isEmpty ? "" : "\(name)=") + URLQuery.encode(content))
  }

  static let shellSigns: Set<String> = ["|", "||", "&", "&&", ";", ">", ">>", "2>", "2>&1", "<"]

  private static let longNames = [
    "-X": "--request", "-H": "--header", "-d": "--data", "-u": "--user", "-G": "--get", "-F": "--form",
    "-b": "--cookie", "-A": "--user-agent", "-e": "--referer", "-I": "--head", "-o": "--output", "-m": "--max-time",
    "-x": "--proxy", "-E": "--cert", "-w": "--write-out", "-c": "--cookie-jar", "-K": "--config", "-T": "--upload-file",
    "-U": "--proxy-user", "-r": "--range", "-y": "--speed-time", "-Y": "--speed-limit", "-z": "--time-cond",
    "-C": "--continue-at", "-D": "--dump-header", "-h": "--help", "-Q": "--quote", "-t": "--telnet-option",
    "-P": "--ftp-port", "-s": "--silent", "-S": "--show-error", "-v": "--verbose", "-i": "--include", "-f": "--fail",
    "-N": "--no-buffer", "-L": "--location", "-#": "--progress-bar", "-k": "--insecure", "-n": "--netrc",
  ]

  /// Options that change nothing of what is asked: how curl prints, and what happens here anyway.
  private static let harmless: Set<String> = [
    "--compressed", "--silent", "--show-error", "--verbose", "--include", "--fail", "--fail-with-body", "--no-buffer",
    "--location", "--progress-bar", "--no-progress-meter", "--http1.1", "--http2", "--tr-encoding", "--globoff", "-g",
  ]
  private static let harmlessWithValues: Set<String> = [
    "--output", "--write-out", "--dump-header", "--stderr", "--trace", "--trace-ascii",
  ]
  private static let takingValues: Set<String> = harmlessWithValues.union([
    "--url", "--request", "--header", "--user-agent", "--referer", "--oauth2-bearer", "--user", "--cookie", "--data",
    "--data-ascii", "--data-binary", "--json", "--data-raw", "--data-urlencode", "--url-query", "--form",
    "--form-string", "--max-time", "--connect-timeout", "--proxy", "--cacert", "--capath", "--cert", "--cert-type",
    "--key", "--key-type", "--pass", "--cookie-jar", "--config", "--upload-file", "--proxy-user", "--range",
    "--speed-time", "--speed-limit", "--time-cond", "--continue-at", "--quote", "--telnet-option", "--ftp-port",
    "--retry", "--retry-delay", "--retry-max-time", "--max-redirs", "--resolve", "--connect-to", "--interface",
    "--unix-socket", "--abstract-unix-socket", "--noproxy", "--preproxy", "--socks5", "--socks5-hostname", "--socks4",
    "--ciphers", "--tls-max", "--netrc-file", "--limit-rate", "--max-filesize", "--keepalive-time", "--aws-sigv4",
    "--local-port", "--dns-servers", "--proto", "--variable", "--expand-url", "--expand-data", "--pinnedpubkey",
  ])
}

/// The names and values of a URL's query, or of a form's body.
enum URLQuery {
  /// Everything but what RFC 3986 (section 2.3) leaves as it is.
  static func encode(_ text: String) -> String {
    text.utf8.map { byte in
      let scalar = Unicode.Scalar(byte)
      let isPlain =
        scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789-._~".unicodeScalars.contains(scalar))
      return isPlain ? String(scalar) : (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }

  static func decode(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "+") {
        bytes.append(UInt8(ascii: " "))
      } else if byte == UInt8(ascii: "%"), rest.count >= 2,
        rest.prefix(2).allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest.removeFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The fields in their order.
  static func fields(_ text: Substring) -> [(name: String, value: String, source: Substring)] {
    text.split(separator: "&").map { field in
      let name = field.prefix { $0 != "=" }
      return (decode(name), decode(field.dropFirst(name.count + 1)), field)
    }
  }
}
