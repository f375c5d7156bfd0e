/// Decodes the bytes from a terminal into events: keys with modifiers, mouse events, pasted text and responses.
///
/// It parses the ECMA-48 grammar, so an unknown sequence is dropped as a whole and never typed as text. Sequences from
/// terminfo take precedence. It never blocks: while the bytes may be the beginning of a longer sequence, `waiting`
/// determines the timeout, after which `timeOut` processes the bytes received so far.
package struct InputDecoder: Sendable {
  package enum Waiting: Equatable, Sendable {
    case no
    /// An Escape that may be a key, or Alt with the next key.
    case escape
    /// An incomplete sequence.
    case sequence
  }

  /// The result of decoding a piece of input.
  enum Step {
    case event(TerminalEvent, length: Int)
    case answer(TerminalResponse, length: Int)
    case nothing(length: Int)
    case incomplete(Waiting)
  }

  private let sequences: TerminfoKeys
  private var pending: [UInt8] = []
  private var pasted: [UInt8]?
  private var answers: [TerminalResponse] = []
  /// The bytes of the last timeout, in case they are the beginning of a sequence whose rest is late.
  private var timedOut: [UInt8] = []
  package private(set) var waiting = Waiting.no

  package init(sequences: TerminfoKeys = TerminfoKeys()) {
    self.sequences = sequences
  }

  /// Adds input and returns the events that it completes.
  package mutating func feed(_ bytes: some Sequence<UInt8>) -> [TerminalEvent] {
    pending += bytes
    return decodeLateRest() + decode(isTimeOut: false)
  }

  /// Processes incomplete input because nothing more arrived.
  package mutating func timeOut() -> [TerminalEvent] {
    if pasted == nil { timedOut = Array(pending) }
    return decode(isTimeOut: true)
  }

  /// Decodes the rest of a sequence whose beginning timed out, as on a slow connection, so that it is not typed.
  private mutating func decodeLateRest() -> [TerminalEvent] {
    guard !timedOut.isEmpty, !pending.isEmpty else { return [] }
    let (start, complete) = (timedOut, timedOut + pending)
    timedOut = []
    switch LateSequence.match(complete, start: start) {
    case .none: return []
    case .incomplete:
      (timedOut, pending) = (complete, [])
      return []
    case .complete(let length):
      pending.removeFirst(length - start.count)
      switch decodeNext(complete[..<length], isTimeOut: true) {
      case .event(let event, _): return [event]
      case .answer(let answer, _): answers.append(answer)
      case .nothing, .incomplete: break
      }
      return []
    }
  }

  /// Removes and returns the responses of the terminal, which are not reported as events.
  package mutating func takeAnswers() -> [TerminalResponse] {
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
      switch decodeNext(rest, isTimeOut: isTimeOut) {
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

  /// Decodes characters up to the next control byte and returns the number of bytes.
  private func typed(_ bytes: ArraySlice<UInt8>, into events: inout [TerminalEvent]) -> Int {
    var end = bytes.firstIndex { $0 < 0x20 || $0 == 0x7F } ?? bytes.endIndex
    if end == bytes.endIndex {
      // The last character may be incomplete.
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

  /// Whether a character is a C1 control encoded in UTF-8, which no key produces.
  private func isControl(_ character: Character) -> Bool {
    guard let scalar = character.unicodeScalars.first else { return true }
    return (0x80...0x9F).contains(scalar.value)
  }

  /// Whether the bytes are an incomplete character.
  private func isTruncated(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first else { return false }
    let length = first >= 0xF0 && first < 0xF8 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 1
    guard first < 0xF8, bytes.count < length else { return false }
    return bytes.dropFirst().allSatisfy { $0 & 0xC0 == 0x80 }
  }

  // MARK: - Pasted text

  private static let pasteStart: [UInt8] = Array("\u{1B}[200~".utf8)
  private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)

  /// Collects pasted bytes up to the end mark; returns false if it has not arrived.
  private mutating func takePasted(from index: inout Int, into events: inout [TerminalEvent]) -> Bool {
    guard var text = pasted else { return true }
    // A single pass that does not copy the rest, because pasted text can be long.
    var end = index
    while end < pending.count {
      guard let escape = pending[end...].firstIndex(of: 0x1B) else {
        end = pending.count
        break
      }
      end = escape
      let rest = pending[escape...]
      if rest.starts(with: Self.pasteEnd) {
        text += pending[index..<escape]
        index = escape + Self.pasteEnd.count
        pasted = nil
        events.append(.paste(Self.cleaned(text)))
        return true
      }
      if rest.count < Self.pasteEnd.count, Self.pasteEnd.starts(with: rest) { break }
      end += 1
    }
    text += pending[index..<end]
    index = end
    pasted = text
    return false
  }

  /// Returns text for an editor: line breaks as `\n`, and no control characters except tabs.
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

  private func decodeNext(_ bytes: ArraySlice<UInt8>, isTimeOut: Bool) -> Step {
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
    case 0x50: return deviceControlString(bytes, isTimeOut: isTimeOut)
    case 0x1B: return doubleEscape(bytes, isTimeOut: isTimeOut)
    default: return altKey(bytes, isTimeOut: isTimeOut)
    }
  }

  /// Decodes Escape followed by a key: Alt with that key.
  private func altKey(_ bytes: ArraySlice<UInt8>, isTimeOut: Bool) -> Step {
    let rest = bytes.dropFirst()
    guard let first = rest.first else { return .event(.key(KeyPress(.escape)), length: 1) }
    if first < 0x20 || first == 0x7F {
      let press = ControlKeys.press(first)
      return .event(.key(KeyPress(press.key, press.modifiers.union(.alt))), length: 2)
    }
    if isTruncated(rest) { return isTimeOut ? .nothing(length: bytes.count) : .incomplete(.sequence) }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 1
    // Takes a single scalar, because an invalid byte and a combining mark would form one character.
    guard let scalar = String(decoding: rest.prefix(length), as: UTF8.self).unicodeScalars.first,
      scalar != "\u{FFFD}"
    else { return .nothing(length: 2) }
    if isControl(Character(scalar)) { return .nothing(length: 1 + length) }
    return .event(.key(KeyPress(.character(Character(scalar)), .alt)), length: 1 + length)
  }

  /// Decodes two Escapes: Alt with a key that is itself a sequence, or two presses.
  private func doubleEscape(_ bytes: ArraySlice<UInt8>, isTimeOut: Bool) -> Step {
    let rest = bytes.dropFirst()
    guard let third = rest.dropFirst().first else {
      return isTimeOut ? .event(.key(KeyPress(.escape)), length: 1) : .incomplete(.escape)
    }
    guard third == 0x5B || third == 0x4F else { return .event(.key(KeyPress(.escape)), length: 1) }
    switch decodeNext(rest, isTimeOut: isTimeOut) {
    case .event(.key(let press), let length):
      return .event(.key(KeyPress(press.key, press.modifiers.union(.alt))), length: length + 1)
    // The sequence is not a key, so the first Escape was a key press.
    case .event, .answer: return .event(.key(KeyPress(.escape)), length: 1)
    case .nothing(let length): return .nothing(length: length + 1)
    case .incomplete(let waiting): return .incomplete(waiting)
    }
  }

  /// Decodes CSI: parameters, intermediate bytes, and a final byte.
  private func controlSequence(_ bytes: ArraySlice<UInt8>, isTimeOut: Bool) -> Step {
    let start = bytes.startIndex
    var end = start + 2
    // F1 to F5 on the Linux console.
    if end < bytes.endIndex, bytes[end] == 0x5B {
      guard end + 1 < bytes.endIndex else { return unfinished(bytes, isTimeOut: isTimeOut) }
      let number = Int(bytes[end + 1]) - 0x40
      return (1...5).contains(number)
        ? .event(.key(KeyPress(.function(number))), length: 4) : .nothing(length: 4)
    }
    while end < bytes.endIndex, (0x20...0x3F).contains(bytes[end]) { end += 1 }
    guard end < bytes.endIndex else { return unfinished(bytes, isTimeOut: isTimeOut) }
    let length = end - start + 1
    // An invalid byte ends the sequence, and is decoded separately.
    guard (0x40...0x7E).contains(bytes[end]) else { return .nothing(length: length - 1) }
    let parameters = bytes[(start + 2)..<end]
    if parameters.isEmpty, bytes[end] == 0x4D {
      // A mouse report without SGR, followed by three bytes.
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
      let answer = TerminalResponseParser.answer(parameters.dropFirst(), final: bytes[end])
      return answer.map { .answer($0, length: length) } ?? .nothing(length: length)
    }
    guard let press = ControlKeys.press(parameters: parameters, final: bytes[end]) else {
      return .nothing(length: length)
    }
    return .event(.key(press), length: length)
  }

  /// Decodes SS3: the keypad, and in application mode the arrows and F1 to F4.
  private func singleShift(_ bytes: ArraySlice<UInt8>, isTimeOut: Bool) -> Step {
    var end = bytes.startIndex + 2
    while end < bytes.endIndex, (0x30...0x3B).contains(bytes[end]) { end += 1 }
    guard end < bytes.endIndex else { return unfinished(bytes, isTimeOut: isTimeOut) }
    let length = end - bytes.startIndex + 1
    let press = ControlKeys.shifted(parameters: bytes[(bytes.startIndex + 2)..<end], final: bytes[end])
    return press.map { .event(.key($0), length: length) } ?? .nothing(length: length)
  }

  /// Decodes OSC: a response to a query of a color.
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

  /// Skips DCS, a response to a query of a program that used the terminal before. Otherwise, the bytes are a key.
  private func deviceControlString(_ bytes: ArraySlice<UInt8>, isTimeOut: Bool) -> Step {
    switch DeviceControlString.match(bytes.dropFirst(2)) {
    case .none: return altKey(bytes, isTimeOut: isTimeOut)
    case .incomplete where isTimeOut: return altKey(bytes, isTimeOut: true)
    case .incomplete: return .incomplete(bytes.count == 2 ? .escape : .sequence)
    case .response: break
    }
    for end in bytes.indices.dropFirst(3) where bytes[end] == 0x5C && bytes[end - 1] == 0x1B {
      return .nothing(length: end - bytes.startIndex + 1)
    }
    return unfinished(bytes, isTimeOut: isTimeOut)
  }

  /// Handles an incomplete sequence: after the timeout, two bytes are Alt with a key, and a longer sequence is dropped.
  private func unfinished(_ bytes: ArraySlice<UInt8>, isTimeOut: Bool) -> Step {
    guard isTimeOut || bytes.count > 4096 else { return .incomplete(bytes.count == 2 ? .escape : .sequence) }
    return bytes.count == 2 ? altKey(bytes, isTimeOut: true) : .nothing(length: bytes.count)
  }
}

/// The byte sequences for keys in a terminfo entry.
package struct TerminfoKeys: Sendable {
  private var presses: [[UInt8]: KeyPress] = [:]
  private var longest = 0

  package init() {}

  package mutating func add(_ bytes: [UInt8], _ press: KeyPress) {
    // Printable bytes must stay text, whatever the entry says.
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

  /// Whether the bytes are the beginning of a longer sequence. Those of ECMA-48 are handled elsewhere.
  func hasLonger(than bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count < longest, bytes.count > 1 || bytes.first != 0x1B else { return false }
    return presses.keys.contains { $0.count > bytes.count && $0.starts(with: bytes) }
  }
}
