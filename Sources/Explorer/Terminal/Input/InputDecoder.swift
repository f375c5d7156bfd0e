/// Turns the bytes that a terminal sends into events: keys with their modifiers, the mouse, pasted text, answers.
///
/// It knows ECMA-48's grammar, so a sequence with no meaning here is dropped whole and never typed into a text. What a
/// terminfo entry adds is looked up first. It never waits: while the bytes so far could be the beginning of a longer
/// sequence, `waiting` says how long the end may be waited for, and `timeOut` takes them as they are.
package struct InputDecoder: Sendable {
  package enum Waiting: Equatable, Sendable {
    case no
    /// An Escape that may be a key of its own, or Alt with what follows.
    case escape
    /// A sequence that has begun: its end is on the way.
    case sequence
  }

  /// What a piece of input turned out to be.
  enum Step {
    case event(TerminalEvent, length: Int)
    case answer(TerminalAnswer, length: Int)
    case nothing(length: Int)
    case incomplete(Waiting)
  }

  private let sequences: KeySequences
  private var pending: [UInt8] = []
  private var pasted: [UInt8]?
  private var answers: [TerminalAnswer] = []
  package private(set) var waiting = Waiting.no

  package init(sequences: KeySequences = KeySequences()) {
    self.sequences = sequences
  }

  /// Takes bytes as they were read and returns what they complete.
  package mutating func feed(_ bytes: some Sequence<UInt8>) -> [TerminalEvent] {
    pending += bytes
    return decode(isTimeOut: false)
  }

  /// Nothing more came: what waits is taken as it is.
  package mutating func timeOut() -> [TerminalEvent] {
    decode(isTimeOut: true)
  }

  /// What the terminal answered since the last call: for whoever asked, never for whoever reads keys.
  package mutating func takeAnswers() -> [TerminalAnswer] {
    defer { answers = [] }
    return answers
  }

  private mutating func decode(isTimeOut: Bool) -> [TerminalEvent] {
    var events: [TerminalEvent] = []
    var index = 0
    waiting = .no
    while index < pending.count {
      if pasted != nil {
        guard takePasted(from: &index, into: &events) else { break }
        continue
      }
      let rest = pending[index...]
      if rest.starts(with: Self.pasteStart) {
        pasted = []
        index += Self.pasteStart.count
        continue
      }
      if let first = rest.first, first >= 0x20, first != 0x7F {
        index += typed(rest, into: &events)
        if index < pending.count, pending[index] >= 0x80, isTruncated(pending[index...]) { break }
        continue
      }
      switch step(rest, isTimeOut: isTimeOut) {
      case .event(let event, let length):
        events.append(event)
        index += length
      case .answer(let answer, let length):
        answers.append(answer)
        index += length
      case .nothing(let length): index += length
      case .incomplete(let waiting):
        self.waiting = waiting
        pending.removeFirst(index)
        return events
      }
    }
    pending.removeFirst(index)
    return events
  }

  // MARK: - Typed text

  /// Takes the characters up to the next control byte, cluster by cluster, and returns how many bytes that were.
  private func typed(_ bytes: ArraySlice<UInt8>, into events: inout [TerminalEvent]) -> Int {
    var end = bytes.firstIndex { $0 < 0x20 || $0 == 0x7F } ?? bytes.endIndex
    if end == bytes.endIndex {
      // The last character may not have come whole.
      var start = end - 1
      while start > bytes.startIndex, bytes[start] & 0xC0 == 0x80, end - start < 4 { start -= 1 }
      if isTruncated(bytes[start...]) { end = start }
    }
    let text = String(decoding: bytes[bytes.startIndex..<end], as: UTF8.self)
    for character in text where character != "\u{FFFD}" && !isControl(character) {
      events.append(.key(KeyPress(.character(character))))
    }
    return end - bytes.startIndex
  }

  /// C1 controls come as text in UTF-8; nobody types them.
  private func isControl(_ character: Character) -> Bool {
    guard let scalar = character.unicodeScalars.first else { return true }
    return (0x80...0x9F).contains(scalar.value)
  }

  /// Whether bytes are the beginning of a character whose rest is missing.
  private func isTruncated(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first else { return false }
    let length = first >= 0xF0 && first < 0xF8 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 1
    guard first < 0xF8, bytes.count < length else { return false }
    return bytes.dropFirst().allSatisfy { $0 & 0xC0 == 0x80 }
  }

  // MARK: - Pasted text

  private static let pasteStart: [UInt8] = Array("\u{1B}[200~".utf8)
  private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)

  /// Collects pasted bytes until the end mark; false while that has not come.
  private mutating func takePasted(from index: inout Int, into events: inout [TerminalEvent]) -> Bool {
    guard var text = pasted else { return true }
    // One pass over the bytes, without copying what remains: pasted text can be long.
    var place = index
    while place < pending.count {
      guard let escape = pending[place...].firstIndex(of: 0x1B) else {
        place = pending.count
        break
      }
      place = escape
      let rest = pending[escape...]
      if rest.starts(with: Self.pasteEnd) {
        text += pending[index..<escape]
        index = escape + Self.pasteEnd.count
        pasted = nil
        events.append(.paste(Self.cleaned(text)))
        return true
      }
      if rest.count < Self.pasteEnd.count, Self.pasteEnd.starts(with: rest) { break }
      place += 1
    }
    text += pending[index..<place]
    index = place
    pasted = text
    return false
  }

  /// Text as an editor wants it: line ends as `\n`, no control characters but tabs.
  private static func cleaned(_ bytes: [UInt8]) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var previous: UInt8 = 0
    for byte in bytes {
      if byte == 0x0D || (byte == 0x0A && previous != 0x0D) {
        result.append(0x0A)
      } else if byte == 0x09 || (byte >= 0x20 && byte != 0x7F) {
        result.append(byte)
      }
      previous = byte
    }
    return String(decoding: result, as: UTF8.self)
  }

  // MARK: - Control bytes and sequences

  private func step(_ bytes: ArraySlice<UInt8>, isTimeOut: Bool) -> Step {
    if let (press, length) = sequences.match(bytes) { return .event(.key(press), length: length) }
    if !isTimeOut, sequences.hasLonger(than: bytes) { return .incomplete(bytes.count == 1 ? .escape : .sequence) }
    guard let first = bytes.first else { return .nothing(length: 0) }
    guard first == 0x1B else { return .event(.key(ControlKeys.press(first)), length: 1) }
    guard let second = bytes.dropFirst().first else {
      return isTimeOut ? .event(.key(KeyPress(.escape)), length: 1) : .incomplete(.escape)
    }
    switch second {
    case 0x5B: return controlSequence(bytes, isTimeOut: isTimeOut)
    case 0x4F: return singleShift(bytes, isTimeOut: isTimeOut)
    case 0x5D where bytes.dropFirst(2).first.map { (0x30...0x39).contains($0) } ?? !isTimeOut:
      return systemCommand(bytes, isTimeOut: isTimeOut)
    case 0x1B: return doubleEscape(bytes, isTimeOut: isTimeOut)
    default: return altKey(bytes, isTimeOut: isTimeOut)
    }
  }

  /// Escape and a key: Alt with that key.
  private func altKey(_ bytes: ArraySlice<UInt8>, isTimeOut: Bool) -> Step {
    let rest = bytes.dropFirst()
    guard let first = rest.first else { return .event(.key(KeyPress(.escape)), length: 1) }
    if first < 0x20 || first == 0x7F {
      let press = ControlKeys.press(first)
      return .event(.key(KeyPress(press.key, press.modifiers.union(.alt))), length: 2)
    }
    if isTruncated(rest) { return isTimeOut ? .nothing(length: bytes.count) : .incomplete(.sequence) }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 1
    // One scalar: a broken byte with a combining mark behind it would be one character of a text.
    guard let scalar = String(decoding: rest.prefix(length), as: UTF8.self).unicodeScalars.first,
      scalar != "\u{FFFD}"
    else { return .nothing(length: 2) }
    if isControl(Character(scalar)) { return .nothing(length: 1 + length) }
    return .event(.key(KeyPress(.character(Character(scalar)), .alt)), length: 1 + length)
  }

  /// Two Escapes: Alt with a key that is itself a sequence, or just two.
  private func doubleEscape(_ bytes: ArraySlice<UInt8>, isTimeOut: Bool) -> Step {
    let rest = bytes.dropFirst()
    guard let third = rest.dropFirst().first else {
      return isTimeOut ? .event(.key(KeyPress(.escape)), length: 1) : .incomplete(.escape)
    }
    guard third == 0x5B || third == 0x4F else { return .event(.key(KeyPress(.escape)), length: 1) }
    switch step(rest, isTimeOut: isTimeOut) {
    case .event(.key(let press), let length):
      return .event(.key(KeyPress(press.key, press.modifiers.union(.alt))), length: length + 1)
    // What is no key cannot be pressed with Alt: the Escape was a key of its own.
    case .event, .answer: return .event(.key(KeyPress(.escape)), length: 1)
    case .nothing(let length): return .nothing(length: length + 1)
    case .incomplete(let waiting): return .incomplete(waiting)
    }
  }

  /// CSI: parameters, intermediates, a final byte.
  private func controlSequence(_ bytes: ArraySlice<UInt8>, isTimeOut: Bool) -> Step {
    let start = bytes.startIndex
    var end = start + 2
    // The Linux console's F1 to F5.
    if end < bytes.endIndex, bytes[end] == 0x5B {
      guard end + 1 < bytes.endIndex else { return unfinished(bytes, isTimeOut: isTimeOut) }
      let number = Int(bytes[end + 1]) - 0x40
      return (1...5).contains(number)
        ? .event(.key(KeyPress(.function(number))), length: 4) : .nothing(length: 4)
    }
    while end < bytes.endIndex, (0x20...0x3F).contains(bytes[end]) { end += 1 }
    guard end < bytes.endIndex else { return unfinished(bytes, isTimeOut: isTimeOut) }
    let length = end - start + 1
    // Anything but a final byte breaks the sequence off; what broke it is read on its own.
    guard (0x40...0x7E).contains(bytes[end]) else { return .nothing(length: length - 1) }
    let parameters = bytes[(start + 2)..<end]
    if parameters.isEmpty, bytes[end] == 0x4D {
      // The mouse as terminals without the SGR form report it: three bytes follow.
      guard bytes.count >= length + 3 else { return unfinished(bytes, isTimeOut: isTimeOut) }
      let event = MouseReport.legacy(Array(bytes[(end + 1)...(end + 3)]))
      return event.map { .event(.mouse($0), length: length + 3) } ?? .nothing(length: length + 3)
    }
    if parameters.first == 0x3C {
      let event = MouseReport.sgr(parameters.dropFirst(), final: bytes[end])
      return event.map { .event(.mouse($0), length: length) } ?? .nothing(length: length)
    }
    if parameters.isEmpty, bytes[end] == 0x49 || bytes[end] == 0x4F {
      return .event(.focus(bytes[end] == 0x49), length: length)
    }
    if parameters.first == 0x3F {
      let answer = AnswerReport.answer(parameters.dropFirst(), final: bytes[end])
      return answer.map { .answer($0, length: length) } ?? .nothing(length: length)
    }
    guard let press = ControlKeys.press(parameters: parameters, final: bytes[end]) else {
      return .nothing(length: length)
    }
    return .event(.key(press), length: length)
  }

  /// SS3: the keypad and, in application mode, the arrows and F1 to F4.
  private func singleShift(_ bytes: ArraySlice<UInt8>, isTimeOut: Bool) -> Step {
    var end = bytes.startIndex + 2
    while end < bytes.endIndex, (0x30...0x3B).contains(bytes[end]) { end += 1 }
    guard end < bytes.endIndex else { return unfinished(bytes, isTimeOut: isTimeOut) }
    let length = end - bytes.startIndex + 1
    let press = ControlKeys.shifted(parameters: bytes[(bytes.startIndex + 2)..<end], final: bytes[end])
    return press.map { .event(.key($0), length: length) } ?? .nothing(length: length)
  }

  /// OSC: an answer to a question about colours.
  private func systemCommand(_ bytes: ArraySlice<UInt8>, isTimeOut: Bool) -> Step {
    var end = bytes.startIndex + 2
    while end < bytes.endIndex {
      let isBell = bytes[end] == 0x07
      let isTerminator = bytes[end] == 0x1B && bytes.dropFirst(end - bytes.startIndex + 1).first == 0x5C
      if isBell || isTerminator {
        let length = end - bytes.startIndex + (isBell ? 1 : 2)
        let color = ColorReport.background(bytes[(bytes.startIndex + 2)..<end])
        return color.map { .event(.background($0), length: length) } ?? .nothing(length: length)
      }
      end += 1
    }
    return unfinished(bytes, isTimeOut: isTimeOut)
  }

  /// A sequence whose end is missing: after the wait, its two first bytes alone are Alt with a key, more is dropped.
  private func unfinished(_ bytes: ArraySlice<UInt8>, isTimeOut: Bool) -> Step {
    guard isTimeOut || bytes.count > 4096 else { return .incomplete(bytes.count == 2 ? .escape : .sequence) }
    return bytes.count == 2 ? altKey(bytes, isTimeOut: true) : .nothing(length: bytes.count)
  }
}

/// Byte sequences that a terminal's terminfo entry gives for its keys.
package struct KeySequences: Sendable {
  private var presses: [[UInt8]: KeyPress] = [:]
  private var longest = 0

  package init() {}

  package mutating func add(_ bytes: [UInt8], _ press: KeyPress) {
    // A printable byte must stay text, whatever an entry says.
    guard let first = bytes.first, first < 0x20 || first == 0x7F, presses[bytes] == nil else { return }
    presses[bytes] = press
    longest = max(longest, bytes.count)
  }

  func match(_ bytes: ArraySlice<UInt8>) -> (KeyPress, length: Int)? {
    var length = min(longest, bytes.count)
    while length > 0 {
      if let press = presses[Array(bytes.prefix(length))] { return (press, length) }
      length -= 1
    }
    return nil
  }

  /// Whether a key's sequence begins with all of these bytes. ECMA-48's own introducers are waited for anyway.
  func hasLonger(than bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count < longest, bytes.count > 1 || bytes.first != 0x1B else { return false }
    return presses.keys.contains { $0.count > bytes.count && $0.starts(with: bytes) }
  }
}
