import ApusClientIncremental
import FuzzHarness

/// An event stream has the same events however it is split into reads.
@main enum ServerSentEventsTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) {
    let complete = events(of: [bytes[...]])
    let cut = events(of: pieces(of: bytes))
    expect(complete == cut, "whole: \(complete), in pieces: \(cut)")
  }

  private static func events(of pieces: [ArraySlice<UInt8>]) -> [ServerSentEvent] {
    var reader = ServerSentEventReader()
    return pieces.flatMap { (try? reader.receive(Array($0))) ?? [] }
  }
}
