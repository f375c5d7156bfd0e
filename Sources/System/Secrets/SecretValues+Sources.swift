import ApusASCII
import ApusJSON

/// Every place of a request that can hold a credential.
extension SecretValues {
  /// Adds the credentials of a URL (RFC 3986): its user and password (section 3.2.1), as written, decoded and as they are
  /// sent, and the values of secret query parameters (section 3.4).
  package func add(url: String) {
    let bytes = Array(url.utf8)
    let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
    let question = bytes[..<end].firstIndex(of: UInt8(ascii: "?")) ?? end
    let start = zip(bytes, bytes.dropFirst()).enumerated().first { $1 == (0x2F, 0x2F) }.map { $0.offset + 2 } ?? 0
    let authority = bytes[start..<max(start, question)].prefix { $0 != UInt8(ascii: "/") }
    if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
      let user = authority[..<at].prefix { $0 != UInt8(ascii: ":") }
      let password = authority[user.endIndex..<at].dropFirst()
      for part in [user, password] { add(encoded: part) }
      add(user: Self.decoded(user), password: Self.decoded(password))
    }
    for field in bytes[question..<end].dropFirst().split(separator: UInt8(ascii: "&")) {
      let name = field.prefix { $0 != UInt8(ascii: "=") }
      if SecretNames.contains(Self.decoded(name), in: .parameter) { add(encoded: field.dropFirst(name.count + 1)) }
    }
  }

  private func add(encoded bytes: ArraySlice<UInt8>) {
    insert([String(decoding: bytes, as: UTF8.self), Self.decoded(bytes)], .credential)
  }

  /// Adds a user's credentials as basic authentication sends them (RFC 7617), with and without padding and in both
  /// alphabets.
  package func add(user: String, password: String) {
    let sent = Base64.encode(Array("\(user):\(password)".utf8))
    let other = sent.replacing("+", with: "-").replacing("/", with: "_")
    insert([password, sent, other] + [sent, other].map { String($0.prefix { $0 != "=" }) }, .credential)
  }

  /// Adds the user and password in the credentials of basic authentication.
  func add(basic text: String) {
    guard let bytes = Base64.decode(text) else { return }
    let user = bytes.prefix { $0 != UInt8(ascii: ":") }
    add(
      user: String(decoding: user, as: UTF8.self),
      password: String(decoding: bytes.dropFirst(user.count + 1), as: UTF8.self))
  }

  /// Decodes percent-encoded bytes (RFC 3986, section 2.1).
  private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    var decoded: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let value = UInt8(digits, radix: 16) {
        decoded.append(value)
        rest = rest.dropFirst(2)
      } else {
        decoded.append(byte)
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  /// Adds the credentials of a netrc file: its passwords and accounts, as written and as sent.
  package func add(netrc bytes: [UInt8]) {
    let words = Self.words(ofNetrc: bytes)
    var (user, password) = ("", "")
    for (name, value) in zip(words, words.dropFirst()) {
      switch name {
      case "machine", "default": (user, password) = ("", "")
      case "login": user = value
      case "password": password = value
      case "account": insert([value], .credential)
      default: continue
      }
      if !password.isEmpty { add(user: user, password: password) }
    }
  }

  /// Splits a netrc file as libcurl does: at spaces, except in quotes, in which a backslash escapes.
  private static func words(ofNetrc bytes: [UInt8]) -> [String] {
    let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
    var words: [String] = []
    var rest = bytes[...].drop { $0 <= 0x20 }
    while let first = rest.first {
      var word: [UInt8] = []
      if first == quote {
        rest.removeFirst()
        while let byte = rest.popFirst(), byte != quote {
          word.append(byte == backslash ? rest.popFirst() ?? byte : byte)
        }
      } else {
        word = Array(rest.prefix { $0 > 0x20 })
        rest = rest.dropFirst(word.count)
      }
      words.append(String(decoding: word, as: UTF8.self))
      rest = rest.drop { $0 <= 0x20 }
    }
    return words
  }

  /// Adds the values of a cookie file in Netscape's format.
  package func add(cookieFile bytes: [UInt8]) {
    for line in bytes.split(separator: 0x0A) {
      // The seventh field of a line is the value of the cookie.
      let fields = line.split(separator: 0x09, omittingEmptySubsequences: false)
      if fields.count == 7 {
        insert([String(decoding: fields[6].prefix { $0 != 0x0D }, as: UTF8.self)], .credential)
      }
    }
  }

  /// Adds the value of a cookie that a response sets: `sid=0123456; Path=/`.
  package func add(setCookie value: String) {
    let pair = value.unicodeScalars.prefix { $0 != ";" }
    if let equals = pair.firstIndex(of: "=") { insert([String(pair[equals...].dropFirst())], .credential) }
  }

  /// Adds the values that a request sends under secret names, in its variables, arguments and extensions or in the payload
  /// of a connection.
  package func add(document: String = "", variables: JSONValue = .null, extensions: JSONValue = .null) {
    let redactor = Redactor(marking: document, self)
    insert(redactor.sentSecrets(document: document, variables: variables, extensions: extensions), .sent)
  }
}
