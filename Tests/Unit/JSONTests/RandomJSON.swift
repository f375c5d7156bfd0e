@testable import ApusJSON
import ApusTestSupport

extension SplitMix {
  mutating func value(depth: Int) -> JSONValue {
    switch Int.random(in: 0...(depth > 0 ? 8 : 4), using: &self) {
    case 0: return .null
    case 1: return JSONValue(Bool.random(using: &self))
    case 2: return JSONValue(Int.random(in: .min ... .max, using: &self))
    case 3: return JSONValue(Double(bitPattern: UInt64.random(in: 0...(.max), using: &self)))
    case 4: return JSONValue(text())
    case 5, 6: return .array((0..<Int.random(in: 0...6, using: &self)).map { _ in value(depth: depth - 1) })
    default:
      return .object(
        (0..<Int.random(in: 0...6, using: &self)).map { ("\($0)" + text(), value(depth: depth - 1)) })
    }
  }

  mutating func text() -> String {
    let characters = [
      "a", "Z", " ", "\"", "\\", "/", "\n", "\u{1B}", "\u{7F}", "\u{85}", "é", "€", "😀", "\u{0}", "{", ",",
    ]
    return (0..<Int.random(in: 0...12, using: &self))
      .map { _ in characters.randomElement(using: &self) ?? "" }.joined()
  }
}
