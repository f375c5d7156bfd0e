import ApusPlatform
import FuzzDriver

/// What a fuzzer feeds: says what must hold for any bytes, and is the program's `@main`.
public protocol FuzzTarget {
  /// Makes what all checks need. It cannot change: what it would keep looks like a leak.
  static func prepare()
  static func check(_ bytes: [UInt8])
}

extension FuzzTarget {
  public static func prepare() {}
}

// Set once, before libFuzzer is started, and only read after that, by the one thread that libFuzzer calls it on.
private nonisolated(unsafe) var target: (any FuzzTarget.Type)?

extension FuzzTarget {
  public static func main() {
    target = self
    beginConstants()
    prepare()
    endConstants()
    exit(
      runFuzzer(CommandLine.argc, CommandLine.unsafeArgv) { start, count in
        target?.check(Array(UnsafeBufferPointer(start: start, count: count)))
        return 0
      })
  }
}

/// Ends the program, which libFuzzer takes for a crash, when what must hold does not.
public func expect(
  _ holds: Bool, _ claim: @autoclosure () -> String, file: StaticString = #file, line: UInt = #line
) {
  if !holds { fatalError(claim(), file: file, line: line) }
}

/// Bytes cut into pieces of 1 to 16, or of up to 64, as their own sum decides: the same bytes are always cut alike.
public func pieces(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
  var state = bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  let largest: UInt64 = state & 3 == 0 ? 64 : 16
  var pieces: [ArraySlice<UInt8>] = []
  var start = 0
  while start < bytes.count {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let end = min(bytes.count, start + 1 + Int((state >> 33) % largest))
    pieces.append(bytes[start..<end])
    start = end
  }
  return pieces
}

/// Takes bytes as the numbers and texts of a little program; zeros when there are no more.
public struct Instructions {
  private var rest: ArraySlice<UInt8>

  public init(_ bytes: [UInt8]) { rest = bytes[...] }

  public var isEmpty: Bool { rest.isEmpty }

  public mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  public mutating func number(below limit: Int) -> Int { Int(byte()) % limit }

  public mutating func bytes(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// What is left.
  public mutating func remainder() -> [UInt8] {
    defer { rest = [] }
    return Array(rest)
  }
}
