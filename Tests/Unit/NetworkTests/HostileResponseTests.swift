import ApusClientNetwork
import ApusJSON
import ApusTestSupport
import Foundation
import Testing

@Suite("Hostile responses", .timeLimit(.minutes(1)))
struct HostileResponseTests {
  @Test(arguments: Bomb.allCases)
  func `a decompression bomb is rejected at the size limit`(_ bomb: Bomb) async throws {
    let bytes = try await bomb.bytes()
    #expect(bytes.count < 1 << 20)
    let answer = ScriptedAnswer.response(
      headers: [("Content-Encoding", bomb.rawValue)], framing: .contentLength, [.bytes(bytes)])
    let (result, _) = try await exchange([answer]) { $0.maximumResponseSize = 1 << 20 }
    guard case .responseTooLarge(_, 1_048_576)? = result.networkError else {
      Issue.record("\(String(describing: result.error))")
      return
    }
    #expect(result.body.count <= 1 << 20)
    // Without the limit the entire body is decompressed.
    let (complete, _) = try await exchange([answer]) { $0.maximumResponseSize = Bomb.size }
    #expect(complete.error == nil && complete.body.count == Bomb.size)
    #expect(Data(complete.body) == Data(repeating: UInt8(ascii: "a"), count: Bomb.size))
  }

  @Test(arguments: EncodingFixture.allCases)
  func `a truncated compressed body is an error`(_ encoding: EncodingFixture) async throws {
    let (result, _) = try await exchange([
      .response(
        headers: [("Content-Encoding", encoding.rawValue)], framing: .untilClose, [.bytes(encoding.first), .close])
    ])
    #expect(result.text.hasPrefix("first part") || result.error != nil)
  }

  @Test(arguments: [1, 100_000])
  func `endless headers are rejected`(_ length: Int) async throws {
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

  @Test(arguments: ["zz\r\nabc\r\n", "3\r\nabcdef\r\n", "FFFFFFFFFFFFFFFFF\r\n", "-1\r\n"])
  func `a body with invalid chunks is an error`(_ body: String) async throws {
    let (result, _) = try await exchange([
      .raw([.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(body)"), .close])
    ])
    #expect(result.networkError != nil)
    #expect(result.text.utf8.count <= 3)
  }

  @Test
  func `endless trailers and endless interim responses are rejected`() async throws {
    let line = "X-More: " + String(repeating: "x", count: 3000) + "\r\n"
    let trailers = String(repeating: line, count: 200)
    let heads = String(repeating: "HTTP/1.1 103 Early Hints\r\n\(line)\r\n", count: 200)
    for text in ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\(trailers)", heads] {
      let (result, _) = try await exchange([.raw([.text(text), .hold(Gate())])]) { $0.timeouts.total = .seconds(20) }
      let error = try #require(result.networkError)
      #expect("\(error)".contains("longer than 256 KiB"), "\(error)")
    }
  }

  @Test
  func `contradicting or invalid lengths are an error`() async throws {
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

/// 64 MB of one letter, compressed in each supported encoding.
enum Bomb: String, CaseIterable, Sendable {
  case gzip, deflate, br, zstd

  static let size = 64 << 20

  func bytes() async throws -> [UInt8] {
    switch self {
    case .gzip: try await packedByPython("gzip.compress(data)")
    case .deflate: try await packedByPython("zlib.compress(data)")
    case .br: packedByBrotli
    case .zstd: packedByHand
    }
  }

  private func packedByPython(_ pack: String) async throws -> [UInt8] {
    let outcome = try await ChildProcess.run(
      "/usr/bin/env",
      [
        "python3", "-c",
        "import base64,gzip,zlib; data=b'a'*\(Self.size); print(base64.b64encode(\(pack)).decode())",
      ])
    let text = outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)
    return Array(try #require(Data(base64Encoded: text)))
  }

  /// The output of the reference encoder at its highest quality: 106 bytes.
  private var packedByBrotli: [UInt8] {
    [
      0xCB, 0xFF, 0xFF, 0x3F, 0xF8, 0x25, 0xC2, 0xE2, 0xB1, 0x40, 0x20, 0xF7, 0xFE, 0x8F, 0xFF, 0xFF, 0x7F, 0xF0,
      0x4B, 0x00, 0xC4, 0x61, 0x11, 0x80, 0xEE, 0xFD, 0x1F, 0xFF, 0xFF, 0xFF, 0xE0, 0x97, 0x00, 0x88, 0xC3, 0x02,
      0x00, 0xDD, 0xFB, 0x3F, 0xFE, 0xFF, 0xFF, 0xC1, 0x2F, 0x01, 0x10, 0x87, 0x05, 0x00, 0xBA, 0xF7, 0x7F, 0xFC,
      0xFF, 0xFF, 0x83, 0x5F, 0x02, 0x20, 0x0E, 0x0B, 0x00, 0x74, 0xEF, 0xFF, 0xF8, 0xFF, 0xFF, 0x07, 0xBF, 0x04,
      0x40, 0x1C, 0x16, 0x00, 0xE8, 0xDE, 0xFF, 0xF1, 0xFF, 0xFF, 0x0F, 0x7E, 0x09, 0x80, 0x38, 0x2C, 0x00, 0xD0,
      0xBD, 0xFF, 0xE3, 0xFF, 0xFF, 0x1F, 0xFC, 0x12, 0x00, 0x71, 0x58, 0x00, 0xA0, 0x7B, 0xFF, 0x37,
    ]
  }

  /// RFC 8878: a frame with a window of 2 MB, and 512 blocks that each repeat a byte 128 K times.
  private var packedByHand: [UInt8] {
    let blockSize = 128 << 10
    let count = Self.size / blockSize
    let blocks = (1...count).flatMap { number -> [UInt8] in
      let header = (number == count ? 1 : 0) | 1 << 1 | blockSize << 3
      return [UInt8(header & 0xFF), UInt8(header >> 8 & 0xFF), UInt8(header >> 16), UInt8(ascii: "a")]
    }
    return [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x58] + blocks
  }
}
