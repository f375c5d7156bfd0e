import ApusClientIncremental
import ApusGraphQLMediaTypes
import ApusTestSupport
import Testing

/// Multipart framing.
@Suite struct MultipartReaderTests {
  @Test func `two parts are read`() throws {
    let text = """

      ---
      Content-Type: application/json; charset=utf-8

      {"data":{"a":1},"hasNext":true}
      ---
      Content-Type: application/json; charset=utf-8

      {"hasNext":false}
      -----

      """
    #expect(try multipartBodies(text) == [#"{"data":{"a":1},"hasNext":true}"#, #"{"hasNext":false}"#])
  }

  @Test(arguments: [
    ("multipart/mixed; boundary=graphql", "graphql"), ("multipart/mixed; boundary=\"gra;ph ql\"", "gra;ph ql"),
    ("multipart/mixed;boundary=\"-\";deferSpec=20220824", "-"), ("multipart/mixed", "-"),
    ("Multipart/Mixed ; BOUNDARY = x", "x"),
    ("multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json", "graphql"),
    (#"multipart/mixed; boundary="a\"b""#, "a\"b"),
  ])
  func `the boundary may be quoted and defaults to a dash`(contentType: String, boundary: String) throws {
    #expect(MediaType(parsing: contentType).boundary == boundary)
    var reader = try #require(MultipartReader(contentType: contentType))
    let parts = try reader.receive(Array("--\(boundary)\r\n\r\n{\"a\":1}\r\n--\(boundary)--".utf8))
    #expect(parts.map { String(decoding: $0.body, as: UTF8.self) } == [#"{"a":1}"#])
  }

  /// The time must be linear in the size, even for small pieces.
  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      ("---\r\n\r\n{\"a\":1}", " "), ("---\r\n\r\n{\"a\":1}", "\r\n"), ("---\r\n\r\n{\"a\":1", " "),
      ("---\r\n\r\n{\"a\":[", "\n"), ("---", " "), ("", " "), ("---\r\n\r\n", "\n"),
    ])
  func `whitespace is read in linear time`(before: String, blank: String) throws {
    var reader = MultipartReader(boundary: "-")
    var parts = try reader.receive(Array(before.utf8))
    let piece = Array(String(repeating: blank, count: 64 / blank.utf8.count).utf8)
    for _ in 0..<10_000 { parts += try reader.receive(piece) }
    let rest = before.hasSuffix("1") ? "}\r\n-----" : before.hasSuffix("[") ? "]}\r\n-----" : "\r\n-----"
    parts += try reader.receive(Array(rest.utf8))
    #expect(parts.count == (before.contains("{") ? 1 : 0))
    #expect(reader.isClosed)
  }

  @Test func `plain JSON has no multipart reader`() {
    #expect(MultipartReader(contentType: "application/json") == nil)
    #expect(MultipartReader(contentType: "multipart/form-data; boundary=b") == nil)
  }

  @Test func `a preamble is ignored`() throws {
    let text = """
      This is a preamble.
      Note: it has lines
      --but none is a delimiter

      --b

      {"a":1}
      --b--
      """
    #expect(try multipartBodies(text, boundary: "b") == [#"{"a":1}"#])
  }

  /// RFC 2046, section 5.1.1: a delimiter is at the start of a line, and the preamble is ignored.
  @Test(arguments: [
    "x--b", " --b", "\t--b", "--bold", "Content-Type: text/plain", "Content-Type: text/plain\n\nnot JSON", "{ a brace",
    "{ a brace } and more", "  indented", "\n\n", "a\n{\"a\":0}\nb", "-", "--", "contents",
    #"{"note":"a line of JSON"}"#, #"{"data":{"a":9}}"#, #"{"data":null}"#, #"{"errors":[]}"#, "{\"data\":{}}\nmore",
    "{\"note\":1}\n--bold\nmore", "{\"data\":\"in a note\"}", "{}",
    "{\n  \"note\": 1\n}\n",
    "Content-Type: application/json\n\n{\"note\":1}", "{\"note\":1}\n{\"data\":{}}",
    String(repeating: "all in one line ", count: 30), String(repeating: "Content-X: y\n", count: 30),
  ])
  func `a preamble that resembles a delimiter is ignored`(preamble: String) throws {
    #expect(try multipartBodies("\(preamble)\n--b\n\n{\"a\":1}\n--b--", boundary: "b") == [#"{"a":1}"#])
    #expect(try multipartBodies("\(preamble)\n--b\n\n{\"a\":1}\n--b--", boundary: "b", lineEnd: "\n") == [#"{"a":1}"#])
  }

  @Test(arguments: ["x", "-", " ", "\n", "Content-Type: ", "{"])
  func `a large preamble is skipped without buffering`(piece: String) throws {
    let preamble = Array(String(repeating: piece, count: (1 << 20) / piece.utf8.count).utf8)
    let response = Array("\r\n--b\r\n\r\n{\"a\":1}\r\n--b--".utf8)
    for size in [preamble.count, 4096] {
      var reader = MultipartReader(boundary: "b", limits: .init(partSize: 2 << 20))
      var parts: [MultipartPart] = []
      var rest = preamble[...]
      while !rest.isEmpty {
        parts += try reader.receive(rest.prefix(size))
        rest = rest.dropFirst(size)
      }
      parts += try reader.receive(response)
      #expect(parts.map { String(decoding: $0.body, as: UTF8.self) } == [#"{"a":1}"#])
    }
  }

  @Test func `a body may start with the delimiter`() throws {
    #expect(try multipartBodies("---\n\n{\"a\":1}\n---\n\n{\"b\":2}\n-----") == [#"{"a":1}"#, #"{"b":2}"#])
  }

  @Test func `an epilogue is ignored`() throws {
    let text = "---\n\n{\"a\":1}\n-----\nepilogue\n---\n\n{\"b\":2}\n"
    #expect(try multipartBodies(text) == [#"{"a":1}"#])
  }

  @Test func `line feeds without carriage returns are accepted`() throws {
    let text = "---\ncontent-type: application/json\n\n{\"a\":1}\n---\n\n{\"b\":2}\n-----\n"
    #expect(try multipartBodies(text, lineEnd: "\n") == [#"{"a":1}"#, #"{"b":2}"#])
  }

  @Test func `the boundary in a string is not a delimiter`() throws {
    let body = #"{"text":"--graphql and \r\n--graphql-- and ---"}"#
    #expect(try multipartBodies("--graphql\n\n\(body)\n--graphql--", boundary: "graphql") == [body])
    #expect(try multipartBodies("---\n\n\(body)\n-----", boundary: "-") == [body])
  }

  @Test func `a line that starts with the boundary is not a delimiter`() throws {
    let text = "--b\nContent-Type: text/plain\n\nline\n--bold\nmore\n--b--"
    #expect(try multipartBodies(text, boundary: "b") == ["line\r\n--bold\r\nmore"])
  }

  @Test func `parts split in a character are complete`() throws {
    #expect(try multipartBodies("---\n\n{\"a\":\"ö🐦\"}\n-----") == [#"{"a":"ö🐦"}"#])
  }

  @Test func `several parts in one chunk are read`() throws {
    let text = (0..<5).map { "\r\n---\r\n\r\n{\"n\":\($0)}" }.joined() + "\r\n-----\r\n"
    #expect(try multipartCounts([text]) == [5])
  }

  @Test func `a delimiter without its line end completes the part`() throws {
    let head = "\r\nContent-Type: application/json\r\n\r\n"
    let counts = try multipartCounts([
      "---", head + "{\"a\":1}\r\n---", head + "{\"b\":2}\r\n---", "--\r\n",
    ])
    #expect(counts == [0, 1, 2, 2])
  }

  @Test func `a part is complete before its delimiter arrives`() throws {
    let counts = try multipartCounts([
      "\r\n---\r\nContent-Type: application/json\r\n\r\n{\"a\":1}", "\r\n---\r\n\r\n{\"b\":2}", "\r\n---", "--\r\n",
    ])
    #expect(counts == [1, 2, 2, 2])
  }

  @Test func `a part is complete with its line end`() throws {
    #expect(try multipartCounts(["---\r\n\r\n{\"a\":1}\r\n", "---\r\n\r\n{\"b\":2}\r", "\n-----"]) == [1, 2, 2])
    #expect(try multipartCounts(["---\r\n\r\n{\"a\":1}\r\n-", "--\r\n\r\n{\"b\":2}\r\n-----"]) == [1, 2])
  }

  @Test func `a closing brace in a string does not end a part`() throws {
    let counts = try multipartCounts(["---\r\n\r\n{\"a\":{\"b\":\"}", "}\"}", "}\r\n-----"])
    #expect(counts == [0, 0, 1])
  }

  @Test func `a missing opening delimiter and an empty last part are accepted`() throws {
    let text = """

      Content-Type: application/json

      {"payload":{"data":{"n":1}}}
      --graphql
      Content-Type: application/json

      {"payload":{"data":{"n":2}}}
      --graphql

      --graphql--

      """
    #expect(
      try multipartBodies(text, boundary: "graphql") == [
        #"{"payload":{"data":{"n":1}}}"#, #"{"payload":{"data":{"n":2}}}"#,
      ])
    let first = #"{"data":{},"hasNext":true}"#
    #expect(try multipartBodies("\(first)\n---\n\n{\"b\":2}\n---\n-----") == [first, #"{"b":2}"#])
  }

  @Test func `a response without any delimiter is one part`() throws {
    for body in [#"{"data":{"a":1}}"#, #"{"data":{"a":1},"hasNext":false}"#, #"{"errors":[{"message":"no"}]}"#] {
      #expect(try multipartBodies(body) == [body])
    }
  }

  @Test func `part headers may have any case order and spacing`() throws {
    let text = """
      ---
      X-Trace:7
      CONTENT-TYPE:application/json;charset=UTF-8
      Content-Length: 99999

      {"a":1}
      -----
      """
    let part = try #require(try multipartParts(text).first)
    #expect(part.header("content-type") == "application/json;charset=UTF-8")
    #expect(part.header("x-trace") == "7")
    #expect(part.headers.map(\.name) == ["X-Trace", "CONTENT-TYPE", "Content-Length"])
    #expect(String(decoding: part.body, as: UTF8.self) == #"{"a":1}"#)
  }

  @Test func `two part headers are accepted`() throws {
    let text = "---\nContent-Type: application/json\nContent-Length: 7\n\n{\"a\":1}\n-----"
    #expect(try multipartBodies(text) == [#"{"a":1}"#])
  }

  @Test func `parts without headers are accepted`() throws {
    #expect(try multipartBodies("---\n\n{\"a\":1}\n-----") == [#"{"a":1}"#])
    #expect(try multipartBodies("---\n{\"a\":1}\n-----") == [#"{"a":1}"#])
  }

  @Test func `heartbeats are returned as parts`() throws {
    #expect(try multipartBodies("---\n\n{}\n---\n\n{ }\n---\n\n{\"a\":1}\n-----") == ["{}", "{ }", #"{"a":1}"#])
  }

  @Test func `a part without a body is skipped`() throws {
    let text = "---\nContent-Type: application/json\n\n\n---\n\n{\"a\":1}\n---\n\n---\n-----"
    #expect(try multipartBodies(text) == [#"{"a":1}"#])
  }

  @Test func `a missing closing delimiter is reported and parts are kept`() throws {
    var reader = MultipartReader(boundary: "-")
    #expect(try reader.receive(Array("---\r\n\r\n{\"a\":1}\r\n---\r\n\r\n{\"b\":".utf8)).count == 1)
    let rest = reader.finish()
    #expect(rest.map { String(decoding: $0.body, as: UTF8.self) } == #"{"b":"#)
    #expect(!reader.isClosed)
  }

  @Test func `the closing delimiter ends the stream`() throws {
    var reader = MultipartReader(boundary: "-")
    _ = try reader.receive(Array("---\r\n\r\n{\"a\":1}\r\n-----".utf8))
    #expect(reader.isClosed)
    #expect(reader.finish() == nil)
  }

  @Test(arguments: [
    ("multipart/mixed;deferSpec=20220824", "deferSpec=20220824"),
    ("multipart/mixed; boundary=\"-\"; deferSpec=\"20220824\"", "deferSpec=20220824"),
    ("multipart/mixed; incrementalSpec=v0.2", "incrementalSpec=v0.2"),
    ("multipart/mixed;boundary=graphql;subscriptionSpec=\"1.0\",application/json", "subscriptionSpec=1.0"),
    ("multipart/mixed; boundary=x", nil), ("multipart/mixed; deferSpec=19990101", "deferspec=19990101"),
  ])
  func `the specification parameter may be quoted or missing`(contentType: String, expected: String?) {
    #expect(MediaType(parsing: contentType).specification == expected)
  }

  /// Quotes are compared by bytes, so that a combining mark does not change them.
  @Test func `a quote before a combining mark is recognized`() {
    let type = MediaType(parsing: "multipart/mixed; x=\"\u{30C}a;b\"; boundary=\u{30C}\"c\"; =\u{338}d")
    #expect(type.parameters.map(\.name) == ["x", "boundary", ""])
    #expect(type["x"] == "\u{30C}a;b")
    #expect(type.boundary == "\u{30C}\"c\"")
  }

  @Test func `a part over the size limit is an error`() throws {
    var reader = MultipartReader(boundary: "-", limits: .init(partSize: 10))
    #expect(throws: MultipartError.partTooLarge(limit: 10)) {
      _ = try reader.receive(Array("---\r\n\r\n{\"a\":\"0123456789\"}\r\n-----".utf8))
    }
    var other = MultipartReader(boundary: "-", limits: .init(partSize: 10))
    #expect(throws: MultipartError.partTooLarge(limit: 10)) {
      for byte in "---\r\n\r\n{\"a\":\"0123456789".utf8 { _ = try other.receive([byte]) }
    }
  }

  @Test func `part headers over the size limit are an error`() throws {
    var reader = MultipartReader(boundary: "-", limits: .init(headerSize: 100))
    #expect(throws: MultipartError.headersTooLarge(limit: 100)) {
      _ = try reader.receive(Array("---\r\n".utf8))
      for number in 0..<100 { _ = try reader.receive(Array("X-\(number): \(number)\r\n".utf8)) }
    }
  }

  @Test(arguments: ["garbage", "garbage\n", "garbage\r\n-", "garbage\r\n---\r\n", "-\n---\r\n"])
  func `text after a complete part is an error`(text: String) throws {
    var reader = MultipartReader(boundary: "-")
    #expect(try reader.receive(Array("---\r\n\r\n{\"a\":1}".utf8)).count == 1)
    #expect(throws: MultipartError.self) { _ = try reader.receive(Array(text.utf8)) }
  }

  @Test func `random bytes in random chunks never trap`() {
    let text = Array("\r\n---\r\nContent-Type: application/json\r\n\r\n{\"a\":1}\r\n---\r\n\r\n{}\n---\r\n-----x".utf8)
    let seed: UInt64 = 2022_08_24
    var random = SplitMix(seed: seed)
    for round in 0..<3000 {
      var bytes = text
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes.remove(at: place)
        case 1: bytes.insert(text.randomElement(using: &random) ?? 0, at: place)
        default: bytes.replaceSubrange(place..<bytes.count, with: text[place % text.count..<text.count])
        }
        if bytes.isEmpty { bytes = text }
      }
      var reader = MultipartReader(boundary: "-")
      var rest = bytes[...]
      var count = 0
      do {
        while !rest.isEmpty {
          let piece = rest.prefix(Int.random(in: 1...12, using: &random))
          count += try reader.receive(piece).count
          rest = rest.dropFirst(piece.count)
        }
        if reader.finish() != nil { count += 1 }
      } catch {}
      #expect(count <= bytes.count, "seed \(seed), round \(round)")
    }
  }
}
