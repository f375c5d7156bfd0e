import ApusWebSocket
import FuzzHarness

/// The bytes of a connection result in the same messages however they are split into reads, for a client and for a
/// server.
@main enum WebSocketTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) {
    let role: WebSocketFrames.Role = bytes.count > 1 && bytes[1] >= 0x80 ? .server : .client
    let complete = events(of: [bytes[...]], role)
    let cut = events(of: pieces(of: bytes), role)
    // A protocol error, such as a close reason that is not UTF-8, may be detected earlier or not at all.
    let messages = [complete, cut].map { events in
      events.filter { event in
        switch event {
        case .broken, .closed: false
        case .text, .binary, .ping, .pong: true
        }
      }
    }
    expect(messages[0] == messages[1], "whole: \(complete), in pieces: \(cut)")
  }

  private static func events(of pieces: [ArraySlice<UInt8>], _ role: WebSocketFrames.Role) -> [WebSocketFrames.Event] {
    let frames = WebSocketFrames(role: role, maximumMessageSize: 4096)
    var events: [WebSocketFrames.Event] = []
    for piece in pieces { events += frames.receive(Array(piece)) }
    _ = frames.dequeueOutgoing()
    _ = frames.isOver
    return events
  }
}
