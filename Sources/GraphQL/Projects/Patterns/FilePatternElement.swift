/// A part of a file name pattern without braces.
///
/// Source: picomatch 4, which globby uses.
enum FilePatternElement: Equatable, Sendable {
  enum Repetition: Sendable { case once, optional, oneOrMore, zeroOrMore }

  case byte(UInt8)
  case slash
  /// `?`
  case anyScalar
  /// `*`
  case star
  /// `**` as a whole name.
  case folders
  /// `[a-c]` or `[!a]`, as ranges of Unicode scalar values.
  case scalars([ClosedRange<UInt32>])
  /// `@(a|b)`, `?(a)`, `+(a)`, `*(a)`, or `(a|b)`.
  case group(Repetition, [[FilePatternElement]])
  /// `!(a|b)`
  case negation([[FilePatternElement]])

  /// Whether the element matches exactly one text.
  var isLiteral: Bool {
    switch self {
    case .byte, .slash: true
    case .anyScalar, .star, .folders, .scalars, .group, .negation: false
    }
  }

  var hasSlash: Bool {
    switch self {
    case .slash, .folders: true
    case .group(_, let choices), .negation(let choices): choices.joined().contains(where: \.hasSlash)
    case .byte, .anyScalar, .star, .scalars: false
    }
  }

  var hasStar: Bool {
    switch self {
    case .star, .folders: true
    case .group(let repetition, let choices):
      repetition == .zeroOrMore || choices.joined().contains(where: \.hasStar)
    case .negation(let choices): choices.joined().contains(where: \.hasStar)
    case .byte, .slash, .anyScalar, .scalars: false
    }
  }

  /// Returns the elements of a pattern without empty names: `/a//b/` is `a/b`.
  static func elements(of pattern: String) -> [FilePatternElement] {
    var reader = FilePatternReader(pattern)
    var elements = reader.elements(until: reader.bytes.count, depth: 0)
    if elements.last == .slash { elements.removeLast() }
    if elements.first == .slash { elements.removeFirst() }
    return elements
  }
}

/// Reads the elements of a pattern, in time proportional to its length.
private struct FilePatternReader {
  let bytes: [UInt8]
  private var position = 0
  /// The offset of the closing parenthesis for each opening one that has one.
  private let closings: [Int: Int]
  /// The offset of the next `]` that is not escaped, for each offset.
  private let nextBracket: [Int]

  private static let backslash = UInt8(ascii: "\\")
  private static let slash = UInt8(ascii: "/")
  /// The maximum nesting of groups. Deeper parentheses are literal.
  private static let maximumDepth = 16

  init(_ pattern: String) {
    bytes = Array(pattern.utf8)
    var closings: [Int: Int] = [:]
    var open: [Int] = []
    var brackets: [Int] = []
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case Self.backslash: index += 1
      case UInt8(ascii: "("): open.append(index)
      case UInt8(ascii: ")"): if let start = open.popLast() { closings[start] = index }
      case UInt8(ascii: "]"): brackets.append(index)
      default: break
      }
      index += 1
    }
    self.closings = closings
    var next = [Int](repeating: Int.max, count: bytes.count + 1)
    for bracket in brackets { next[bracket] = bracket }
    for index in bytes.indices.reversed() { next[index] = min(next[index], next[index + 1]) }
    nextBracket = next
  }

  mutating func elements(until end: Int, depth: Int) -> [FilePatternElement] {
    var elements: [FilePatternElement] = []
    while position < end {
      let byte = bytes[position]
      if let group = group(before: end, depth) {
        elements.append(group)
        continue
      }
      position += 1
      switch byte {
      case Self.backslash where position < end:
        elements.append(bytes[position] == Self.slash ? .slash : .byte(bytes[position]))
        position += 1
      case Self.slash: if elements.last != .slash { elements.append(.slash) }
      case UInt8(ascii: "*"):
        let isAtStart = elements.last == .slash || elements.isEmpty && depth == 0
        if isAtStart, position < end, bytes[position] == byte, position + 1 == end || bytes[position + 1] == Self.slash
        {
          position += 1
          elements.append(.folders)
        } else if elements.last != .star {
          elements.append(.star)
        }
      case UInt8(ascii: "?"): elements.append(.anyScalar)
      case UInt8(ascii: "["):
        if let set = bracketExpression(before: end) { elements.append(set) } else { elements.append(.byte(byte)) }
      default: elements.append(.byte(byte))
      }
    }
    return elements
  }

  // MARK: Groups

  private mutating func group(before end: Int, _ depth: Int) -> FilePatternElement? {
    let repetition: FilePatternElement.Repetition?
    switch bytes[position] {
    case UInt8(ascii: "("), UInt8(ascii: "@"): repetition = .once
    case UInt8(ascii: "?"): repetition = .optional
    case UInt8(ascii: "+"): repetition = .oneOrMore
    case UInt8(ascii: "*"): repetition = .zeroOrMore
    case UInt8(ascii: "!"): repetition = nil
    default: return nil
    }
    let start = bytes[position] == UInt8(ascii: "(") ? position : position + 1
    guard depth < Self.maximumDepth, start < end, let closing = closings[start], closing < end else { return nil }
    position = start + 1
    var choices: [[FilePatternElement]] = []
    for bar in bars(from: position, to: closing) + [closing] {
      choices.append(elements(until: bar, depth: depth + 1))
      position = bar + 1
    }
    return repetition.map { .group($0, choices) } ?? .negation(choices)
  }

  /// Returns the offsets of the `|` of a group, without those of groups inside it.
  private func bars(from start: Int, to end: Int) -> [Int] {
    var bars: [Int] = []
    var index = start
    while index < end {
      switch bytes[index] {
      case Self.backslash: index += 1
      case UInt8(ascii: "("): index = closings[index] ?? index
      case UInt8(ascii: "|"): bars.append(index)
      default: break
      }
      index += 1
    }
    return bars
  }

  // MARK: Brackets

  /// Reads `[ab]` after its opening bracket. Returns `nil` if it is not closed.
  private mutating func bracketExpression(before end: Int) -> FilePatternElement? {
    let start = position
    let isNegated = start < end && (bytes[start] == UInt8(ascii: "!") || bytes[start] == UInt8(ascii: "^"))
    let first = isNegated ? start + 1 : start
    // A bracket that comes first is a member.
    let searched = first < end && bytes[first] == UInt8(ascii: "]") ? first + 1 : first
    guard searched < end, nextBracket[searched] < end else { return nil }
    let closing = nextBracket[searched]
    let content = bytes[start..<closing]
    if content.contains(Self.slash) { return nil }
    position = closing + 1
    let others = Self.complement(Self.ranges(String(decoding: bytes[first..<closing], as: UTF8.self)))
    let set = FilePatternElement.scalars(isNegated ? others : Self.complement(others))
    // Without characters that have a meaning in it, picomatch also takes it literally, as in the folder `[slug]`.
    guard !isNegated, !content.contains(where: { "-*+?.^${}(|)[]\\".utf8.contains($0) }) else { return set }
    return .group(.once, [bytes[(start - 1)...closing].map { .byte($0) }, [set]])
  }

  private static func ranges(_ content: String) -> [ClosedRange<UInt32>] {
    var scalars: [(value: UInt32, isDash: Bool)] = []
    var isEscaped = false
    for scalar in content.unicodeScalars {
      if scalar == "\\", !isEscaped {
        isEscaped = true
        continue
      }
      scalars.append((scalar.value, scalar == "-" && !isEscaped))
      isEscaped = false
    }
    var ranges: [ClosedRange<UInt32>] = []
    var index = 0
    while index < scalars.count {
      let low = scalars[index].value
      if index + 2 < scalars.count, scalars[index + 1].isDash {
        let high = scalars[index + 2].value
        if low <= high { ranges.append(low...high) }
        index += 3
      } else {
        ranges.append(low...low)
        index += 1
      }
    }
    return ranges
  }

  /// Returns all other scalars except `/`.
  private static func complement(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    let slash = UInt32(Self.slash)
    var free: [ClosedRange<UInt32>] = []
    var next: UInt32 = 1
    for range in (ranges + [slash...slash]).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if next < range.lowerBound { free.append(next...(range.lowerBound - 1)) }
      next = max(next, range.upperBound + 1)
    }
    return next <= 0x10FFFF ? free + [next...0x10FFFF] : free
  }
}
