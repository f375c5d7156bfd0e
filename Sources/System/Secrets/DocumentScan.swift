import ApusASCII

/// Walks a GraphQL document, or variables that are no JSON yet, by their words alone: a text that is half typed is looked
/// through, too.
enum DocumentScan {
  private static let directives: Set<String> = ["secret", "sensitive", "confidential"]

  /// The variables and the response keys that a directive of the document makes secret.
  static func secretNames(in text: String) -> Set<String> {
    let bytes = Array(text.utf8)
    var found: Set<String> = []
    /// What a directive would belong to: the variable that is being defined, or the field read last.
    var variable: String?
    var field = ""
    var depth = 0
    var before: UInt8 = 0
    var index = 0
    while index < bytes.count {
      let end = endOfWord(in: bytes, from: index)
      defer { index = end }
      let byte = bytes[index]
      if byte <= 0x20 || byte == UInt8(ascii: ",") { continue }
      if byte == UInt8(ascii: "#") {
        continue
      } else if byte.isNameByte {
        let name = String(decoding: bytes[index..<end], as: UTF8.self)
        if before == UInt8(ascii: "@") {
          if directives.contains(name) { found.insert(depth > 0 ? variable ?? field : field) }
        } else if before == UInt8(ascii: "$") {
          variable = name
        } else if depth == 0, before != UInt8(ascii: ":") {
          // The name behind an alias is not what the answer calls it.
          field = name
        }
      } else if byte == UInt8(ascii: "(") {
        depth += 1
        variable = nil
      } else if byte == UInt8(ascii: ")") {
        depth = max(0, depth - 1)
      }
      before = byte
    }
    found.remove("")
    return found
  }

  /// What was read last, as far as it tells whether what follows is a secret.
  private struct Reach {
    /// The name before the colon; that of a comment counts too, for a value may be all of its line that is left.
    var name: String?
    var nameInComment: String?
    /// Whether the value behind the colon is to be hidden.
    var isSecretValue = false
    /// A variable's default stands behind its type.
    var isSecretDefault = false
    var wasDollar = false
    var isVariable = false
    /// How deep one is in a list or an object that is hidden.
    var hiddenDepth = 0
    var hiddenStrings: [String] = []

    var isHidden: Bool { isSecretValue || hiddenDepth > 0 }

    /// Goes on behind a comment.
    mutating func pass(_ comment: Reach) {
      nameInComment = comment.name
      isVariable = isVariable || comment.isVariable
      isSecretValue = isSecretValue || comment.isSecretValue
      isSecretDefault = isSecretDefault || comment.isSecretDefault
    }
  }

  /// The text with the values behind secret names, the secret shapes and the known values replaced.
  static func redacted(_ text: String, _ redactor: Redactor, isJSON: Bool) -> String {
    var reach = Reach()
    // A secret may be none of its words: what it looks like is seen in the text as a whole.
    return redactor.text(redacted(text, redactor, isJSON: isJSON, isComment: false, &reach))
  }

  /// The text with the secrets in its strings and comments replaced.
  static func redactedStrings(in text: String, _ redactor: Redactor) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let end = endOfWord(in: bytes, from: index)
      let word = bytes[index..<end]
      if bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "#") {
        result += redactor.text(String(decoding: word, as: UTF8.self)).utf8
      } else {
        result += word
      }
      index = end
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The strings behind secret names, without their quotes and with their escapes as they are written.
  static func secretStrings(in text: String, _ redactor: Redactor) -> [String] {
    // Most documents have no string at all.
    guard text.utf8.contains(UInt8(ascii: "\"")) else { return [] }
    var reach = Reach()
    _ = redacted(text, redactor, isJSON: false, isComment: false, &reach)
    return reach.hiddenStrings
  }

  private static func redacted(
    _ text: String, _ redactor: Redactor, isJSON: Bool, isComment: Bool, _ reach: inout Reach
  ) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    let hidden = Array("\"\(Redactor.mark)\"".utf8)
    var index = 0
    while index < bytes.count {
      let start = index
      let byte = bytes[index]
      index = byte == UInt8(ascii: "#") && isComment ? start + 1 : endOfWord(in: bytes, from: start)
      let word = bytes[start..<index]
      switch byte {
      case UInt8(ascii: "#") where !isComment:
        // What a comment says is looked through by itself; a name in it may reach to the line behind it.
        var comment = Reach()
        let words = String(decoding: word.dropFirst(), as: UTF8.self)
        result += [byte] + redacted(words, redactor, isJSON: isJSON, isComment: true, &comment).utf8
        reach.pass(comment)
      case UInt8(ascii: "\""):
        let inner = String(decoding: word, as: UTF8.self)
        if reach.isHidden { reach.hiddenStrings.append(withoutQuotes(inner)) }
        result += reach.isHidden ? hidden : Array(redactor.text(inner).utf8)
        // In JSON names are strings.
        (reach.name, reach.nameInComment) = (inner.filter { $0 != "\"" }, nil)
        (reach.isSecretValue, reach.wasDollar, reach.isVariable) = (false, false, false)
      case UInt8(ascii: ":"):
        let isSecret = [reach.name, reach.nameInComment].contains { $0.map(redactor.isSecret) ?? false }
        if reach.isVariable { reach.isSecretDefault = isSecret } else { reach.isSecretValue = isSecret }
        (reach.name, reach.nameInComment, reach.isVariable) = (nil, nil, false)
        result += word
      case UInt8(ascii: "="):
        reach.isSecretValue = reach.isSecretDefault
        reach.isSecretDefault = false
        result += word
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        if reach.isHidden { reach.hiddenDepth += 1 }
        reach.isSecretValue = false
        result += word
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        reach.hiddenDepth = max(0, reach.hiddenDepth - 1)
        reach.isSecretValue = false
        result += word
      case 0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: ","): result += word
      case UInt8(ascii: "$"):
        (reach.wasDollar, reach.isSecretValue, reach.isSecretDefault) = (true, false, false)
        result += word
      case _ where byte.isNameByte || byte == UInt8(ascii: "-"):
        let plain = String(decoding: word, as: UTF8.self)
        let isNumber = byte == UInt8(ascii: "-") || byte.isDigit
        let isWord = isJSON && !["true", "false", "null"].contains(plain)
        if reach.isHidden && !reach.wasDollar && (isNumber || isWord) {
          result += hidden
        } else {
          result += redactor.text(plain).utf8
        }
        if !isNumber { (reach.name, reach.nameInComment) = (plain, nil) }
        (reach.isVariable, reach.isSecretValue, reach.wasDollar) = (reach.wasDollar, false, false)
      default:
        (reach.isSecretValue, reach.wasDollar) = (false, false)
        if byte == UInt8(ascii: ")") { reach.isSecretDefault = false }
        result += word
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func withoutQuotes(_ string: String) -> String {
    let count = string.hasPrefix("\"\"\"") ? 3 : 1
    return String(string.dropFirst(count).dropLast(count))
  }

  /// A string whole, a name or a number whole, a comment whole, anything else a byte.
  private static func endOfWord(in bytes: [UInt8], from start: Int) -> Int {
    var index = start
    switch bytes[start] {
    case UInt8(ascii: "#"):
      while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
      return index
    case UInt8(ascii: "\""): return endOfString(in: bytes, from: start)
    case _ where bytes[start].isNameByte || bytes[start] == UInt8(ascii: "-"):
      let isNumber = !bytes[start].isNameStart
      index += 1
      while index < bytes.count,
        bytes[index].isNameByte || isNumber && [0x2E, 0x2B, 0x2D].contains(bytes[index])
      { index += 1 }
      return index
    default: return start + 1
    }
  }

  private static func endOfString(in bytes: [UInt8], from start: Int) -> Int {
    let quotes: [UInt8] = [0x22, 0x22, 0x22]
    let isBlock = bytes[start...].starts(with: quotes)
    var index = start + (isBlock ? 3 : 1)
    while index < bytes.count {
      if isBlock {
        if bytes[index] == 0x5C, bytes[(index + 1)...].starts(with: quotes) {
          index += 4
          continue
        }
        if bytes[index...].starts(with: quotes) { return index + 3 }
      } else {
        // One that is not closed ends with its line.
        if bytes[index] == 0x0A || bytes[index] == 0x0D { return index }
        if bytes[index] == 0x22 { return index + 1 }
        if bytes[index] == 0x5C { index += 1 }
      }
      index += 1
    }
    return bytes.count
  }
}
