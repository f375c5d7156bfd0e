/// Names of headers, variables, arguments and fields whose values are shown, stored and exported nowhere. The one list
/// there is.
package enum SecretNames {
  /// Words before a credential in a header, which are no part of it.
  package static let schemes: Set<String> = ["bearer", "basic", "digest", "token", "apikey"]

  /// Found anywhere in a name, whose separators are left out first: `api_key`, `X-Api-Key` and `apiKey` are one.
  private static let parts = [
    "password", "passwd", "passphrase", "passcode", "secret", "token", "apikey", "authorization", "credential",
    "cookie",
    "privatekey", "accesskey", "signingkey", "encryptionkey", "sessionid", "sessionkey", "recoverycode", "bearer",
  ].map { Array($0.utf8) }

  private static let separators = Array("_-. ".utf8)

  /// Too short to be looked for within other words: `pin` is no part of `shipping`.
  private static let words: Set<String> = [
    "pwd", "jwt", "jwts", "pin", "pins", "otp", "otps", "totp", "cvv", "cvc", "csrf", "xsrf", "sid", "ssn",
  ]

  package static func contains(_ name: String) -> Bool {
    if name.utf8.count > 256 { return false }
    let lowered = name.lowercased()
    // By bytes: every name of a document that is kept is asked about, and each of the parts is looked for in it.
    let joined = lowered.utf8.filter { !separators.contains($0) }
    if parts.contains(where: { part in joined.indices.contains { joined[$0...].starts(with: part) } }) { return true }
    // Headers name keys so; a field `primaryKey` says nothing secret.
    return lowered.hasSuffix("-key") || split(name).contains(where: words.contains)
  }

  /// The words of a name in lower case: `userPIN`, `user_pin` and `User-Pin` are `user` and `pin`.
  private static func split(_ name: String) -> [String] {
    var words: [String] = []
    var word = ""
    var wasLower = false
    for character in name {
      let isPart = character.isLetter || character.isNumber
      if !isPart || (character.isUppercase && wasLower) {
        if !word.isEmpty { words.append(word) }
        word = ""
      }
      if isPart { word += character.lowercased() }
      wasLower = character.isLowercase
    }
    if !word.isEmpty { words.append(word) }
    return words
  }
}
