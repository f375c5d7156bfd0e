import ApusClientNetwork
import ApusTestSupport
import Foundation
import Testing

@Suite("Uploads", .timeLimit(.minutes(1)))
struct UploadTests {
  /// Runs a test with a temporary file of a given size.
  private func withFile<Result>(_ count: Int, _ body: (String) async throws -> Result) async throws -> Result {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("apus-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data((0..<count).map { UInt8(truncatingIfNeeded: $0) }).write(to: URL(fileURLWithPath: path))
    return try await body(path)
  }

  @Test
  func `pieces in memory and files are sent in order, with progress up to the total`() async throws {
    try await withFile(300_000) { path in
      let (result, requests) = try await exchange([.json("{}")]) {
        $0.method = "POST"
        $0.upload = HTTPUpload(pieces: [
          .bytes(Array("<".utf8)), .file(path: path, byteCount: 300_000), .bytes([]), .bytes(Array(">".utf8)),
        ])
      }
      #expect(result.text == "{}")
      let body = try #require(requests.first?.body)
      #expect(body.count == 300_002)
      #expect(body.first == UInt8(ascii: "<") && body.last == UInt8(ascii: ">"))
      #expect(body[1...300_000].enumerated().allSatisfy { UInt8(truncatingIfNeeded: $0) == $1 })
      #expect(requests.first?.header("Content-Length") == "300002")
      let sent = result.uploads.map(\.sentByteCount)
      #expect(sent == sent.sorted() && Set(sent).count == sent.count && sent.count > 2)
      #expect(sent.last == 300_002 && result.uploads.allSatisfy { $0.totalByteCount == 300_002 })
    }
  }

  @Test(arguments: [307, 308])
  func `a redirect that keeps the body sends it again from the start`(_ status: Int) async throws {
    try await withFile(100_000) { path in
      let (result, requests) = try await exchange([
        .response(status: status, headers: [("Location", "/again")], framing: .contentLength, []), .json("{}"),
      ]) {
        $0.method = "POST"
        $0.upload = HTTPUpload(pieces: [.file(path: path, byteCount: 100_000)])
      }
      #expect(result.error == nil)
      #expect(requests.map(\.body.count) == [100_000, 100_000])
      #expect(requests.first?.body == requests.last?.body)
    }
  }

  @Test
  func `a missing or truncated file is reported`() async throws {
    let server = try ScriptedServer([.json("{}")])
    let gone = await exchange(server.url) {
      $0.method = "POST"
      $0.upload = HTTPUpload(pieces: [.file(path: "/nowhere/a.png", byteCount: 5)])
    }
    #expect(gone.networkError == .unreadableUpload(path: "/nowhere/a.png"))
    try await withFile(10) { path in
      let short = await exchange(server.url) {
        $0.method = "POST"
        $0.upload = HTTPUpload(pieces: [.file(path: path, byteCount: 11)])
      }
      #expect(short.networkError == .unreadableUpload(path: path))
    }
  }
}
