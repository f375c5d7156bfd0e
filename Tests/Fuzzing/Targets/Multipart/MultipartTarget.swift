import ApusClientIncremental
import FuzzHarness

/// The body of a multipart response ends in parts or an error, and what is read in pieces is what is read at once: whether
/// parts are copied or take the buffer along.
@main enum MultipartTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) {
    guard let whole = parts(of: [bytes[...]], copiedSize: .max),
      let cut = parts(of: pieces(of: bytes), copiedSize: bytes.count % 64)
    else { return }
    expect(whole.isClosed == cut.isClosed, "the last delimiter is seen in one of two ways only")
    // What stands behind the JSON of the last part is not known to one that was given out before it came.
    let counts = [whole.bodies.count, cut.bodies.count]
    let certain = max(0, whole.isClosed ? counts.max() ?? 0 : (counts.min() ?? 0) - 1)
    expect(whole.bodies.prefix(certain) == cut.bodies.prefix(certain), "the parts differ")
  }

  /// The bodies of the parts; nil when the reader refuses the response.
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
