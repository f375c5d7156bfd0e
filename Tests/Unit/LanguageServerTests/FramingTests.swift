import ApusLanguageServer
import Testing

/// Messages as bytes: a header, an empty line, a body.
struct FramingTests {
  private func read(_ texts: String..., limit: Int = 100) -> [String] {
    var reader = MessageReader()
    var found: [String] = []
    for text in texts {
      reader.append(Array(text.utf8))
      while found.count < limit {
        do throws(FramingError) {
          guard let body = try reader.next() else { break }
          found.append(String(decoding: body, as: UTF8.self))
        } catch {
          found.append("\(error)")
          if error == .headerTooLong { return found }
        }
      }
    }
    return found
  }

  @Test func `messages are framed however their bytes are split`() {
    let text = "Content-Length: 2\r\n\r\n{}Content-Type: x\r\ncontent-length:4\r\n\r\n[12]"
    #expect(read(text) == ["{}", "[12]"])
    for cut in 0...text.utf8.count {
      let bytes = Array(text.utf8)
      let pieces = [bytes[..<cut], bytes[cut...]].map { String(decoding: $0, as: UTF8.self) }
      #expect(read(pieces[0], pieces[1]) == ["{}", "[12]"], "cut at \(cut)")
    }
  }

  @Test func `the content length counts bytes`() {
    #expect(read("Content-Length: 4\r\n\r\n\"é\"") == ["\"é\""])
    #expect(
      String(decoding: MessageReader.framed(Array("\"é\"".utf8)), as: UTF8.self) == "Content-Length: 4\r\n\r\n\"é\"")
  }

  @Test func `an invalid message is reported and the next one is read`() {
    #expect(
      read("X: 1\r\n\r\nContent-Length: 2\r\n\r\n{}") == ["a message has no Content-Length", "{}"])
    #expect(read("Content-Length: -2\r\n\r\nContent-Length: 2\r\n\r\n{}").last == "{}")
    let long = 64 << 20 + 1
    #expect(read("Content-Length: \(long)\r\n\r\nabc").first?.contains("longer than") == true)
  }

  @Test func `a message that is too long is skipped`() throws {
    var reader = MessageReader()
    let count = MessageReader.maximumLength + 10
    reader.append(Array("Content-Length: \(count)\r\n\r\n".utf8))
    #expect(throws: FramingError.bodyTooLong(count)) { try reader.next() }
    let portion = [UInt8](repeating: 0x20, count: 1 << 20)
    var sent = 0
    while sent < count {
      let some = portion.prefix(count - sent)
      reader.append(some)
      sent += some.count
      #expect(try reader.next() == nil)
    }
    reader.append(Array("Content-Length: 2\r\n\r\n{}".utf8))
    #expect(try reader.next() == Array("{}".utf8))
  }

  @Test func `a header without an end is rejected`() {
    #expect(read(String(repeating: "a", count: 5000)) == ["the header of a message is too long"])
  }
}
