import ApusJSON

/// A script that is read byte by byte, and whose values can be joined with `+`.
protocol ScriptReader {
  var bytes: [UInt8] { get }
  var offset: Int { get set }
  /// The nesting depth of the value that is being read.
  var depth: Int { get set }

  /// Skips whitespace and comments; with `andLines`, also line ends that would end a statement.
  mutating func skipBlanks(andLines: Bool)
  /// Reads a value without operands that follow it.
  mutating func primary() -> JSONValue
}

extension ScriptReader {
  func byte(_ distance: Int = 0) -> UInt8? {
    offset + distance < bytes.count ? bytes[offset + distance] : nil
  }

  func isNext(_ text: String) -> Bool { bytes[offset...].starts(with: text.utf8) }

  static func text(_ value: JSONValue) -> String {
    value.string ?? (value.isNull ? "" : JSONWriter.compact(value))
  }

  /// Reads a value, including operands that are joined with `+`. Stops at the maximum nesting depth.
  mutating func operand() -> JSONValue {
    guard depth < 64 else {
      offset = bytes.count
      return .null
    }
    depth += 1
    defer { depth -= 1 }
    let first = primary()
    var sum: String?
    while true {
      let start = offset
      skipBlanks(andLines: false)
      guard byte() == UInt8(ascii: "+"), byte(1) != UInt8(ascii: "+") else {
        offset = start
        return sum.map { JSONValue($0) } ?? first
      }
      offset += 1
      skipBlanks(andLines: true)
      let next = Self.text(primary())
      if sum == nil { sum = Self.text(first) }
      sum?.append(next)
    }
  }
}
