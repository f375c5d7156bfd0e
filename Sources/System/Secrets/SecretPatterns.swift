import ApusASCII

/// Secrets that are recognized by their form, regardless of their name: JSON Web Tokens (RFC 7519), PEM private keys
/// (RFC 7468), service keys with well-known prefixes (`ghp_…`), credentials and secret parameters in URLs
/// (`?access_token=…`), and credentials after `Bearer` and `Basic` (RFC 6750, RFC 7617).
package enum SecretPatterns {
  private static let prefixes = [
    "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "sk_live_", "sk_test_", "rk_live_", "rk_test_",
    "xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "AIza", "ya29.", "dop_v1_", "shpat_", "whsec_",
  ].map { Array($0.utf8) }
  /// Prefixes that ordinary words share, so the rest must contain a digit.
  private static let shortPrefixes = ["sk-", "AKIA", "ASIA", "npm_", "pypi-", "SG.", "hf_"].map { Array($0.utf8) }
  private static let schemes = ["bearer", "basic"].map { Array($0.utf8) }
  private static let pemStart = Array("-----BEGIN ".utf8)
  private static let pemEnd = Array("-----END ".utf8)
  private static let jwtStart = Array("eyJ".utf8)
  /// Shorter matches are ordinary words.
  private static let leastLength = 16

  /// Returns the text with all such secrets replaced, also if they are written with escapes.
  package static func hidden(in text: String, mark: String) -> String {
    let bytes = Array(text.utf8)
    let found = ranges(in: bytes)
    var shown = text
    if !found.isEmpty {
      var result: [UInt8] = []
      var copied = 0
      for range in found {
        result += bytes[copied..<range.lowerBound]
        result += mark.utf8
        copied = range.upperBound
      }
      shown = String(decoding: result + bytes[copied...], as: UTF8.self)
    }
    return UnescapedText.hiding(in: shown, mark: mark, ranges)
  }

  /// Returns the ranges of the secrets in ascending order.
  private static func ranges(in bytes: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var index = 0
    var isBehindScheme = false
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "-"), let key = pem(in: bytes, at: index) {
        found.append(key)
        index = key.upperBound
        continue
      }
      guard isTokenByte(bytes[index]) else {
        if bytes[index] != 0x20 { isBehindScheme = false }
        index += 1
        continue
      }
      let start = index
      while index < bytes.count, isTokenByte(bytes[index]) { index += 1 }
      let word = bytes[start..<index]
      if isBehindScheme && isCredential(word) || isKey(word) {
        found.append(start..<index)
        isBehindScheme = false
      } else if let value = parameter(in: bytes, start..<index) {
        found.append(value)
        index = max(index, value.upperBound)
      } else if let password = credentials(in: bytes, after: start..<index) {
        found.append(password)
        index = max(index, password.upperBound)
      } else {
        isBehindScheme = schemes.contains { $0.elementsEqual(word.map { $0 | 0x20 }) }
      }
    }
    return found
  }

  /// Returns the value of a secret URL parameter, such as `?access_token=…`. References to variables are not secret.
  private static func parameter(in bytes: [UInt8], _ word: Range<Int>) -> Range<Int>? {
    guard word.lowerBound > 0, "?&".utf8.contains(bytes[word.lowerBound - 1]),
      let equals = bytes[word].firstIndex(of: UInt8(ascii: "="))
    else { return nil }
    let start = equals + 1
    let end = bytes[start...].firstIndex { $0 <= 0x20 || "&#\"'<>\\`".utf8.contains($0) } ?? bytes.count
    guard end - start >= leastParameter, !"${".utf8.contains(bytes[start]),
      SecretNames.contains(String(decoding: bytes[word.lowerBound..<equals], as: UTF8.self), in: .parameter)
    else { return nil }
    return start..<end
  }

  /// The minimum length of a value, because `?code=404` is not a credential.
  private static let leastParameter = 6

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    byte.isNameByte || "-.+/=~".utf8.contains(byte)
  }

  private static func isKey(_ word: ArraySlice<UInt8>) -> Bool {
    guard word.count >= leastLength else { return false }
    if word.starts(with: jwtStart) {
      // A token has at least two nonempty parts, the header and the claims.
      let parts = word.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      if parts.count >= 2, parts[0].count >= 8, parts[1].count >= 4 { return true }
    }
    return prefixes.contains { word.starts(with: $0) }
      || hasDigit(word) && shortPrefixes.contains { word.starts(with: $0) }
  }

  /// Whether a word after `Bearer` or `Basic` is a credential, unlike in `basic information`.
  private static func isCredential(_ word: ArraySlice<UInt8>) -> Bool {
    word.count >= 8 && (hasDigit(word) || word.contains(UInt8(ascii: "="))) || word.count >= 24
  }

  private static func hasDigit(_ word: ArraySlice<UInt8>) -> Bool {
    word.contains(where: \.isDigit)
  }

  /// Returns the range of a private key from its first line to the end of its last.
  private static func pem(in bytes: [UInt8], at start: Int) -> Range<Int>? {
    guard bytes[start...].starts(with: pemStart) else { return nil }
    let label = bytes[(start + pemStart.count)...].prefix { $0 != UInt8(ascii: "-") }
    guard label.count < 64, String(decoding: label, as: UTF8.self).contains("PRIVATE KEY") else { return nil }
    var index = label.endIndex
    while index < bytes.count, !(bytes[index] == UInt8(ascii: "-") && bytes[index...].starts(with: pemEnd)) {
      index += 1
    }
    guard index < bytes.count else { return start..<bytes.count }
    index += pemEnd.count
    while index < bytes.count, bytes[index] != UInt8(ascii: "-") { index += 1 }
    while index < bytes.count, bytes[index] == UInt8(ascii: "-") { index += 1 }
    return start..<index
  }

  /// Returns the `user:password` of a URL whose scheme precedes the word (the slashes after `https:` belong to the
  /// word).
  private static func credentials(in bytes: [UInt8], after word: Range<Int>) -> Range<Int>? {
    guard bytes[word].starts(with: [0x2F, 0x2F]), word.lowerBound > 0, bytes[word.lowerBound - 1] == UInt8(ascii: ":")
    else { return nil }
    let start = word.lowerBound + 2
    var index = start
    while index < bytes.count, isTokenByte(bytes[index]) || "!$&'()*,;:%".utf8.contains(bytes[index]) {
      if bytes[index] == UInt8(ascii: "/") { return nil }
      index += 1
    }
    guard index < bytes.count, bytes[index] == UInt8(ascii: "@"), index > start else { return nil }
    return start..<index
  }
}
