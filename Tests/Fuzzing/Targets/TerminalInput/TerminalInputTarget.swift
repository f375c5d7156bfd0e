import ApusExplorerTerminal
import FuzzHarness

/// The bytes from a terminal result in the same events however they are split into reads.
@main enum TerminalInputTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) {
    let complete = events(of: [bytes[...]])
    let cut = events(of: pieces(of: bytes))
    expect(complete == cut, "whole: \(complete), in pieces: \(cut)")
  }

  private enum Seen: Equatable {
    case letter(Unicode.Scalar)
    case other(TerminalEvent)
    /// Responses to queries, compared in their own order.
    case answers([TerminalResponse])
  }

  private static func events(of pieces: [ArraySlice<UInt8>]) -> [Seen] {
    var decoder = InputDecoder()
    var events: [TerminalEvent] = []
    for piece in pieces { events += decoder.feed(piece) }
    events += decoder.timeOut()
    // A letter and its combining marks may arrive together or separately, so the typed text is compared.
    let seen = events.flatMap { event -> [Seen] in
      guard case .key(let press) = event, let typed = press.typed else { return [.other(event)] }
      return typed.unicodeScalars.filter { $0 != "\u{FFFD}" }.map { .letter($0) }
    }
    return seen + [.answers(decoder.takeAnswers())]
  }
}
