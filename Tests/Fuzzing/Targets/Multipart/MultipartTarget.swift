import ApusClientIncremental
import FuzzHarness

/// The body of a multipart response results in parts or an error. Reading it in pieces, with or without copying parts,
/// has the same result.
@main enum MultipartTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) {
    guard let complete = parts(of: [bytes[...]], copiedSize: .max),
      let cut = parts(of: pieces(of: bytes), copiedSize: bytes.count % 64)
    else { return }
    expect(complete.isClosed == cut.isClosed, "the last delimiter is found in only one of two ways")
    // A part that was emitted before its end arrived lacks the text that follows its JSON.
    let counts = [complete.bodies.count, cut.bodies.count]
    let certain = max(0, complete.isClosed ? counts.max() ?? 0 : (counts.min() ?? 0) - 1)
    expect(complete.bodies.prefix(certain) == cut.bodies.prefix(certain), "the parts differ")
  }

  /// Returns the bodies of the parts; nil if the reader rejects the response.
  private static func parts(
    of pieces: [ArraySlice<UInt8>], copiedSize: Int
  ) -> (bodies: [[UInt8]], isClosed: Bool)? {
    var reader = MultipartReader(boundary: "-", limits: MultipartReader.Limits(copiedSize: copiedSize))
    var bodies: [[UInt8]] = []
    for piece in pieces {
      guard let parts = try? reader.receive(piece) else { return nil }
      bodies += parts.map(\.body)
    }
    if let rest = reader.finish() { bodies.append(rest.body) }
    return (bodies, reader.isClosed)
  }
}
