import ApusJSON

/// Reading of values that can be joined with `+`.
extension FetchScript {
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
      skipBlanks()
      guard byte() == UInt8(ascii: "+"), byte(1) != UInt8(ascii: "+") else {
        offset = start
        return sum.map { JSONValue($0) } ?? first
      }
      offset += 1
      skipBlanks()
      let next = Self.text(primary())
      if sum == nil { sum = Self.text(first) }
      sum?.append(next)
    }
  }
}
