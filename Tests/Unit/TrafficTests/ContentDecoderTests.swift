import ApusCompression
import Testing

struct ContentDecoderTests {
  private static let text = "{\"data\":{\"a\":\"\(String(repeating: "x", count: 40))\"}}"

  /// The text, compressed by zlib and Brotli of node, and by zstd.
  private static let samples = [
    ("gzip", "1f8b0800000000000003ab564a492c4954b2aa564a54b252aa201228d5d602007623eccc39000000"),
    ("X-GZIP", "1f8b0800000000000003ab564a492c4954b2aa564a54b252aa201228d5d602007623eccc39000000"),
    ("deflate", "789cab564a492c4954b2aa564a54b252aa201228d5d602008b4b17ec"),
    ("deflate", "ab564a492c4954b2aa564a54b252aa201228d5d60200"),
    ("br", "1b3800f88dd315f32384752f45f0f64aa7afeb90449350540118b833a8aa32"),
    ("zstd", "28b52ffd0458c50000907b2264617461223a7b2261223a2278227d7d01004a5007aec4abe2"),
  ]

  private static func bytes(_ text: String) -> [UInt8] {
    stride(from: 0, to: text.count, by: 2).compactMap { start in
      UInt8(text.dropFirst(start).prefix(2), radix: 16)
    }
  }

  @Test(arguments: samples)
  func `content is decoded however its bytes arrive`(_ encoding: String, _ sample: String) throws {
    let bytes = Self.bytes(sample)
    for cut in 0...bytes.count {
      let decoder = try ContentDecoder(encoding: encoding)
      let decoded =
        try decoder.decode(Array(bytes[..<cut]), limit: 1000) + decoder.decode(Array(bytes[cut...]), limit: 1000)
      #expect(String(decoding: decoded, as: UTF8.self) == Self.text)
    }
  }

  @Test func `several gzip members are one content`() throws {
    let bytes = Self.bytes(Self.samples[0].1)
    let decoded = try ContentDecoder(encoding: "gzip").decode(bytes + bytes, limit: 1000)
    #expect(String(decoding: decoded, as: UTF8.self) == Self.text + Self.text)
  }

  @Test(arguments: samples)
  func `decoded bytes have a limit`(_ encoding: String, _ sample: String) throws {
    let decoder = try ContentDecoder(encoding: encoding)
    #expect(throws: ContentDecoder.Failure.tooLarge(limit: 56)) { try decoder.decode(Self.bytes(sample), limit: 56) }
  }

  @Test(arguments: ["gzip", "br", "zstd"])
  func `content of another encoding is not valid`(_ encoding: String) throws {
    let decoder = try ContentDecoder(encoding: encoding)
    #expect(throws: ContentDecoder.Failure.invalid) { try decoder.decode(Array("{\"data\":{}}".utf8), limit: 1000) }
  }

  @Test func `an encoding without a decoder is named`() {
    #expect(throws: ContentDecoder.Failure.unknownEncoding("compress")) { try ContentDecoder(encoding: "compress") }
  }
}
