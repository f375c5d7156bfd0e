import JSON

/// Takes out of texts and values what must not be stored or handed on: the values of names that tell of a secret.
package enum Redaction {
  package static let mark = "\u{2022}\u{2022}\u{2022}"

  /// A JSON text; what is no JSON yet is looked through like a document.
  package static func variables(_ text: String) -> String {
    guard let value = try? JSONDocument(parsing: text).root else { return document(text) }
    let redacted = json(value)
    return redacted == value ? text : JSONWriter.pretty(redacted)
  }

  package static func json(_ value: JSONValue) -> JSONValue {
    switch value.kind {
    case .object:
      return .object(
        value.members.map { key, member in
          let isSecret = SecretNames.contains(key) && (member.kind == .string || member.kind == .number)
          return (key, isSecret ? JSONValue(mark) : json(member))
        })
    case .array: return .array(value.elements.map { json($0) })
    default: return value
    }
  }

  /// A GraphQL document: string arguments with telling names lose their text.
  package static func document(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var name: Range<Int>?
    var isBehindColon = false
    var index = 0
    while index < bytes.count {
      let end = endOfToken(in: bytes, from: index)
      let token = bytes[index..<end]
      switch bytes[index] {
      case UInt8(ascii: "\""):
        let isSecret =
          isBehindColon && name.map { SecretNames.contains(String(decoding: bytes[$0], as: UTF8.self)) } ?? false
        result += isSecret ? Array("\"\(mark)\"".utf8)[...] : token
        // In JSON names are strings.
        name = index..<end
        isBehindColon = false
      case UInt8(ascii: ":"):
        isBehindColon = true
        result += token
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): result += token
      default:
        if isNameByte(bytes[index]) { name = index..<end }
        isBehindColon = false
        result += token
      }
      index = end
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// A string whole, a name whole, anything else a byte.
  private static func endOfToken(in bytes: [UInt8], from start: Int) -> Int {
    var index = start
    if isNameByte(bytes[start]) {
      while index < bytes.count, isNameByte(bytes[index]) { index += 1 }
      return index
    }
    guard bytes[start] == UInt8(ascii: "\"") else { return start + 1 }
    let quotes = [UInt8](repeating: UInt8(ascii: "\""), count: 3)
    let isBlock = bytes[start...].starts(with: quotes)
    index += isBlock ? 3 : 1
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "\\") {
        index += 2
        continue
      }
      if isBlock, bytes[index...].starts(with: quotes) { return index + 3 }
      if !isBlock, bytes[index] == UInt8(ascii: "\"") { return index + 1 }
      index += 1
    }
    return bytes.count
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
