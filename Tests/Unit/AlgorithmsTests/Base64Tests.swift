import ApusASCII
import Testing

@Suite struct Base64Tests {
  // RFC 4648, section 10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"), ("漢", "5ryi"), ("??>", "Pz8+"), ("???", "Pz8/"),
  ])
  func `bytes are encoded and decoded`(text: String, encoded: String) {
    #expect(Base64.encode(Array(text.utf8)) == encoded)
    #expect(Base64.decode(encoded) == Array(text.utf8))
  }

  @Test func `all bytes survive encoding at each length`() {
    for count in 0...300 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + count) }
      #expect(Base64.decode(Base64.encode(bytes)) == bytes)
    }
  }

  @Test(arguments: ["Zg", "Zg=", "Zg===", "====", "Z===", "Zg==Zg==", "Zm 9", "Zm-_", "Zm9\n", "Zmé="])
  func `text that is not Base64 is refused`(text: String) {
    #expect(Base64.decode(text) == nil)
  }
}
