/// Recognizes a control sequence that arrived in two pieces, between which the first piece timed out.
enum LateSequence {
  enum Match: Equatable {
    case none
    case incomplete
    case complete(length: Int)
  }

  /// Compares all bytes with the grammar of sequences that no user types.
  ///
  /// - Parameter start: The bytes that timed out. Escape, or Escape and a bracket, may have been keys, so the rest must
  ///   then be that of a response or a mouse report. A longer start was a sequence.
  static func match(_ bytes: [UInt8], start: [UInt8]) -> Match {
    guard bytes.count > 2, bytes[0] == 0x1B else { return .none }
    switch bytes[1] {
    case 0x5B: return controlSequence(bytes, wasSequence: start.count > 2)
    case 0x5D: return colorReport(bytes)
    default: return .none
    }
  }

  /// CSI with parameters: for a start that may have been keys, a marker and a digit.
  private static func controlSequence(_ bytes: [UInt8], wasSequence: Bool) -> Match {
    let isPrivate = bytes.count > 3 && (bytes[2] == 0x3F || bytes[2] == 0x3C) && isDigit(bytes[3])
    guard wasSequence || isPrivate else { return .none }
    guard let end = bytes.indices.dropFirst(2).first(where: { !(0x20...0x3F).contains(bytes[$0]) }) else {
      return .incomplete
    }
    return (0x40...0x7E).contains(bytes[end]) ? .complete(length: end + 1) : .none
  }

  /// OSC with the number of a color and its components.
  private static func colorReport(_ bytes: [UInt8]) -> Match {
    guard isDigit(bytes[2]) else { return .none }
    let payload = Set("0123456789abcdefABCDEFrg:;/".utf8)
    guard let end = bytes.indices.dropFirst(2).first(where: { !payload.contains(bytes[$0]) }) else {
      return .incomplete
    }
    if bytes[end] == 0x07 { return .complete(length: end + 1) }
    guard bytes[end] == 0x1B else { return .none }
    guard end + 1 < bytes.count else { return .incomplete }
    return bytes[end + 1] == 0x5C ? .complete(length: end + 2) : .none
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
