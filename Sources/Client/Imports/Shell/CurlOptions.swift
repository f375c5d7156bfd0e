import ApusSecrets

/// The parsed options of a curl command. Short options can be combined (`-sSd x`) and contain their value (`-dx`).
/// `--data=x` is accepted although curl does not support it.
///
/// Source: curl's manual page. `leftOut` has the names of unsupported options, without values, which may be secrets.
struct CurlOptions {
  /// A piece of data: a string, or the contents of a file.
  struct Piece: Equatable {
    enum Form: Equatable {
      case plain
      /// The line ends of a file are removed.
      case joined
      case encoded(name: String)
    }

    /// The option that the piece belongs to, for messages.
    var option: String
    var source: String
    var isFile = false
    var form = Form.plain

    /// Returns the text to send.
    func finished(_ text: String) -> String {
      switch form {
      case .plain: text
      case .joined: isFile ? text.filter { !$0.isNewline } : text
      case .encoded(let name): (name.isEmpty ? "" : "\(name)=") + URLQuery.encode(text)
      }
    }
  }

  struct FormPart: Equatable {
    enum Value: Equatable {
      case piece(Piece)
      /// The path of an uploaded file.
      case upload(String)
    }

    let name: String
    let value: Value
  }

  var url: String?
  var method: String?
  var headers: [(name: String, value: String)] = []
  var cookies: [String] = []
  /// User and password in the form `user:password`.
  var user: String?
  var data: [Piece] = []
  var form: [FormPart] = []
  /// Additional fields for the URL query.
  var query: [Piece] = []
  /// Whether the data is sent in the URL (`-G`).
  var sendsDataInURL = false
  /// Whether the data was given with `--json`, whose pieces are concatenated without separators.
  var isJSON = false
  var leftOut: [String] = []

  init(_ words: [String]) {
    var words = words[...]
    while let word = words.popFirst() {
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
        apply(url: word)
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
    case "--url": apply(url: value)
    case "--request": method = value
    case "--header": apply(header: value)
    case "--user-agent": headers.append(("User-Agent", value))
    case "--referer": headers.append(("Referer", value))
    case "--oauth2-bearer": headers.append(("Authorization", "Bearer \(value)"))
    case "--user": user = value
    // Without an equals sign, the value is the name of a cookie file.
    case "--cookie" where value.contains("="): cookies.append(value)
    case "--data", "--data-ascii": data.append(Self.piece(value, written, .joined))
    case "--data-binary": data.append(Self.piece(value, written, .plain))
    case "--json":
      isJSON = true
      data.append(Self.piece(value, written, .plain))
    case "--data-raw": data.append(Piece(option: written, source: value))
    case "--data-urlencode": data.append(Self.encoded(value, written))
    case "--url-query":
      let isPlain = value.hasPrefix("+")
      query.append(isPlain ? Piece(option: written, source: String(value.dropFirst())) : Self.encoded(value, written))
    case "--form", "--form-string": apply(form: value, isPlain: name == "--form-string", written: written)
    case _ where Self.harmlessWithValues.contains(name): break
    default: leftOut.append(written)
    }
  }

  private mutating func apply(url: String) {
    if self.url == nil { self.url = url } else { leftOut.append(RedactedURL.withoutSecrets(url)) }
  }

  private mutating func apply(header: String) {
    guard let field = HeaderText(header) else {
      // Either a file with headers, or `Name;`, a header without a value.
      leftOut.append(header.hasPrefix("@") ? "-H \(header)" : "-H")
      return
    }
    headers.append((field.name, field.value))
  }

  private mutating func apply(form: String, isPlain: Bool, written: String) {
    guard let equals = form.unicodeScalars.firstIndex(of: "=") else {
      leftOut.append(written)
      return
    }
    var value = String(form.unicodeScalars[equals...].dropFirst())
    if !isPlain {
      // `;type=…` and `;filename=…` are attributes of the part.
      for mark in [";type=", ";filename="] {
        if let start = value.firstRange(of: mark) { value = String(value[..<start.lowerBound]) }
      }
    }
    let first = isPlain ? nil : value.first
    let piece = Piece(
      option: "\(written) <", source: first == "<" ? String(value.dropFirst()) : value, isFile: first == "<")
    self.form.append(
      FormPart(
        name: String(form[..<equals]), value: first == "@" ? .upload(String(value.dropFirst())) : .piece(piece)))
  }

  private static func piece(_ value: String, _ written: String, _ form: Piece.Form) -> Piece {
    let isFile = value.hasPrefix("@")
    return Piece(
      option: "\(written) @", source: isFile ? String(value.dropFirst()) : value, isFile: isFile, form: form)
  }

  /// Parses `content`, `=content`, `name=content`, `@file` or `name@file`.
  private static func encoded(_ value: String, _ written: String) -> Piece {
    guard let sign = value.firstIndex(where: { $0 == "=" || $0 == "@" }) else {
      return Piece(option: written, source: value, form: .encoded(name: ""))
    }
    return Piece(
      option: "\(written) @", source: String(value[value.index(after: sign)...]), isFile: value[sign] == "@",
      form: .encoded(name: String(value[..<sign])))
  }

  private static let longNames = [
    "-X": "--request", "-H": "--header", "-d": "--data", "-u": "--user", "-G": "--get", "-F": "--form",
    "-b": "--cookie", "-A": "--user-agent", "-e": "--referer", "-I": "--head", "-o": "--output", "-m": "--max-time",
    "-x": "--proxy", "-E": "--cert", "-w": "--write-out", "-c": "--cookie-jar", "-K": "--config", "-T": "--upload-file",
    "-U": "--proxy-user", "-r": "--range", "-y": "--speed-time", "-Y": "--speed-limit", "-z": "--time-cond",
    "-C": "--continue-at", "-D": "--dump-header", "-h": "--help", "-Q": "--quote", "-t": "--telnet-option",
    "-P": "--ftp-port", "-s": "--silent", "-S": "--show-error", "-v": "--verbose", "-i": "--include", "-f": "--fail",
    "-N": "--no-buffer", "-L": "--location", "-#": "--progress-bar", "-k": "--insecure", "-n": "--netrc",
  ]

  /// Options that do not affect the request: they concern curl's output, or behavior that Apus always has.
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
