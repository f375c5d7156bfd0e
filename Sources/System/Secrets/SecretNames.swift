import ApusASCII

/// Names of headers, variables, arguments and fields whose values are shown, stored and exported nowhere. The one list
/// there is.
package enum SecretNames {
  /// The use of a name. Some short words are secrets in headers and URLs only: a field `signature` may be that of a function,
  /// and `code` that of a country.
  package enum Place: Sendable {
    /// A variable, an argument, a field, a member of JSON.
    case member
    case header
    /// A field of a URL's query.
    case parameter
  }

  /// Words before a credential in a header, which are no part of it.
  package static let schemes: Set<String> = ["bearer", "basic", "digest", "token", "apikey"]

  /// Found anywhere in a name, whose separators are left out first: `api_key`, `X-Api-Key` and `apiKey` are one. By their
  /// first letter, `a` to `z`.
  private static let parts: [[[UInt8]]] = {
    let parts = [
      "password", "passwd", "passphrase", "passcode", "secret", "token", "apikey", "authorization", "credential",
      "cookie",
      "privatekey", "accesskey", "signingkey", "encryptionkey", "sessionid", "sessionkey", "recoverycode", "bearer",
    ].map { Array($0.utf8) }
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).map { letter in parts.filter { $0[0] == letter } }
  }()

  private static let separators = Array("_-. ".utf8)

  /// Too short to be looked for within other words: `pin` is no part of `shipping`.
  private static let words: Set<String> = [
    "pwd", "jwt", "jwts", "pin", "pins", "otp", "otps", "totp", "cvv", "cvc", "csrf", "xsrf", "sid", "ssn",
  ]

  /// Words of secrets in headers, and in URLs.
  private static let headerWords: Set<String> = words.union([
    "auth", "authentication", "session", "signature", "sig", "hmac", "vault",
  ])
  private static let parameterWords: Set<String> = words.union(["signature", "sig", "hmac", "auth"])
  /// Whole names of secrets in URLs.
  private static let parameters: Set<String> = ["key", "code", "pass", "session", "ticket", "assertion", "authcode"]

  /// Words after a leading `X-`, and other words that begin alike: `X-Author`.
  private static let extensions: [(stem: String, others: [String])] = [
    ("auth", ["author"]), ("session", []), ("access", ["accessib", "accessor"]), ("signature", []), ("vault", []),
  ]

  /// By bytes: every name of a document that is kept is asked about, and each of the parts is looked for in it. What is no
  /// ASCII is taken for small letters.
  package static func contains(_ name: String, in place: Place = .member) -> Bool {
    let name = Array(name.utf8)
    if name.count > 256 { return false }
    let lowered = name.map(\.lowercased)
    let joined = lowered.filter { !separators.contains($0) }
    // Headers name keys so; a field `primaryKey` says nothing secret.
    if hasPart(joined) || lowered.suffix(4).elementsEqual("-key".utf8) || isExtension(name, joined) { return true }
    switch place {
    case .member: return hasWord(name, lowered, of: words)
    case .header: return hasWord(name, lowered, of: headerWords)
    case .parameter:
      return hasWord(name, lowered, of: parameterWords) || parameters.contains(String(decoding: joined, as: UTF8.self))
    }
  }

  private static func hasPart(_ joined: [UInt8]) -> Bool {
    for (start, byte) in joined.enumerated() where byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") {
      for part in parts[Int(byte - UInt8(ascii: "a"))] where joined[start...].starts(with: part) { return true }
    }
    return false
  }

  /// `X-Auth-User`, `x_session`, `xVault`.
  private static func isExtension(_ name: [UInt8], _ joined: [UInt8]) -> Bool {
    guard joined.first == UInt8(ascii: "x"), name.count > 1, separators.contains(name[1]) || name[1].isUppercase else {
      return false
    }
    let rest = joined.dropFirst()
    return extensions.contains { stem, others in
      rest.starts(with: stem.utf8) && !others.contains { rest.starts(with: $0.utf8) }
    }
  }

  /// Looks at the words of a name: `userPIN`, `user_pin` and `User-Pin` are `user` and `pin`.
  private static func hasWord(_ name: [UInt8], _ lowered: [UInt8], of words: Set<String>) -> Bool {
    var start = 0
    for index in 0...name.count {
      let isInWord = index < name.count && isPartOfWord(name[index])
      let isNext = isInWord && index > start && name[index].isUppercase && !name[index - 1].isUppercase
      guard !isInWord || isNext else { continue }
      let word = lowered[start..<max(start, index)]
      if !word.isEmpty, word.count <= longestWord, words.contains(String(decoding: word, as: UTF8.self)) { return true }
      start = isInWord ? index : index + 1
    }
    return false
  }

  private static let longestWord = headerWords.union(parameterWords).map(\.utf8.count).max() ?? 0

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte.isDigit || byte.isLetter
  }
}
