import ApusPlatform
import FuzzDriver

/// A fuzz target, which checks properties that must hold for all inputs. It is the program's `@main` type.
public protocol FuzzTarget {
  /// Creates the constants that all checks use. They must not change, because memory that they retain later looks like
  /// a leak.
  static func prepare()
  static func check(_ bytes: [UInt8])
}

extension FuzzTarget {
  public static func prepare() {}
}

// Set once before libFuzzer starts. After that it is only read, on the thread on which libFuzzer calls it.
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

/// Ends the program if a condition does not hold, which libFuzzer reports as a crash.
public func expect(
  _ holds: Bool, _ claim: @autoclosure () -> String, file: StaticString = #file, line: UInt = #line
) {
  if !holds { fatalError(claim(), file: file, line: line) }
}

/// Splits bytes into pieces of 1 to 16, or of up to 64 bytes, determined by their checksum: equal inputs are split
/// equally.
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

/// Reads bytes as the numbers and strings of a small program; returns zeros at the end.
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

  /// Returns the remaining bytes.
  public mutating func remainder() -> [UInt8] {
    defer { rest = [] }
    return Array(rest)
  }
}
