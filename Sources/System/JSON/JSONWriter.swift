/// Writes JSON text (RFC 8259). Numbers keep their text. Control characters are escaped, also DEL and U+0080 to U+009F,
/// so that a terminal can show the text safely.
package enum JSONWriter {
  package static func compact(_ value: JSONValue) -> String { String(decoding: compactBytes(value), as: UTF8.self) }

  package static func compactBytes(_ value: JSONValue) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(value.byteSize + 16)
    append(value, to: &output)
    return output
  }

  package static func append(_ value: JSONValue, to output: inout [UInt8]) {
    write(value, to: &output, indent: nil)
  }

  /// Returns the text with an indentation of two spaces and no newline at the end.
  package static func pretty(_ value: JSONValue) -> String { String(decoding: prettyBytes(value), as: UTF8.self) }

  package static func prettyBytes(_ value: JSONValue) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(value.byteSize * 3 / 2 + 16)
    write(value, to: &output, indent: 0)
    return output
  }

  /// Writes the text in portions of about `portionSize` bytes, so that a large value is not held in memory a second
  /// time. Portions end between characters; the last one has the rest.
  package static func write(
    _ value: JSONValue, isPretty: Bool, portionSize: Int = 256 << 10,
    to take: @escaping (_ portion: [UInt8], _ isLast: Bool) -> Void
  ) {
    var output: [UInt8] = []
    output.reserveCapacity(min(value.byteSize, portionSize) + 16)
    write(value, to: &output, indent: isPretty ? 0 : nil) { output in
      guard output.count >= portionSize else { return }
      take(output, false)
      output.removeAll(keepingCapacity: true)
    }
    take(output, true)
  }

  /// Appends a string with quotes.
  package static func append(_ text: String, to output: inout [UInt8]) {
    var text = text
    output.append(UInt8(ascii: "\""))
    text.withUTF8 { appendEscaped($0, to: &output, isRaw: false) }
    output.append(UInt8(ascii: "\""))
  }

  /// Called before each element and member with the output so far, from which it may remove bytes.
  private typealias Drain = (inout [UInt8]) -> Void

  private static func write(_ value: JSONValue, to output: inout [UInt8], indent: Int?, _ drain: Drain? = nil) {
    if let (document, start) = value.position {
      var place = start
      writeView(of: document, at: &place, to: &output, indent: indent, drain)
      return
    }
    switch value.kind {
    case .null: output.append(contentsOf: "null".utf8)
    case .bool: output.append(contentsOf: (value.bool == true ? "true" : "false").utf8)
    case .number: value.withNumberBytes { output.append(contentsOf: $0) }
    case .string: value.withStringBytes { writeString($0, to: &output, isRaw: false) }
    case .array:
      output.append(UInt8(ascii: "["))
      var isFirst = true
      for element in value.elements {
        separate(&isFirst, &output, indent, drain)
        write(element, to: &output, indent: indent.map { $0 + 1 }, drain)
      }
      close(UInt8(ascii: "]"), isEmpty: isFirst, &output, indent)
    case .object:
      output.append(UInt8(ascii: "{"))
      var isFirst = true
      value.forEachMember { key, member in
        separate(&isFirst, &output, indent, drain)
        writeString(key, to: &output, isRaw: false)
        output.append(UInt8(ascii: ":"))
        if indent != nil { output.append(UInt8(ascii: " ")) }
        write(member, to: &output, indent: indent.map { $0 + 1 }, drain)
        return true
      }
      close(UInt8(ascii: "}"), isEmpty: isFirst, &output, indent)
    }
  }

  /// Writes a value directly from the tape, without creating values on the way, and moves `place` past it. Escapes stay
  /// as they are in the source.
  private static func writeView(
    of document: JSONDocument, at place: inout TapePosition, to output: inout [UInt8], indent: Int?, _ drain: Drain?
  ) {
    let tape = document.tape
    let kind = tape.kind(place)
    guard kind >= Tape.Kind.array else {
      if kind == Tape.Kind.string {
        writeString(tape.raw(place), to: &output, isRaw: true)
      } else {
        output.append(contentsOf: tape.raw(place))
      }
      place = tape.next(place)
      return
    }
    let isObject = kind == Tape.Kind.object
    output.append(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
    let end = tape.end(place)
    place = tape.inside(place)
    var isFirst = true
    while place.isBefore(end) {
      separate(&isFirst, &output, indent, drain)
      if isObject {
        writeString(tape.raw(place), to: &output, isRaw: true)
        place = tape.next(place)
        output.append(UInt8(ascii: ":"))
        if indent != nil { output.append(UInt8(ascii: " ")) }
      }
      writeView(of: document, at: &place, to: &output, indent: indent.map { $0 + 1 }, drain)
    }
    close(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"), isEmpty: isFirst, &output, indent)
  }

  private static func separate(_ isFirst: inout Bool, _ output: inout [UInt8], _ indent: Int?, _ drain: Drain?) {
    drain?(&output)
    if !isFirst { output.append(UInt8(ascii: ",")) }
    isFirst = false
    if let indent { breakLine(&output, indent + 1) }
  }

  private static func close(_ bracket: UInt8, isEmpty: Bool, _ output: inout [UInt8], _ indent: Int?) {
    if let indent, !isEmpty { breakLine(&output, indent) }
    output.append(bracket)
  }

  private static func breakLine(_ output: inout [UInt8], _ indent: Int) {
    output.append(0x0A)
    output.append(contentsOf: repeatElement(0x20, count: 2 * indent))
  }

  private static func writeString(_ text: UnsafeBufferPointer<UInt8>, to output: inout [UInt8], isRaw: Bool) {
    output.append(UInt8(ascii: "\""))
    appendEscaped(text, to: &output, isRaw: isRaw)
    output.append(UInt8(ascii: "\""))
  }

  private static func appendEscaped(_ bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8], isRaw: Bool) {
    var start = 0
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      let isPlain =
        byte >= 0x20 && byte != 0x7F && byte != 0xC2
        && (isRaw || byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\"))
      if isPlain {
        index += 1
        continue
      }
      var code = UInt32(byte)
      var width = 1
      if byte == 0xC2 {
        guard index + 1 < bytes.count, bytes[index + 1] < 0xA0 else {
          index += 1
          continue
        }
        code = UInt32(bytes[index + 1])
        width = 2
      }
      output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
      appendEscape(code, to: &output)
      index += width
      start = index
    }
    output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
  }

  private static func appendEscape(_ code: UInt32, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\\"))
    switch code {
    case 0x22: output.append(UInt8(ascii: "\""))
    case 0x5C: output.append(UInt8(ascii: "\\"))
    case 0x0A: output.append(UInt8(ascii: "n"))
    case 0x0D: output.append(UInt8(ascii: "r"))
    case 0x09: output.append(UInt8(ascii: "t"))
    default:
      let digits = Array("0123456789abcdef".utf8)
      output.append(contentsOf: [UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0")])
      output.append(digits[Int(code >> 4 & 0xF)])
      output.append(digits[Int(code & 0xF)])
    }
  }
}

extension JSONValue {
  /// The approximate size of the compact text, in bytes. An estimate for display, cheap for views.
  package var byteSize: Int {
    switch storage {
    case .tape(let document, let place):
      switch document.kind(at: place) {
      case .array, .object: document.span(at: place)
      case .string: document.tape.length(place) + 2
      default: document.tape.length(place)
      }
    case .null, .notFinite: 4
    case .bool(let value): value ? 4 : 5
    case .number(let number): number.text.utf8.count
    case .string(let text): text.utf8.count + 2
    case .array(let storage): storage.content.byteSize
    case .object(let storage): storage.content.byteSize
    }
  }
}
