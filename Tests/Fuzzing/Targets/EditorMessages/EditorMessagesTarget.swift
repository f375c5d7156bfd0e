import FuzzHarness

@testable import ApusLanguageServer

/// The bytes of a language client result in the same messages however they are split into reads, and a framed body is
/// read unchanged.
@main enum EditorMessagesTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) {
    let complete = messages(of: [bytes[...]])
    let cut = messages(of: pieces(of: bytes))
    expect(complete == cut, "whole: \(complete), in pieces: \(cut)")
    for case .body(let body) in complete { _ = try? ClientMessage(body) }
    var reader = MessageReader()
    reader.append(MessageReader.framed(bytes) + MessageReader.framed([0x7B]))
    expect((try? reader.next()) == bytes && (try? reader.next()) == [0x7B], "a framed body was read incorrectly")
  }

  private enum Seen: Equatable {
    case body([UInt8])
    case failure(FramingError)
  }

  private static func messages(of pieces: [ArraySlice<UInt8>]) -> [Seen] {
    var reader = MessageReader()
    var seen: [Seen] = []
    for piece in pieces {
      reader.append(piece)
      while true {
        do throws(FramingError) {
          guard let body = try reader.next() else { break }
          seen.append(.body(body))
        } catch {
          seen.append(.failure(error))
          // Reading stops after a header without an end.
          if error == .headerTooLong { return seen }
        }
      }
    }
    return seen
  }
}
