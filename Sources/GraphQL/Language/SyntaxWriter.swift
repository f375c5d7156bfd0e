/// The output of the printer and the formatter, with the current indentation.
struct SyntaxWriter {
  private(set) var bytes: [UInt8] = []
  var indent = 0

  init(capacity: Int) { bytes.reserveCapacity(capacity) }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  // Not inlined, because there are many calls and inlining slows down compilation.
  @inline(never)
  mutating func write(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

  @inline(never)
  mutating func write(_ source: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: source[range]))
  }

  mutating func newLine() {
    bytes.append(0x0A)
    for _ in 0..<indent {
      bytes.append(0x20)
      bytes.append(0x20)
    }
  }

  /// Writes a line break without indentation, for blank lines.
  mutating func bareNewLine() { bytes.append(0x0A) }

  mutating func blankLine() {
    bytes.append(0x0A)
    newLine()
  }

  /// Whether the last byte opens a list.
  var endsInOpening: Bool {
    switch bytes.last {
    case UInt8(ascii: "{"), UInt8(ascii: "("), UInt8(ascii: "["): true
    default: false
    }
  }

  mutating func write(bytes slice: ArraySlice<UInt8>) { bytes.append(contentsOf: slice) }
}
