import ApusASCII

/// The names of headers, variables, arguments and fields whose values are never shown, stored or exported. This is the
/// only such list.
package enum SecretNames {
  /// The context of a name. Some short words are secret only in headers and URLs: a field `signature` may belong to a
  /// function, and `code` to a country.
  package enum Place: Sendable {
    /// A variable, argument, field or JSON member.
    case member
    case header
    /// A parameter in the query of a URL.
    case parameter
  }

  /// Words before a credential in a header that are not part of the credential.
  package static let schemes: Set<String> = ["bearer", "basic", "digest", "token", "apikey"]

  /// Matched anywhere in a name, ignoring separators: `api_key`, `X-Api-Key` and `apiKey` are equal. Grouped by first
  /// letter, `a` to `z`.
  private static let parts: [[[UInt8]]] = {
    let parts = [
      "password", "passwd", "passphrase", "passcode", "secret", "token", "apikey", "authorization", "credential",
      "cookie",
      "privatekey", "accesskey", "signingkey", "encryptionkey", "sessionid", "sessionkey", "recoverycode", "bearer",
    ].map { Array($0.utf8) }
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).map { letter in parts.filter { $0[0] == letter } }
  }()

  private static let separators = Array("_-. ".utf8)

  /// Matched only as whole words, because `shipping` contains `pin`.
  private static let words: Set<String> = [
    "pwd", "jwt", "jwts", "pin", "pins", "otp", "otps", "totp", "cvv", "cvc", "csrf", "xsrf", "sid", "ssn",
  ]

  /// Last words of names that describe a secret instead of containing it: `passwordHint`, `token_expires_at`.
  private static let describingWords: Set<String> = [
    "age", "at", "count", "counts", "description", "enabled", "error", "errors", "exists", "expiration", "expires",
    "expiry", "format", "hint", "hints", "label", "length", "limit", "limits", "name", "names", "pattern", "policies",
    "policy", "required", "requirements", "rules", "status", "strength", "type", "types", "valid",
  ]

  /// Words that are secret in headers, and those that are secret in URLs.
  private static let headerWords: Set<String> = words.union([
    "auth", "authentication", "session", "signature", "sig", "hmac", "vault",
  ])
  private static let parameterWords: Set<String> = words.union(["signature", "sig", "hmac", "auth"])
  /// Full names of secret parameters in URLs.
  private static let parameters: Set<String> = ["key", "code", "pass", "session", "ticket", "assertion", "authcode"]

  /// Prefixes of names after a leading `X-`, with longer words to exclude, such as `X-Author`.
  private static let extensions: [(stem: String, others: [String])] = [
    ("auth", ["author"]), ("session", []), ("access", ["accessib", "accessor"]), ("signature", []), ("vault", []),
  ]

  /// Whether a name is secret. Works on bytes, because it is called for every name of a stored document; bytes that are
  /// not ASCII count as lowercase letters.
  package static func contains(_ name: String, in place: Place = .member) -> Bool {
    let name = Array(name.utf8)
    if name.count > 256 { return false }
    let lowered = name.map(\.lowercased)
    let joined = lowered.filter { !separators.contains($0) }
    // A name that ends in `-key` is a header with a key; a field `primaryKey` is not secret.
    if lowered.suffix(4).elementsEqual("-key".utf8) || isExtension(name, joined) { return true }
    switch place {
    case .member: return (hasPart(joined) || hasWord(name, lowered, of: words)) && !isDescription(name, lowered)
    case .header: return hasPart(joined) || hasWord(name, lowered, of: headerWords)
    case .parameter:
      return hasPart(joined) || hasWord(name, lowered, of: parameterWords)
        || parameters.contains(String(decoding: joined, as: UTF8.self))
    }
  }

  private static func hasPart(_ joined: [UInt8]) -> Bool {
    for (start, byte) in joined.enumerated() where byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") {
      for part in parts[Int(byte - UInt8(ascii: "a"))] where joined[start...].starts(with: part) { return true }
    }
    return false
  }

  /// Whether the last word of a name describes a secret, or the name begins with the longer word `secretary`.
  private static func isDescription(_ name: [UInt8], _ lowered: [UInt8]) -> Bool {
    if lowered.starts(with: "secretar".utf8) { return true }
    var start = 0
    for index in name.indices.dropFirst() {
      let isNext = name[index].isUppercase && !name[index - 1].isUppercase
      if isNext || !isPartOfWord(name[index - 1]) { start = index }
    }
    return start > 0 && describingWords.contains(String(decoding: lowered[start...], as: UTF8.self))
  }

  /// Whether the name has the form `X-Auth-User`, `x_session` or `xVault`.
  private static func isExtension(_ name: [UInt8], _ joined: [UInt8]) -> Bool {
    guard joined.first == UInt8(ascii: "x"), name.count > 1, separators.contains(name[1]) || name[1].isUppercase else {
      return false
    }
    let rest = joined.dropFirst()
    return extensions.contains { stem, others in
      rest.starts(with: stem.utf8) && !others.contains { rest.starts(with: $0.utf8) }
    }
  }

  /// Whether a name contains one of the words: `userPIN`, `user_pin` and `User-Pin` consist of `user` and `pin`.
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
