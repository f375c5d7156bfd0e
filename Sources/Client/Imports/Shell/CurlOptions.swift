import ApusSecrets

/// The parsed options of a curl command. Short options can be combined (`-sSd x`) and contain their value (`-dx`).
/// `--data=x` is accepted although curl does not support it.
///
/// Source: curl's manual page. `leftOut` has messages about unsupported options, without their values, which may be secrets.
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

  /// The words that are not options or their values, with whether each follows an option that curl does not have.
  private var operands: [(word: String, followsUndefined: Bool)] = []

  init(_ words: [String]) {
    var words = words[...]
    var followsUndefined = false
    while let word = words.popFirst() {
      if word.hasPrefix("--"), word.count > 2 {
        let name = String(word.prefix { $0 != "=" })
        let inline = name.count < word.count ? String(word.dropFirst(name.count + 1)) : nil
        read(name, inline, &words)
        followsUndefined = inline == nil && !CurlOptionNames.isDefined(name)
        continue
      }
      if word.hasPrefix("-"), word.count > 1 {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
          let name = "-\(letter)"
          let takesValue = CurlOptionNames.takesValue(CurlOptionNames.long(name))
          read(name, takesValue && !letters.isEmpty ? String(letters) : nil, &words)
          if takesValue { break }
        }
      } else if word != "--" {
        operands.append((word, followsUndefined))
      }
      followsUndefined = false
    }
    applyOperands()
  }

  /// Uses the operands as URLs. A word after an option that curl does not have may be the value of that option, and an
  /// expansion that is not evaluated may be any options.
  private mutating func applyOperands() {
    func isUncertain(_ operand: (word: String, followsUndefined: Bool)) -> Bool {
      operand.followsUndefined && !operand.word.contains("://") || operand.word.hasPrefix("${")
    }
    let isWithURL = url != nil || !operands.allSatisfy(isUncertain)
    for operand in operands where !isWithURL || !isUncertain(operand) { apply(url: operand.word) }
  }

  private mutating func read(_ written: String, _ inline: String?, _ words: inout ArraySlice<String>) {
    let name = CurlOptionNames.long(written)
    guard CurlOptionNames.takesValue(name) else {
      switch name {
      case "--get": sendsDataInURL = true
      case "--head": method = "HEAD"
      case _ where CurlOptionNames.isHarmless(name): break
      default: leftOut.append(CurlOptionNames.message(written))
      }
      return
    }
    guard let value = inline ?? words.popFirst() else {
      leftOut.append(CurlOptionNames.message(written, "its value is missing"))
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
    case _ where CurlOptionNames.isHarmless(name): break
    default: leftOut.append(CurlOptionNames.message(written))
    }
  }

  private mutating func apply(url: String) {
    if self.url == nil {
      self.url = url
    } else {
      leftOut.append("\(RedactedURL.withoutSecrets(url)) was not imported: a command has one URL; split the command")
    }
  }

  private mutating func apply(header: String) {
    guard let field = HeaderText(header) else {
      if header.hasPrefix("@") {
        leftOut.append(CurlOptionNames.message("-H \(header)", "pass --header @FILE to Apus"))
      } else {
        // `Name;` is a header without a value.
        leftOut.append(CurlOptionNames.message("-H", "the header has no value; add one"))
      }
      return
    }
    headers.append((field.name, field.value))
  }

  private mutating func apply(form: String, isPlain: Bool, written: String) {
    guard let equals = form.unicodeScalars.firstIndex(of: "=") else {
      leftOut.append(CurlOptionNames.message(written, "it is not NAME=VALUE"))
      return
    }
    let name = String(form[..<equals])
    let value = String(form.unicodeScalars[equals...].dropFirst())
    switch isPlain ? nil : value.first {
    case "@": self.form.append(FormPart(name: name, value: .upload(Self.withoutAttributes(value.dropFirst()))))
    case "<":
      let source = Self.withoutAttributes(value.dropFirst())
      self.form.append(
        FormPart(name: name, value: .piece(Piece(option: "\(written) <", source: source, isFile: true))))
    default:
      let source = isPlain ? value : Self.withoutAttributes(value[...])
      self.form.append(FormPart(name: name, value: .piece(Piece(option: written, source: source))))
    }
  }

  /// Returns the value of a part without attributes such as `;type=image/png`, and without the quotes around it.
  private static func withoutAttributes(_ value: Substring) -> String {
    if value.hasPrefix("\"") {
      var text = ""
      var rest = value.dropFirst()
      while let next = rest.popFirst(), next != "\"" {
        let isEscape = next == "\\" && (rest.first == "\"" || rest.first == "\\")
        text.append(isEscape ? rest.popFirst() ?? next : next)
      }
      return text
    }
    let marks = [";type=", ";filename=", ";headers=", ";encoder="].compactMap { value.firstRange(of: $0)?.lowerBound }
    return String(value[..<(marks.min() ?? value.endIndex)])
  }

  private static func piece(_ value: String, _ written: String, _ form: Piece.Form) -> Piece {
    let isFile = value.hasPrefix("@")
    return Piece(
      option: "\(written) @", source: isFile ? String(value.dropFirst()) : value, isFile: isFile, form: form)
  }

  /// Parses `content`, `=content`, `name=content`, `@file` or `name@file`.
  private static func encoded(_ value: String, _ written: String) -> Piece {
    guard let separator = value.firstIndex(where: { $0 == "=" || $0 == "@" }) else {
      return Piece(option: written, source: value, form: .encoded(name: ""))
    }
    return Piece(
      option: "\(written) @", source: String(value[value.index(after: separator)...]), isFile: value[separator] == "@",
      form: .encoded(name: String(value[..<separator])))
  }
}
