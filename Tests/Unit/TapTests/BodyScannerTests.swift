import Testing

@testable import ApusTap

struct BodyScannerTests {
  private static func head(_ lines: String...) throws -> MessageHead {
    try MessageHead(
      parsing: Array(("X / HTTP/1.1\r\n" + lines.map { $0 + "\r\n" }.joined() + "\r\n").utf8), joinsFoldedLines: false)
  }

  @Test func `the length of a request is that of RFC 9112`() throws {
    #expect(try BodyLength.ofRequest(Self.head()) == .none)
    #expect(try BodyLength.ofRequest(Self.head("Content-Length: 0")) == .none)
    #expect(try BodyLength.ofRequest(Self.head("content-length: 12")) == .bytes(12))
    #expect(try BodyLength.ofRequest(Self.head("Content-Length: 12", "Content-Length: 12")) == .bytes(12))
    #expect(try BodyLength.ofRequest(Self.head("Transfer-Encoding: Chunked")) == .chunked)
  }

  @Test(arguments: [
    ["Content-Length: 1, 2"], ["Content-Length: -1"], ["Content-Length: +1"],
    ["Content-Length: 1", "Content-Length: 2"],
    ["Content-Length: 99999999999999999999"], ["Transfer-Encoding: chunked", "Content-Length: 1"],
    ["Transfer-Encoding: gzip"], ["Transfer-Encoding: chunked, gzip"], ["Transfer-Encoding: gzip, chunked"],
  ])
  func `a request of uncertain length is refused`(_ lines: [String]) throws {
    let head = try MessageHead(
      parsing: Array(("X / HTTP/1.1\r\n" + lines.map { $0 + "\r\n" }.joined() + "\r\n").utf8), joinsFoldedLines: false)
    #expect(throws: MessageHead.Malformed.self) { try BodyLength.ofRequest(head) }
  }

  @Test(arguments: [
    (["Content-Length: 5"], 200, "POST", BodyLength.bytes(5)), (["Content-Length: 5"], 200, "HEAD", .none),
    (["Content-Length: 5"], 304, "GET", .none), (["Content-Length: 5"], 204, "GET", .none),
    (["Transfer-Encoding: chunked"], 204, "GET", .none), (["Transfer-Encoding: chunked"], 200, "HEAD", .none),
    ([], 200, "GET", .untilClose), ([], 103, "GET", .none), ([], 404, "GET", .untilClose),
    (["Transfer-Encoding: chunked", "Content-Length: 5"], 200, "GET", .chunked),
    (["Transfer-Encoding: gzip, chunked"], 200, "GET", .chunked),
    (["Transfer-Encoding: gzip"], 200, "GET", .untilClose),
    (["Content-Length: 0"], 200, "GET", .none),
  ])
  func `the length of a response is that of RFC 9112`(
    _ lines: [String], _ status: Int, _ method: String, _ length: BodyLength
  ) throws {
    let head = try MessageHead(
      parsing: Array(("HTTP/1.1 200 OK\r\n" + lines.map { $0 + "\r\n" }.joined() + "\r\n").utf8), joinsFoldedLines: true
    )
    #expect(try BodyLength.ofResponse(head, status: status, method: method) == length)
  }

  /// Scans a text in pieces; returns the content, the number of bytes that belong to the body, and whether it is complete.
  private static func scan(
    _ text: String, as length: BodyLength, pieces: [Int]
  ) throws -> (content: String, count: Int, isComplete: Bool) {
    var scanner = BodyScanner(length)
    var (content, count) = ([UInt8](), 0)
    var rest = Array(text.utf8)[...]
    for size in pieces + [rest.count] where !rest.isEmpty {
      let piece = Array(rest.prefix(size))
      rest = rest.dropFirst(size)
      count += try piece.withUnsafeBytes { bytes in try scanner.scan(bytes) { content += Array($0) } }
    }
    return (String(decoding: content, as: UTF8.self), count, scanner.isComplete)
  }

  @Test func `chunks end where they say, however their bytes arrive`() throws {
    let body = "3;a=\"b\"\r\nabc\r\n0a\r\n0123456789\r\n0\r\nX: y\r\n\r\n"
    for first in 0...body.utf8.count {
      for second in 0...(body.utf8.count - first) {
        let scanned = try Self.scan(body + "GET", as: .chunked, pieces: [first, second])
        #expect(scanned.content == "abc0123456789")
        #expect(scanned.count == body.utf8.count)
        #expect(scanned.isComplete)
      }
    }
  }

  @Test func `a body with a length ends after its bytes`() throws {
    for first in 0...6 {
      let scanned = try Self.scan("abcdef", as: .bytes(4), pieces: [first])
      #expect(scanned == ("abcd", 4, true))
    }
  }

  @Test func `a body without a length ends when the connection is closed`() throws {
    var scanner = BodyScanner(.untilClose)
    _ = try Array("abc".utf8).withUnsafeBytes { bytes in try scanner.scan(bytes) { _ in } }
    #expect(!scanner.isComplete)
    scanner.close()
    #expect(scanner.isComplete)
    var cut = BodyScanner(.bytes(3))
    cut.close()
    #expect(!cut.isComplete)
  }

  @Test(arguments: ["\r\nabc", "x\r\n", "-1\r\n", "3\r\nabcd\r\n", "ffffffffffffffff\r\n", "3 \r\nabc.\r\n"])
  func `chunks that are not valid are refused`(_ text: String) {
    #expect(throws: MessageHead.Malformed.self) { try Self.scan(text, as: .chunked, pieces: []) }
  }

  @Test func `a line of a chunk and the trailers have a limit`() {
    let long = String(repeating: "a", count: 20_000)
    #expect(throws: MessageHead.Malformed.self) { try Self.scan("1;\(long)", as: .chunked, pieces: []) }
    let lines = String(repeating: "A: \(String(repeating: "b", count: 1000))\r\n", count: 20)
    #expect(throws: MessageHead.Malformed.self) { try Self.scan("0\r\n\(lines)", as: .chunked, pieces: []) }
  }
}
