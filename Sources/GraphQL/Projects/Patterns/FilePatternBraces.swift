/// A pattern's text with the choices of its braces: `{a,{b,c}}`, or `{1..3}`. Braces without a choice are literal, as
/// in `{{cookiecutter.slug}}`.
///
/// Source: GNU Bash, "Brace Expansion"; the package `braces`, which globby uses.
struct FilePatternBraces {
  private indirect enum Part {
    case text([UInt8])
    case choice([[Part]])
  }

  /// Braces that are not closed yet.
  private struct OpenBraces {
    var choices: [[Part]] = []
    var current: [Part] = []
  }

  private var parts: [Part] = []
  /// The maximum nesting; deeper braces are not expanded.
  private static let maximumDepth = 32
  /// The maximum number of values in `{1..9}`.
  private static let longestRange = 1000

  private(set) var isTooDeep = false

  init(_ pattern: Substring) {
    var stack = [OpenBraces()]
    func add(_ bytes: [UInt8]) {
      if case .text(let text) = stack[stack.count - 1].current.last {
        stack[stack.count - 1].current[stack[stack.count - 1].current.count - 1] = .text(text + bytes)
      } else {
        stack[stack.count - 1].current.append(.text(bytes))
      }
    }
    var pending: [UInt8] = []
    func flush() {
      if !pending.isEmpty { add(pending) }
      pending = []
    }
    let bytes = Array(pattern.utf8)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\\") where index < bytes.count:
        pending += [byte, bytes[index]]
        index += 1
      case UInt8(ascii: "{"):
        if stack.count > Self.maximumDepth {
          isTooDeep = true
          pending.append(byte)
          break
        }
        flush()
        stack.append(OpenBraces())
      case UInt8(ascii: ",") where stack.count > 1:
        flush()
        stack[stack.count - 1].choices.append(stack[stack.count - 1].current)
        stack[stack.count - 1].current = []
      case UInt8(ascii: "}") where stack.count > 1:
        flush()
        let closed = stack.removeLast()
        stack[stack.count - 1].current += Self.closed(closed)
      default: pending.append(byte)
      }
    }
    flush()
    while stack.count > 1 {
      let open = stack.removeLast()
      stack[stack.count - 1].current += [.text([UInt8(ascii: "{")])] + Self.joined(open)
    }
    parts = stack[0].current
  }

  private static func closed(_ braces: OpenBraces) -> [Part] {
    if !braces.choices.isEmpty { return [.choice(braces.choices + [braces.current])] }
    if braces.current.count == 1, case .text(let text) = braces.current[0], let values = values(ofRange: text) {
      return [.choice(values.map { [.text(Array($0.utf8))] })]
    }
    return [.text([UInt8(ascii: "{")])] + braces.current + [.text([UInt8(ascii: "}")])]
  }

  /// Returns the text of braces that are never closed.
  private static func joined(_ braces: OpenBraces) -> [Part] {
    var parts: [Part] = []
    for choice in braces.choices { parts += choice + [.text([UInt8(ascii: ",")])] }
    return parts + braces.current
  }

  /// Returns the values of `1..3`, `01..10` or `a..c`; `nil` for other text. A leading zero fills all values to one
  /// width: `01` and `02`, `-01` and `000`.
  private static func values(ofRange text: [UInt8]) -> [String]? {
    let ends = String(decoding: text, as: UTF8.self).split(separator: "..", omittingEmptySubsequences: false)
    guard ends.count == 2 else { return nil }
    if let low = Int(ends[0]), let high = Int(ends[1]), abs(low) < 1 << 31, abs(high) < 1 << 31 {
      guard abs(high - low) < longestRange else { return nil }
      let isFilled = ends.contains { end in
        let digits = end.drop { $0 == "-" }
        return digits.count > 1 && digits.hasPrefix("0")
      }
      let width = isFilled ? ends.map(\.count).max() ?? 0 : 0
      return stride(from: low, through: high, by: low <= high ? 1 : -1).map { value in
        let (sign, digits) = (value < 0 ? "-" : "", "\(value.magnitude)")
        return sign + String(repeating: "0", count: max(0, width - sign.count - digits.count)) + digits
      }
    }
    guard ends[0].utf8.count == 1, ends[1].utf8.count == 1, let low = ends[0].utf8.first, let high = ends[1].utf8.first,
      isLetter(low), isLetter(high)
    else { return nil }
    return stride(from: Int(low), through: Int(high), by: low <= high ? 1 : -1).map {
      String(UnicodeScalar(UInt8($0)))
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  // MARK: Expanding

  var hasChoices: Bool {
    parts.contains { part in
      if case .choice = part { return true }
      return false
    }
  }

  /// The number of parts at the top level, each of which takes work for each alternative.
  var count: Int { parts.count }

  /// Returns the alternatives, of which the last braces vary first, and whether there are more than `limit`.
  func alternatives(limit: Int) -> (texts: [[UInt8]], areAll: Bool) { Self.expand(parts, limit) }

  private static func expand(_ parts: [Part], _ limit: Int) -> (texts: [[UInt8]], areAll: Bool) {
    var texts: [[UInt8]] = [[]]
    var areAll = true
    for part in parts {
      switch part {
      case .text(let text): for index in texts.indices { texts[index] += text }
      case .choice(let choices):
        var endings: [[UInt8]] = []
        for choice in choices where endings.count < limit {
          let (more, isComplete) = expand(choice, limit - endings.count)
          endings += more
          areAll = areAll && isComplete
        }
        if choices.count > limit || texts.count * endings.count > limit { areAll = false }
        if texts.count >= limit {
          // Appending in place keeps the work proportional to the length.
          for index in texts.indices { texts[index] += endings.first ?? [] }
        } else {
          texts = Array(texts.lazy.flatMap { text in endings.lazy.map { text + $0 } }.prefix(limit))
        }
      }
    }
    return (texts, areAll)
  }
}
