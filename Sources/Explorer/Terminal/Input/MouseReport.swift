/// Parses mouse reports of terminals.
enum MouseReport {
  /// Parses `button;column;row`, with the final byte `M` for a press and `m` for a release: `0;11;5M` presses the left
  /// button at column 10 of row 4, counted from 0.
  static func sgr(_ parameters: ArraySlice<UInt8>, final: UInt8) -> MouseEvent? {
    guard final == 0x4D || final == 0x6D, let numbers = ControlKeys.numbers(parameters), numbers.count == 3 else {
      return nil
    }
    return event(code: numbers[0], column: numbers[1], row: numbers[2], isRelease: final == 0x6D)
  }

  /// Parses three bytes, each increased by 32. A release does not include its button.
  static func legacy(_ bytes: [UInt8]) -> MouseEvent? {
    guard bytes.count == 3, bytes.allSatisfy({ $0 >= 32 }) else { return nil }
    let code = Int(bytes[0]) - 32
    let isRelease = code & 0b11 == 3 && code & 0b110_0000 == 0
    return event(
      code: isRelease ? code & ~0b11 : code, column: Int(bytes[1]) - 32, row: Int(bytes[2]) - 32, isRelease: isRelease)
  }

  private static func event(code: Int, column: Int, row: Int, isRelease: Bool) -> MouseEvent? {
    var modifiers: KeyModifiers = []
    if code & 4 != 0 { modifiers.insert(.shift) }
    if code & 8 != 0 { modifiers.insert(.alt) }
    if code & 16 != 0 { modifiers.insert(.control) }
    let point = Point(column: max(0, column - 1), row: max(0, row - 1))
    if code & 64 != 0 {
      let directions: [MouseEvent.Direction] = [.up, .down, .left, .right]
      return isRelease ? nil : MouseEvent(.wheel(directions[code & 3]), at: point, modifiers: modifiers)
    }
    let buttons: [MouseEvent.Button] = [.left, .middle, .right]
    guard code & 128 == 0, code & 3 < 3 else { return nil }
    let button = buttons[code & 3]
    if code & 32 != 0 { return MouseEvent(.drag(button), at: point, modifiers: modifiers) }
    return MouseEvent(isRelease ? .release(button) : .press(button), at: point, modifiers: modifiers)
  }
}
