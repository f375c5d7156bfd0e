import ApusClientNetwork
import ApusTestSupport
import Foundation
import Testing

/// Responses of a few bytes that decode to 100 MB of one letter: `{"data":{"a":"yyy…"}}`.
@Suite(.timeLimit(.minutes(2))) struct EncodedResponseTests {
  private static let head = Array(#"{"data":{"a":""#.utf8)
  private static let tail = Array(#""}}"#.utf8)
  private static let letterCount = 100 << 20
  private static var decodedCount: Int { head.count + letterCount + tail.count }

  /// Brotli, quality 9 (RFC 7932).
  private static let brotli =
    "y///PwCkRfbydOYkoVyWhXPKypLFq/d/Hv///wCQAIjDAtC9/+P//x8AEgBxWAC693/8//8DQAIgDgtA9/6P//9/AEgAxGEB6N7/8f//DwAJgDgs"
    + "AN37P/7//wEgARCHBaB7/8f//z8AJADisAB07//4//8HgARAHBaA7v0f////AJAAiMMC0L3/4///HwASAHFYALr3f/z//wNAAiAOC0D3/i8h"
    + "AIAASIn0lSaHBRD5/ocB"

  /// A frame of raw and run-length blocks with a window of 128 KB (RFC 8878, section 3.1.1).
  private static var zstd: [UInt8] {
    func block(_ type: Int, _ size: Int, isLast: Bool = false) -> [UInt8] {
      let header = size << 3 | type << 1 | (isLast ? 1 : 0)
      return [UInt8(header & 0xFF), UInt8(header >> 8 & 0xFF), UInt8(header >> 16)]
    }
    let size = 128 << 10
    var bytes: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x38] + block(0, head.count) + head
    for _ in 0..<(letterCount / size) { bytes += block(1, size) + [UInt8(ascii: "y")] }
    return bytes + block(0, tail.count, isLast: true) + tail
  }

  private static func encoded(_ name: String) throws -> [UInt8] {
    name == "br" ? [UInt8](try #require(Data(base64Encoded: brotli))) : zstd
  }

  private func result(
    _ encoding: String, _ change: (inout HTTPRequest) -> Void = { _ in }
  ) async throws -> Exchange {
    let body = try Self.encoded(encoding)
    let (result, _) = try await exchange(
      [.response(headers: [("Content-Encoding", encoding)], framing: .contentLength, [.bytes(body)])], change)
    return result
  }

  @Test(arguments: ["br", "zstd"]) func `100 MB of one letter arrive in any encoding`(encoding: String) async throws {
    let result = try await result(encoding)
    #expect(result.error == nil)
    #expect(result.text.utf8.count == Self.decodedCount)
  }

  @Test(arguments: ["br", "zstd"]) func `the limit of a response is the same in any encoding`(encoding: String)
    async throws
  {
    let limit = 80 << 20
    let result = try await result(encoding) { $0.maximumResponseSize = limit }
    guard case .responseTooLarge(_, limit)? = result.networkError else {
      Issue.record("\(String(describing: result.error))")
      return
    }
  }

  @Test(arguments: ["br", "zstd"]) func `a reader that pauses gets all decoded bytes`(encoding: String) async throws {
    let body = try Self.encoded(encoding)
    let server = try ScriptedServer([
      .response(headers: [("Content-Encoding", encoding)], framing: .contentLength, [.bytes(body)])
    ])
    var count = 0
    for try await event in HTTPTransport().send(HTTPRequest(url: server.url)) {
      guard case .bytes(let chunk) = event else { continue }
      if count == 0 {
        // A second request on the same network thread, while the channel of the first is full.
        #expect(await exchange(server.url) { $0.method = "HEAD" }.error == nil)
      }
      count += chunk.bytes.count
    }
    #expect(count == Self.decodedCount)
  }
}
