import FuzzHarness

@testable import ApusClientNetwork

/// The head of a response, line by line, and the body of a response that rejects a WebSocket.
@main enum HeadTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) {
    var block = HeaderBlock()
    var head = HTTPHead(status: 200, headers: [:])
    var rest = bytes[...]
    lines: while let end = rest.firstIndex(of: 0x0A) {
      let line = Array(rest[...end])
      rest = rest[(end + 1)...]
      switch line.withUnsafeBytes(HeadLine.init) {
      case .status(let status, let version): (head.status, head.version) = (status, version)
      case .field: line.withUnsafeBytes { block.add($0) }
      case .end: break lines
      }
    }
    head.headers = HTTPHeaders(block)
    let fields = HTTPHeaders(block.fields)
    // A name that is not UTF-8 contains replacement characters, so it is not found by them.
    for field in fields.fields where !field.name.unicodeScalars.contains("\u{FFFD}") {
      expect(head.headers[field.name] == fields[field.name], "a field has two values: \(field.name)")
    }
    let body = Array(rest)
    let (complete, cut) = (refusal(head, [body[...]]), refusal(head, pieces(of: body)))
    expect(complete == cut, "whole: \(complete), in pieces: \(cut)")
  }

  private static func refusal(_ head: HTTPHead, _ pieces: [ArraySlice<UInt8>]) -> [UInt8] {
    var refusal = UpgradeRefusal(head: head)
    for piece in pieces where !refusal.isWhole { piece.withUnsafeBytes { refusal.receive($0) } }
    guard case .refused(_, let body) = refusal.end else { return [] }
    return body
  }
}
