import ClientNetwork
import Foundation
import JSON
import TestSupport
import Testing

@Suite("A server that sends what no server should")
struct HostileResponseTests {
  /// 64 MB of the letter a, packed by Python.
  private func bomb(_ encoding: String) async throws -> [UInt8] {
    let pack = encoding == "gzip" ? "gzip.compress(data)" : "zlib.compress(data)"
    let outcome = try await ChildProcess.run(
      "/usr/bin/env",
      ["python3", "-c", "import base64,gzip,zlib; data=b'a'*(64<<20); print(base64.b64encode(\(pack)).decode())"])
    let text = outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)
    return Array(try #require(Data(base64Encoded: text)))
  }

  @Test("A small body that unpacks to a huge one is refused at the limit on the size", arguments: ["gzip", "deflate"])
  func bombs(_ encoding: String) async throws {
    let bytes = try await bomb(encoding)
    #expect(bytes.count < 1 << 20)
    let (result, _) = try await exchange([
      .response(headers: [("Content-Encoding", encoding)], framing: .contentLength, [.bytes(bytes)])
    ]) { $0.maximumResponseSize = 1 << 20 }
    guard case .responseTooLarge(_, 1_048_576)? = result.networkError else {
      Issue.record("\(String(describing: result.error))")
      return
    }
    #expect(result.body.count <= 1 << 20)
  }

  @Test("A packed body that is cut is no whole body", arguments: EncodingFixture.allCases)
  func cutEncoding(_ encoding: EncodingFixture) async throws {
    let (result, _) = try await exchange([
      .response(
        headers: [("Content-Encoding", encoding.rawValue)], framing: .untilClose, [.bytes(encoding.first), .close])
    ])
    #expect(result.text.hasPrefix("first part") || result.error != nil)
  }

  @Test("Headers without end are refused", arguments: [1, 100_000])
  func endlessHeaders(_ length: Int) async throws {
    let line = "X-More: " + String(repeating: "x", count: length) + "\r\n"
    let many = String(repeating: line, count: max(1, 4_000_000 / line.utf8.count))
    let (result, _) = try await exchange([.raw([.text("HTTP/1.1 200 OK\r\n"), .text(many), .hold(Gate())])]) {
      $0.timeouts.total = .seconds(20)
    }
    #expect(result.head == nil)
    let error = try #require(result.networkError)
    if case .timeout = error { Issue.record("\(error)") }
    #expect(!error.description.contains("\n") && error.description.utf8.count < 400)
  }

  @Test(
    "A body whose frame is broken ends in an error",
    arguments: ["zz\r\nabc\r\n", "3\r\nabcdef\r\n", "FFFFFFFFFFFFFFFFF\r\n", "-1\r\n"])
  func brokenChunks(_ body: String) async throws {
    let (result, _) = try await exchange([
      .raw([.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(body)"), .close])
    ])
    #expect(result.networkError != nil)
    #expect(result.text.utf8.count <= 3)
  }

  @Test("Two lengths that contradict one another, and one that is none, do not make a whole body")
  func contradictingLengths() async throws {
    for lengths in [
      "Content-Length: 3\r\nContent-Length: 5", "Content-Length: -1", "Content-Length: 99999999999999999999",
    ] {
      let (result, _) = try await exchange([
        .raw([.text("HTTP/1.1 200 OK\r\n\(lengths)\r\n\r\nabc"), .close])
      ]) { $0.timeouts.total = .seconds(20) }
      if case .timeout? = result.networkError { Issue.record("\(lengths)") }
      #expect(result.error != nil || result.text == "abc")
    }
  }
}
