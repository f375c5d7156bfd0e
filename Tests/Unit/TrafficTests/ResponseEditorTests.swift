import ApusClientNetwork
import ApusJSON
import Testing

@testable import ApusClientTraffic

struct ResponseEditorTests {
  private static func editor(_ change: (inout DeliveryRules) -> Void, type: String) throws -> ResponseEditor {
    var rules = DeliveryRules()
    change(&rules)
    var editor = try #require(
      rules.editor(
        method: "POST", target: "/graphql", contentType: "application/json",
        body: Array(#"{"query":"query Q { a }"}"#.utf8)))
    editor.begin(["Content-Type": type])
    return editor
  }

  /// Returns the bytes and delays of a body that arrives in two pieces.
  private static func deliveries(
    _ body: String, cut: Int, _ editor: ResponseEditor
  ) -> (text: String, delays: [Duration]) {
    var editor = editor
    let bytes = Array(body.utf8)
    let all = editor.receive(Array(bytes[..<cut])) + editor.receive(Array(bytes[cut...])) + editor.finish()
    return (String(decoding: all.flatMap(\.bytes), as: UTF8.self), all.filter { !$0.bytes.isEmpty }.map(\.delay))
  }

  private static let multipart = "multipart/mixed; boundary=\"-\""

  private static func parts(_ payloads: String...) -> String {
    "---" + payloads.map { "\r\nContent-Type: application/json\r\n\r\n\($0)\r\n---" }.joined() + "--\r\n"
  }

  private static let first =
    #"{"data":{"a":{"__typename":"A","n":1}},"pending":[{"id":"0","label":"l","path":[]}],"hasNext":true}"#
  private static let second =
    #"{"incremental":[{"id":"0","data":{"b":2}}],"completed":[{"id":"0"}],"hasNext":false}"#
  private static let older = #"{"incremental":[{"label":"l","path":[],"data":{"b":2}}],"hasNext":false}"#

  @Test func `a body without a matching rule passes unchanged, however it arrives`() throws {
    let events = "event: next\ndata: {\"data\":1}\n\n:\n\nevent: complete\ndata:\n\n"
    for (body, type) in [
      (Self.parts(Self.first, Self.second), Self.multipart), (events, "text/event-stream"),
      (#"{"data":1}"#, "application/json"),
      ("<html>", "text/html"), (events.replacing("\n", with: "\r\n"), "text/event-stream"),
    ] {
      let editor = try Self.editor({ $0.rules = [.init(.label("other"), .drop, text: "")] }, type: type)
      for cut in 0...body.utf8.count { #expect(Self.deliveries(body, cut: cut, editor).text == body) }
    }
  }

  @Test(arguments: [
    (DeliveryRules.Selector.everyPayload, [true, true]), (.label("l"), [false, true]),
    (.label("other"), [false, false]),
    (.field(type: "A", name: "n"), [true, false]), (.field(type: nil, name: "b"), [false, true]),
    (.field(type: "B", name: "n"), [false, false]),
  ])
  func `a delay is that of the payloads that it is about`(_ selector: DeliveryRules.Selector, _ isDelayed: [Bool])
    throws
  {
    let editor = try Self.editor(
      { $0.rules = [.init(selector, .delay(.seconds(2)), text: "--delay")] }, type: Self.multipart)
    let body = Self.parts(Self.first, Self.second)
    let (text, delays) = Self.deliveries(body, cut: 10, editor)
    #expect(text == body)
    #expect(delays.prefix(2).map { $0 == .seconds(2) } == isDelayed)
  }

  @Test(arguments: [
    (
      second, DeliveryRules.Action.fail,
      #"{"completed":[{"id":"0","errors":[{"message":"apus tap: --fail l"}]}],"hasNext":false}"#
    ),
    (
      older, .fail,
      #"{"incremental":[{"label":"l","path":[],"data":null,"errors":[{"message":"apus tap: --fail l"}]}],"hasNext":false}"#
    ),
    (second, .drop, #"{"hasNext":false}"#), (older, .drop, #"{"hasNext":false}"#),
    (#"{"label":"l","path":[],"data":{},"hasNext":false}"#, .drop, #"{"hasNext":false}"#),
    (
      #"{"label":"l","path":[],"data":{"b":2},"hasNext":false}"#, .fail,
      #"{"label":"l","path":[],"hasNext":false,"data":null,"errors":[{"message":"apus tap: --fail l"}]}"#
    ),
    (
      #"{"incremental":[{"label":"l","path":["c"],"items":[1]}],"hasNext":false}"#, .fail,
      #"{"incremental":[{"label":"l","path":["c"],"items":null,"errors":[{"message":"apus tap: --fail l"}]}],"hasNext":false}"#
    ),
    (
      #"{"incremental":[{"id":"9","data":{}},{"id":"0","data":{}}],"hasNext":true}"#, .drop,
      #"{"incremental":[{"id":"9","data":{}}],"hasNext":true}"#
    ),
  ])
  func `a fragment fails or never arrives, in both formats`(
    _ payload: String, _ action: DeliveryRules.Action, _ edited: String
  ) throws {
    let editor = try Self.editor({ $0.rules = [.init(.label("l"), action, text: "--fail l")] }, type: Self.multipart)
    #expect(Self.deliveries(Self.parts(Self.first, payload), cut: 5, editor).text == Self.parts(Self.first, edited))
  }

  @Test func `a part that is changed has no length of its earlier content`() throws {
    let editor = try Self.editor({ $0.rules = [.init(.label("l"), .drop, text: "--drop")] }, type: Self.multipart)
    let head = "---\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n"
    #expect(
      Self.deliveries(head + Self.older + "\r\n-----\r\n", cut: 9, editor).text
        == "---\r\nContent-Type: application/json\r\n\r\n{\"hasNext\":false}\r\n-----\r\n")
  }

  @Test func `a payload of which nothing is left is not sent`() throws {
    let editor = try Self.editor({ $0.rules = [.init(.label("l"), .drop, text: "--drop")] }, type: Self.multipart)
    let only = #"{"incremental":[{"id":"0","data":{"b":2}}],"hasNext":true}"#
    #expect(
      Self.deliveries(Self.parts(Self.first, only, #"{"hasNext":false}"#), cut: 5, editor).text
        == Self.parts(Self.first, #"{"hasNext":false}"#))
  }

  @Test func `nothing follows the payload after which the connection breaks`() throws {
    var editor = try Self.editor({ $0.cutAfter = 1 }, type: Self.multipart)
    let sent = editor.receive(Array(Self.parts(Self.first, Self.second).utf8)) + editor.finish()
    #expect(
      String(decoding: sent.flatMap(\.bytes), as: UTF8.self)
        == "---\r\nContent-Type: application/json\r\n\r\n\(Self.first)\r\n---")
    #expect(editor.isCut && editor.changes == ["--cut-after 1"])
  }

  @Test func `payloads are held, and nothing else is`() throws {
    var editor = try Self.editor({ $0.holds = true }, type: "text/event-stream")
    let events = ["data: {\"data\":1}\n\n", ":\n\n", "data: {}\n\n", "event: complete\ndata:\n\n"]
    let sent = editor.receive(Array(events.joined().utf8))
    #expect(sent.map { String(decoding: $0.bytes, as: UTF8.self) } == events)
    #expect(sent.map(\.isHeld) == [true, false, false, false])
    #expect(editor.changes == ["--hold"])
    var dropping = try Self.editor(
      {
        $0.holds = true
        $0.rules = [.init(.label("l"), .drop, text: "--drop")]
      }, type: Self.multipart)
    let only = #"{"incremental":[{"id":"0","data":{"b":2}}],"hasNext":true}"#
    #expect(dropping.receive(Array(Self.parts(Self.first, only).utf8)).map(\.isHeld) == [true, false])
  }

  @Test(arguments: [
    ("application/json", "[\(String(repeating: "1,", count: 100))1]"),
    ("text/event-stream", "data: \(String(repeating: "a", count: 200))\n\ndata: {\"b\":1}\n\n"),
    (multipart, parts("\"\(String(repeating: "a", count: 200))\"", "{\"b\":1}")),
  ])
  func `a payload that is too long passes without being read`(_ type: String, _ body: String) {
    let media = HTTPHead(status: 200, headers: ["Content-Type": type]).mediaType
    for cut in 0...body.utf8.count {
      var segments = PayloadSegments(media, limit: 100)
      let all =
        segments.receive(Array(body.utf8.prefix(cut))) + segments.receive(Array(body.utf8.dropFirst(cut)))
        + [segments.finish()]
      #expect(all.flatMap(\.bytes) == Array(body.utf8))
      let read = all.map { String(decoding: $0.json, as: UTF8.self) }.filter { !$0.isEmpty }
      #expect(read.last?.contains("\"b\":1") ?? (type == "application/json"), "\(cut): \(read)")
    }
  }

  @Test func `rules are for the operations that they name`() throws {
    var rules = DeliveryRules()
    rules.status = 503
    func editor(_ body: String) -> ResponseEditor? {
      rules.editor(method: "POST", target: "/", contentType: "application/json", body: Array(body.utf8))
    }
    #expect(editor(#"{"query":"{ a }"}"#)?.answer?.status == 503)
    #expect(editor(#"{"a":1}"#) == nil)
    rules.operations = ["Q"]
    #expect(editor(#"{"query":"query Q { a }"}"#) != nil)
    #expect(editor(#"{"query":"query P { a } query Q { a }","operationName":"Q"}"#) != nil)
    #expect(editor(#"{"query":"query P { a }"}"#) == nil)
    #expect(editor(#"{"documentId":"x","operationName":"Q"}"#) != nil)
  }
}
