import CApusSimdjson
import FuzzHarness

/// The JSON readers for complete and for incremental input produce the same tape or the same error.
@main enum JSONTarget: FuzzTarget {
  private struct Outcome: Equatable {
    var code: Int32
    var offset = 0
    var units: [UInt16] = []
  }

  private static let depth: UInt32 = 64

  static func check(_ bytes: [UInt8]) {
    let complete = bytes.withUnsafeBufferPointer { text in
      outcome { apus_json_parse(text.baseAddress, text.count, depth, $0, $1) }
    }
    let reader = apus_json_reader_create(depth)
    defer { apus_json_reader_free(reader) }
    var arrived: [UInt8] = []
    for piece in pieces(of: bytes) {
      // A new array each time, so that the previous buffer is no longer valid.
      arrived = arrived + piece
      arrived.withUnsafeBufferPointer { apus_json_reader_read(reader, $0.baseAddress, $0.count) }
      expect(apus_json_reader_place(reader) <= arrived.count, "more was read than had arrived")
    }
    let inPieces = arrived.withUnsafeBufferPointer { text in
      outcome { apus_json_reader_finish(reader, text.baseAddress, text.count, $0, $1) }
    }
    expect(complete == inPieces, "whole: \(complete), in pieces: \(inPieces)")
    expect(complete.offset <= bytes.count, "the error is outside the text")
    expect(complete.units.count <= bytes.count, "the tape is more than twice as large as the text")
  }

  private static func outcome(
    _ parse: (UnsafeMutablePointer<apus_json_tape>, UnsafeMutablePointer<Int>) -> Int32
  ) -> Outcome {
    var tape = apus_json_tape()
    var offset = 0
    let code = parse(&tape, &offset)
    guard code == APUS_JSON_OK else { return Outcome(code: code, offset: offset) }
    defer { apus_json_tape_free(&tape) }
    return Outcome(code: code, units: Array(UnsafeBufferPointer(start: tape.units, count: tape.count)))
  }
}
