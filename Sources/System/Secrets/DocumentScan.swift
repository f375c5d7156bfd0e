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
      } else if isNameByte(byte) {
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

  /// The text with the values behind secret names, the secret shapes and the known values replaced.
  static func redacted(_ text: String, _ redactor: Redactor, isJSON: Bool, isComment: Bool = false) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    let hidden = Array("\"\(Redactor.mark)\"".utf8)
    /// The name before the colon, and whether the value behind the colon is to be hidden.
    var name: String?
    var isSecretValue = false
    /// A variable's default stands behind its type.
    var isSecretDefault = false
    var wasDollar = false
    var isVariable = false
    /// How deep one is in a list or an object that is hidden.
    var hiddenDepth = 0
    var index = 0
    while index < bytes.count {
      let start = index
      let byte = bytes[index]
      index = byte == UInt8(ascii: "#") && isComment ? start + 1 : endOfWord(in: bytes, from: start)
      let word = bytes[start..<index]
      let isHidden = isSecretValue || hiddenDepth > 0
      switch byte {
      case UInt8(ascii: "#") where !isComment:
        // What a comment says is looked through by itself: nothing in it belongs to what stands around it.
        let comment = String(decoding: word.dropFirst(), as: UTF8.self)
        result += [byte] + redacted(comment, redactor, isJSON: isJSON, isComment: true).utf8
      case UInt8(ascii: "\""):
        let inner = String(decoding: word, as: UTF8.self)
        result += isHidden ? hidden : Array(redactor.text(inner).utf8)
        // In JSON names are strings.
        name = inner.filter { $0 != "\"" }
        (isSecretValue, wasDollar, isVariable) = (false, false, false)
      case UInt8(ascii: ":"):
        let isSecret = name.map(redactor.isSecret) ?? false
        if isVariable { isSecretDefault = isSecret } else { isSecretValue = isSecret }
        (name, isVariable) = (nil, false)
        result += word
      case UInt8(ascii: "="):
        isSecretValue = isSecretDefault
        isSecretDefault = false
        result += word
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        if isHidden { hiddenDepth += 1 }
        isSecretValue = false
        result += word
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        hiddenDepth = max(0, hiddenDepth - 1)
        isSecretValue = false
        result += word
      case 0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: ","): result += word
      case UInt8(ascii: "$"):
        (wasDollar, isSecretValue, isSecretDefault) = (true, false, false)
        result += word
      case _ where isNameByte(byte) || byte == UInt8(ascii: "-"):
        let plain = String(decoding: word, as: UTF8.self)
        let isNumber = byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte)
        let isWord = isJSON && !["true", "false", "null"].contains(plain)
        if isHidden && !wasDollar && (isNumber || isWord) {
          result += hidden
        } else {
          result += redactor.text(plain).utf8
        }
        if !isNumber { name = plain }
        (isVariable, isSecretValue, wasDollar) = (wasDollar, false, false)
      default:
        (isSecretValue, wasDollar) = (false, false)
        if byte == UInt8(ascii: ")") { isSecretDefault = false }
        result += word
      }
    }
    // A secret may be none of these words: what it looks like is seen in the text as a whole.
    return redactor.text(String(decoding: result, as: UTF8.self))
  }

  /// A string whole, a name or a number whole, a comment whole, anything else a byte.
  private static func endOfWord(in bytes: [UInt8], from start: Int) -> Int {
    var index = start
    switch bytes[start] {
    case UInt8(ascii: "#"):
      while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
      return index
    case UInt8(ascii: "\""): return endOfString(in: bytes, from: start)
    case _ where isNameByte(bytes[start]) || bytes[start] == UInt8(ascii: "-"):
      let isNumber = !isLetter(bytes[start])
      index += 1
      while index < bytes.count,
        isNameByte(bytes[index]) || isNumber && [0x2E, 0x2B, 0x2D].contains(bytes[index])
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

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
