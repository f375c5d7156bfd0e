import ApusASCII

/// Scans GraphQL documents and variables by tokens, so that incomplete text can be scanned, too: in
/// `{ login(password: "x` the string is already a secret.
enum SecretScanner {
  private static let directives: Set<String> = ["secret", "sensitive", "confidential"]

  /// Finds the names that a directive marks as secret: `pin` in `query ($pin: Int @secret)`, and the response key `key`
  /// in `key: apiKey @secret`.
  static func secretNames(in text: String) -> Set<String> {
    let bytes = Array(text.utf8)
    var found: Set<String> = []
    /// The target of the next directive: the variable being defined, or else the last field.
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
          // The response uses the alias.
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

  /// Finds the variables that are given to arguments and input fields with secret names, also in lists and objects: `p`
  /// in `login(password: $p)` and `login(input: {passwords: [$p]})`.
  static func variables(in text: String, given isSecret: (String) -> Bool) -> Set<String> {
    let bytes = Array(text.utf8)
    var found: Set<String> = []
    var name = ""
    /// Whether the next value is secret, and the nesting depth inside a secret list or object.
    var (isSecretValue, hiddenDepth) = (false, 0)
    var wasDollar = false
    var index = 0
    while index < bytes.count {
      let end = endOfWord(in: bytes, from: index)
      defer { index = end }
      switch bytes[index] {
      case UInt8(ascii: "#"), 0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: ","): continue
      case UInt8(ascii: "$"): wasDollar = true
      case UInt8(ascii: ":"): isSecretValue = isSecret(name)
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        if isSecretValue || hiddenDepth > 0 { hiddenDepth += 1 }
        isSecretValue = false
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        hiddenDepth = max(0, hiddenDepth - 1)
        isSecretValue = false
      default:
        if bytes[index].isNameByte { name = String(decoding: bytes[index..<end], as: UTF8.self) }
        if wasDollar, isSecretValue || hiddenDepth > 0 { found.insert(name) }
        (isSecretValue, wasDollar) = (false, false)
      }
    }
    return found
  }

  /// The state of the scan: the tokens that decide whether the next value is a secret.
  private struct Reach {
    /// The name before the colon. A name in a comment counts too, because the user may have deleted all but the value.
    var name: String?
    var nameInComment: String?
    /// Whether the value after the colon is secret.
    var isSecretValue = false
    /// Whether the variable being defined is secret, so that the default value after its type is hidden.
    var isSecretDefault = false
    var wasDollar = false
    var isVariable = false
    /// The nesting depth inside a secret list or object.
    var hiddenDepth = 0
    /// The number of open parentheses, in which values are.
    var parentheses = 0
    /// The text in place of a secret number.
    var number = Redactor.mark
    /// The strings, without quotes and with their escapes, and the numbers at secret places.
    var hiddenValues: [String] = []
    /// The ranges of the strings, with their quotes.
    var hiddenLiterals: [Range<Int>] = []
    var position: SecretPosition

    init(_ places: SecretPlaces, isJSON: Bool) { position = SecretPosition(places, isJSON: isJSON) }

    var isHidden: Bool { isSecretValue || hiddenDepth > 0 }

    /// Continues after a comment.
    mutating func pass(_ comment: Reach) {
      nameInComment = comment.name
      isVariable = isVariable || comment.isVariable
      isSecretValue = isSecretValue || comment.isSecretValue
      isSecretDefault = isSecretDefault || comment.isSecretDefault
    }
  }

  /// Replaces the values of secret names, text in a secret's form, and known secret values.
  ///
  /// - Parameter number: The text in place of a secret number: without quotes, so that the user types a number again.
  static func redacted(_ text: String, _ redactor: Redactor, isJSON: Bool, number: String = Redactor.mark) -> String {
    var reach = Reach(redactor.places(in: text, isJSON: isJSON), isJSON: isJSON)
    reach.number = number
    // A secret may span tokens, so the patterns are also applied to the whole text.
    return redactor.name(redacted(text, redactor, isJSON: isJSON, isComment: false, &reach))
  }

  /// Replaces secrets in strings and comments; `nil` if another token is a secret.
  static func redactedStrings(in text: String, _ redactor: Redactor) -> String? {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    // A schema repeats the same few names.
    var checked: Set<ArraySlice<UInt8>> = []
    var index = 0
    while index < bytes.count {
      let end = endOfWord(in: bytes, from: index)
      let word = bytes[index..<end]
      if bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "#") {
        result += redactor.text(String(decoding: word, as: UTF8.self)).utf8
      } else {
        if word.count > 1, checked.insert(word).inserted {
          let name = String(decoding: word, as: UTF8.self)
          if redactor.name(name) != name { return nil }
        }
        result += word
      }
      index = end
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns the strings and numbers at secret places of a document: strings without quotes and with their escapes.
  static func secretValues(in text: String, _ redactor: Redactor) -> [String] {
    // A document without arguments and default values has none.
    guard text.utf8.contains(UInt8(ascii: "(")) else { return [] }
    var reach = Reach(redactor.places(in: text, isJSON: false), isJSON: false)
    _ = redacted(text, redactor, isJSON: false, isComment: false, &reach)
    return reach.hiddenValues
  }

  /// Finds the strings at places that count as secret, with their quotes; comments have none.
  static func hiddenLiterals(in text: String, _ redactor: Redactor, isJSON: Bool) -> [Range<Int>] {
    var reach = Reach(redactor.places(in: text, isJSON: isJSON), isJSON: isJSON)
    _ = redacted(text, redactor, isJSON: isJSON, isComment: false, &reach)
    return reach.hiddenLiterals
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
      let isMarked = reach.position.isSecret(at: start)
      let context: OtherValueContext =
        isJSON ? .json : isComment ? .comment : reach.parentheses > 0 ? .arguments : .selections
      if reach.isHidden || isMarked, !reach.wasDollar,
        let end = endOfOtherValue(in: bytes, from: start, context, isMember: reach.hiddenDepth > 0),
        !bytes[start..<end].elementsEqual(reach.number.utf8)
      {
        reach.hiddenValues.append(String(decoding: bytes[start..<end], as: UTF8.self))
        result += hidden
        reach.position.passValue()
        (reach.name, reach.nameInComment) = (nil, nil)
        (reach.isVariable, reach.isSecretValue) = (false, false)
        index = end
        continue
      }
      // A reference in place of a number: `{"pin": {{pin}}}`.
      if reach.isHidden || isMarked, let end = endOfReference(in: bytes, from: start, redactor) {
        result += bytes[start..<end]
        reach.position.passValue()
        reach.isSecretValue = false
        index = end
        continue
      }
      switch byte {
      case UInt8(ascii: "#") where !isComment:
        // A comment is scanned separately. A name in it may apply to the value on the next line.
        var comment = Reach(SecretPlaces(), isJSON: isJSON)
        let words = String(decoding: word.dropFirst(), as: UTF8.self)
        result += [byte] + redacted(words, redactor, isJSON: isJSON, isComment: true, &comment).utf8
        reach.pass(comment)
      case UInt8(ascii: "\""):
        let inner = String(decoding: word, as: UTF8.self)
        let isHidden = (reach.isHidden || isMarked) && !redactor.isReference(withoutQuotes(inner))
        if isHidden {
          reach.hiddenValues.append(withoutQuotes(inner))
          reach.hiddenLiterals.append(start..<index)
        }
        // The text of a secret number stays that of a number.
        result += isHidden && inner != reach.number ? hidden : Array(redactor.text(inner).utf8)
        reach.position.passValue()
        // Names in JSON are strings.
        (reach.name, reach.nameInComment) = (inner.filter { $0 != "\"" }, nil)
        (reach.isSecretValue, reach.wasDollar, reach.isVariable) = (false, false, false)
      case UInt8(ascii: ":"):
        let isMarked = reach.position.passColon(after: reach.name)
        let isSecret = isMarked || [reach.name, reach.nameInComment].contains { $0.map(redactor.isSecret) ?? false }
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
        reach.position.open(isObject: byte == UInt8(ascii: "{"))
        result += word
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        reach.hiddenDepth = max(0, reach.hiddenDepth - 1)
        reach.isSecretValue = false
        reach.position.close()
        result += word
      case UInt8(ascii: "("), UInt8(ascii: ")"):
        reach.parentheses = max(0, reach.parentheses + (byte == UInt8(ascii: "(") ? 1 : -1))
        result += word
      case 0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: ","): result += word
      case UInt8(ascii: "$"):
        (reach.wasDollar, reach.isSecretValue, reach.isSecretDefault) = (true, false, false)
        result += word
      case _ where byte.isNameByte || byte == UInt8(ascii: "-"):
        let plain = String(decoding: word, as: UTF8.self)
        let isNumber = byte == UInt8(ascii: "-") || byte.isDigit
        let isWord = isJSON && !["true", "false", "null"].contains(plain)
        let isHidden = (reach.isHidden || isMarked) && !reach.wasDollar
        let shown = redactor.name(plain)
        if isNumber, isHidden || shown != plain {
          if isHidden { reach.hiddenValues.append(plain) }
          result += reach.number.utf8
        } else {
          result += isHidden && isWord ? hidden : Array(shown.utf8)
        }
        reach.position.passValue()
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

  /// Returns the end of a reference in double braces; nil if none begins here.
  private static func endOfReference(in bytes: [UInt8], from start: Int, _ redactor: Redactor) -> Int? {
    guard bytes[start...].starts(with: "{{".utf8),
      let close = bytes[start...].firstIndex(of: UInt8(ascii: "}")), bytes[close...].starts(with: "}}".utf8),
      redactor.isReference(String(decoding: bytes[start..<close + 2], as: UTF8.self))
    else { return nil }
    return close + 2
  }

  private static func withoutQuotes(_ string: String) -> String {
    let count = string.hasPrefix("\"\"\"") ? 3 : 1
    return String(string.dropFirst(count).dropLast(count))
  }

  /// Finds the end of a token: a string, name, number or comment, else a single byte.
  static func endOfWord(in bytes: [UInt8], from start: Int) -> Int {
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
    // A reference in place of a number is one token.
    default: return bytes[start...].starts(with: mark) ? start + mark.count : start + 1
    }
  }

  private static let mark = Array(Redactor.mark.utf8)

  /// Returns the text with other text in place of each mark outside of strings and comments.
  static func replacingMarks(in text: String, with replacement: String) -> String {
    guard text.contains(Redactor.mark) else { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let end = endOfWord(in: bytes, from: index)
      let word = bytes[index..<end]
      result += word.elementsEqual(mark) ? Array(replacement.utf8) : Array(word)
      index = end
    }
    return String(decoding: result, as: UTF8.self)
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
        // An unterminated string ends with its line.
        if bytes[index] == 0x0A || bytes[index] == 0x0D { return index }
        if bytes[index] == 0x22 { return index + 1 }
        if bytes[index] == 0x5C, index + 1 < bytes.count, bytes[index + 1] != 0x0A, bytes[index + 1] != 0x0D {
          index += 1
        }
      }
      index += 1
    }
    return bytes.count
  }
}
