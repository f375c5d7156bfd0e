import ApusClientIncremental
import Testing

@Suite("Event streams")
struct ServerSentEventTests {
  private func events(_ chunks: [[UInt8]]) throws -> [String] {
    var reader = ServerSentEventReader()
    return try chunks.flatMap { try reader.receive($0) }.map {
      "\($0.name)=\(String(decoding: $0.data, as: UTF8.self))"
    }
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `events end at an empty line, with any line endings and chunks`(_ lineEnd: String) throws {
    let text = "\u{FEFF}: hello\nevent: next\ndata: {\"a\":\ndata:\"ä\"}\nid: 7\n\n:\n\ndata: x\n\nevent: complete\n\n"
    let bytes = Array(text.replacing("\n", with: lineEnd).utf8)
    for split in 0...bytes.count {
      #expect(
        try events([Array(bytes[..<split]), Array(bytes[split...])])
          == ["next={\"a\":\n\"ä\"}", "message=x", "complete="])
    }
    #expect(try events(bytes.map { [$0] }).count == 3)
  }

  /// Returns the events of a complete stream as the HTML standard describes them: line by line.
  private func expected(_ text: String) -> [String] {
    var (found, name, data): ([String], String, [String]) = ([], "", [])
    let bytes = Array(text.utf8).replacing([0x0D, 0x0A], with: [0x0A]).map { $0 == 0x0D ? 0x0A : $0 }
    for bytes in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast() {
      let line = String(decoding: bytes, as: UTF8.self)
      if line.isEmpty {
        if !name.isEmpty || !data.isEmpty {
          found.append("\(name.isEmpty ? "message" : name)=\(data.joined(separator: "\n"))")
        }
        (name, data) = ("", [])
      }
      if line.hasPrefix("data:") { data.append(String(line.dropFirst(5))) }
      if line.hasPrefix("event: ") { name = String(line.dropFirst(7)) }
    }
    return found
  }

  @Test func `every short stream has the events of its lines, in every split`() throws {
    let pieces = ["\r", "\n", "data:x", "event: e"]
    var texts = [""]
    for _ in 1...5 { texts += Set(texts.flatMap { text in pieces.map { text + $0 } }).subtracting(texts) }
    var wrong: [String] = []
    for text in texts {
      let bytes = Array(text.utf8)
      let events = expected(text)
      let half = bytes.count / 2
      let splits = [[bytes], bytes.map { [$0] }, [Array(bytes[..<half]), [], Array(bytes[half...])]]
      for chunks in splits where try self.events(chunks) != events {
        wrong.append("\(text.debugDescription) in \(chunks.count) chunks")
      }
    }
    #expect(wrong.prefix(5) == [])
  }

  @Test
  func `an event is returned before the next one starts, and an incomplete one never`() throws {
    var reader = ServerSentEventReader()
    #expect(try reader.receive(Array("data: 1\n".utf8)).isEmpty)
    #expect(try reader.receive(Array("\n".utf8)).count == 1)
    #expect(try reader.receive(Array("data: 2\n".utf8)).isEmpty)
  }

  @Test
  func `endless lines and events are rejected at the size limit`() throws {
    for text in ["data: ", "data: 0123456789\n"] {
      var reader = ServerSentEventReader(sizeLimit: 100)
      #expect(throws: MultipartError.partTooLarge(limit: 100)) {
        for _ in 0..<100 { _ = try reader.receive(Array(text.utf8)) }
      }
    }
  }

  @Test
  func `a field without a colon has an empty value, and unknown fields are ignored`() throws {
    #expect(try events([Array("data\nfoo: bar\nretry: 10\n\n".utf8)]) == ["message="])
  }

  @Test(.timeLimit(.minutes(1))) func `an event of a million lines is read in linear time`() throws {
    var reader = ServerSentEventReader()
    #expect(try reader.receive(Array(String(repeating: "data:x\n", count: 1_000_000).utf8)).isEmpty)
    let event = try #require(try reader.receive(Array("\n".utf8)).first)
    #expect(event.data.count == 1_999_999)
    #expect(event.data.prefix(3).elementsEqual("x\nx".utf8))
  }
}
