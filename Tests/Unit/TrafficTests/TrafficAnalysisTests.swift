import ApusClientCache
import ApusClientNetwork
import ApusGraphQLSchema
import ApusJSON
import Testing

@testable import ApusClientTraffic

/// An analysis that is given events one by one.
struct Observed {
  let store = CacheStore()
  private var analysis: TrafficAnalysis
  private(set) var payloads: [TrafficPayload] = []
  private(set) var began: [TrafficRequest] = []
  private(set) var ended: [TrafficRequest] = []
  private(set) var hints: [TrafficHint] = []
  private(set) var held: [TrafficRequest] = []
  private(set) var conflicts: [TrafficConflict] = []
  private var exchange = 0
  private let start = ContinuousClock.now
  private var time = Duration.zero

  init(
    documents: PersistedDocuments = PersistedDocuments(), schema: Schema? = nil, limit: Int = TrafficAnalysis.limit
  ) {
    analysis = TrafficAnalysis(
      url: "http://server.example/graphql", cache: ShadowCache(store: store, schema: schema),
      documents: documents, limit: limit)
  }

  mutating func receive(_ fact: TrafficEvent.Fact, exchange: Int? = nil) async {
    time += .milliseconds(10)
    let event = TrafficEvent(exchange: exchange ?? self.exchange, time: start + time, fact)
    for report in await analysis.receive(event) {
      switch report {
      case .began(let request): began.append(request)
      case .payload(_, let payload): payloads.append(payload)
      case .ended(let request): ended.append(request)
      case .conflict(let conflict): conflicts.append(conflict)
      case .hint(_, let hint): hints.append(hint)
      case .held(let request, _): held.append(request)
      case .responded, .part, .changed, .other: break
      }
    }
  }

  mutating func send(_ body: String, headers: HTTPHeaders = [:]) async {
    exchange += 1
    var headers = headers
    headers["Content-Type"] = "application/json"
    await receive(.request(method: "POST", target: "/graphql", headers: headers))
    await receive(.requestBody(Array(body.utf8)))
    await receive(.requestEnded)
  }

  mutating func answer(
    _ pieces: [String], type: String = "application/json", status: Int = 200, headers: HTTPHeaders = [:],
    end: TrafficEvent.End = .complete
  ) async {
    var headers = headers
    headers["Content-Type"] = type
    await receive(.response(status: status, headers: headers))
    for piece in pieces { await receive(.responseBody(Array(piece.utf8))) }
    await receive(.ended(end))
  }
}

@Suite(.timeLimit(.minutes(1)))
struct TrafficAnalysisTests {
  private static let deferred = #"{"query":"query D { a { __typename id ... @defer(label: \"l\") { b } } }"}"#
  private static let multipart = "multipart/mixed; boundary=\"-\"; deferSpec=20220824"
  private static let parts = [
    "---\r\nContent-Type: application/json\r\n\r\n{\"data\":{\"a\":{\"__typename\":\"A\",\"id\":\"1\"}},\"hasNext\":true}\r\n---",
    "\r\nContent-Type: application/json\r\n\r\n{\"incremental\":[{\"label\":\"l\",\"path\":[\"a\"],\"data\":{\"b\":2}}],\"hasNext\":false}\r\n-----",
  ]

  private static let schema = Schema.load(sdl: "type Query { a: A } type A { id: ID! b: B } type B { id: ID! c: Int }")

  /// A response has the fields that the application selected: a type name or an id is not missing, also if the schema is known.
  @Test(
    arguments: [
      ("{ a { id } }", #"{"data":{"a":{"id":"1"}}}"#), ("{ a { __typename } }", #"{"data":{"a":{"__typename":"A"}}}"#),
      ("{ a { b { c } } }", #"{"data":{"a":{"b":{"c":1}}}}"#), ("{ a { ... on A { b } } }", #"{"data":{"a":{}}}"#),
    ], [nil, schema])
  func `a response with the selected fields has no errors`(
    _ sent: (document: String, response: String), schema: Schema?
  ) async {
    var observed = Observed(schema: schema)
    await observed.send(#"{"query":"\#(sent.document)"}"#)
    await observed.answer([sent.response])
    #expect(observed.ended.first?.state == .complete)
    #expect(observed.ended.first?.problem == nil)
    #expect(observed.payloads.first?.result.errors ?? [] == [])
  }

  /// A response has the keys that the application selected, so an added field must not take the place of an alias.
  @Test(arguments: [
    ("{ a { id: name } }", #"{"id":"x"}"#, "QUERY_ROOT.a: name"),
    ("{ a { __typename: name } }", #"{"__typename":"x"}"#, "QUERY_ROOT.a: name"),
    ("{ a { x: id name } }", #"{"x":"1","name":"n"}"#, "A:1: id name"),
    ("{ a { id x: name } }", #"{"id":"1","x":"n"}"#, "A:1: id name"),
    ("{ a { name: id id: name } }", #"{"name":"1","id":"n"}"#, "A:1: id name"),
  ])
  func `records have the fields of aliases`(document: String, object: String, record: String) async throws {
    var observed = Observed(schema: Schema.load(sdl: "type Query { a: A } type A { id: ID! name: String! }"))
    await observed.send(#"{"query":"\#(document)"}"#)
    await observed.answer([#"{"data":{"a":\#(object)}}"#])
    let snapshot = try await observed.store.snapshot()
    let key = try #require(snapshot.summaries(matching: RecordPattern()).map(\.key).first { $0.text != "QUERY_ROOT" })
    #expect("\(key): \(snapshot.record(key)?.fields.map(\.key).sorted().joined(separator: " ") ?? "")" == record)
  }

  /// Compressed by gzip and then by zlib's deflate, with Python.
  @Test(arguments: ["gzip, deflate", "gzip,identity,deflate", "Gzip  Deflate"])
  func `several encodings are removed from the last to the first`(encoding: String) async {
    let hex = "789c93efe660000126e6d5615e9e3a9e219b56853109b56dddca50ba367a9a0050060089de08ee"
    let bytes = stride(from: 0, to: hex.count, by: 2).compactMap { UInt8(hex.dropFirst($0).prefix(2), radix: 16) }
    var observed = Observed()
    await observed.send(#"{"query":"{ a }"}"#)
    await observed.receive(
      .response(status: 200, headers: ["Content-Type": "application/json", "Content-Encoding": encoding]))
    await observed.receive(.responseBody(bytes))
    await observed.receive(.ended(.complete))
    #expect(observed.payloads.first?.result.data?.description == #"{"a":1}"#)
  }

  @Test func `payloads are merged when they arrive, with fragments and effects`() async {
    var observed = Observed()
    await observed.send(
      Self.deferred, headers: ["apollographql-client-name": "App", "apollographql-client-version": "2"])
    await observed.answer(Self.parts, type: Self.multipart)
    #expect(observed.began.first?.operationName == "D")
    #expect(observed.began.first?.client == "App 2")
    #expect(observed.payloads.map { $0.result.fragments.map(\.state) } == [[.pending], [.fulfilled]])
    #expect(observed.payloads.map(\.effect) == [CacheEffect(new: 2, changed: 0), CacheEffect(new: 0, changed: 1)])
    #expect(observed.payloads.last?.result.data?["a"]?["b"]?.int == 2)
    let end = observed.ended.first
    #expect(end?.state == .complete && end?.payloadCount == 2)
    // Request at 10 ms; body, end and head follow; the payloads arrive at 50 and 60 ms, the end at 70 ms.
    #expect(end?.firstPayload == .milliseconds(40) && end?.lastPayload == .milliseconds(50))
    #expect(end?.duration == .milliseconds(60))
  }

  @Test(arguments: [
    (TrafficEvent.End.complete, "failed"), (.cancelled, "canceled"), (.failed("broke off"), "failed"),
  ])
  func `a response that ends early settles its fragments`(_ end: TrafficEvent.End, _ state: String) async {
    var observed = Observed()
    await observed.send(Self.deferred)
    await observed.answer([Self.parts[0]], type: Self.multipart, end: end)
    #expect(observed.payloads.count == 2)
    #expect(observed.payloads.last?.result.fragments.contains { $0.state.isPending } == false)
    #expect(observed.ended.map(\.state.name) == [state])
  }

  @Test(arguments: [
    ("<html>", "text/html", 502, "failed"), ("{", "application/json", 200, "failed"),
    ("", "application/json", 200, "failed"),
    (#"{"errors":[{"message":"no"}]}"#, "application/json", 400, "failed"),
    (#"{"errors":[{"message":"no"}]}"#, "application/json", 200, "failed"),
    (#"{"data":null}"#, "application/json", 200, "failed"),
    (#"{"data":null,"errors":[{"message":"no"}]}"#, "application/json", 200, "failed"),
    (#"{"data":{"a":null},"errors":[{"message":"no","path":["a"]}]}"#, "application/json", 200, "complete"),
    (#"{"data":{"a":1}}"#, "application/json", 200, "complete"),
    (#"{"a":1}"#, "application/json", 200, "failed"),
  ])
  func `only a GraphQL response with data is complete`(_ body: String, _ type: String, _ status: Int, _ state: String)
    async
  {
    var observed = Observed()
    await observed.send(#"{"query":"{ a }"}"#)
    await observed.answer([body], type: type, status: status)
    #expect(observed.ended.map(\.state.name) == [state])
    #expect(observed.ended.first?.status == status)
  }

  @Test func `a document that cannot be read has a problem, and its response is still counted`() async {
    var observed = Observed()
    await observed.send(#"{"query":"{ a "}"#)
    await observed.answer([#"{"errors":[{"message":"syntax"}]}"#], status: 400)
    #expect(observed.began.first?.problem?.contains("syntax error") == true)
    #expect(observed.payloads.isEmpty)
    #expect(observed.ended.first?.byteCount == 33)
  }

  @Test func `two queries that take each other's fields are named once`() async {
    var observed = Observed()
    func run(_ query: String, _ data: String) async {
      await observed.send("{\"query\":\"\(query)\"}")
      await observed.answer(["{\"data\":\(data)}"])
    }
    let (a, b) = ("query A { items { a } }", "query B { items { b } }")
    await run(a, #"{"items":[{"a":1}]}"#)
    await run(b, #"{"items":[{"b":1}]}"#)
    #expect(observed.conflicts.isEmpty)
    await run(a, #"{"items":[{"a":2}]}"#)
    await run(b, #"{"items":[{"b":2}]}"#)
    await run(a, #"{"items":[{"a":3}]}"#)
    #expect(observed.conflicts.map(\.first) == ["B"] && observed.conflicts.map(\.second) == ["A"])
    #expect(observed.conflicts.first?.field.hasSuffix(".b") == true, "\(observed.conflicts)")
  }

  @Test func `queries that select the key, or the same fields, have no conflict`() async {
    var observed = Observed()
    for round in 0..<2 {
      for field in ["a", "b"] {
        await observed.send("{\"query\":\"query Q\(field) { items { __typename id \(field) } }\"}")
        await observed.answer([#"{"data":{"items":[{"__typename":"I","id":"1","\#(field)":\#(round)}]}}"#])
      }
    }
    #expect(observed.conflicts.isEmpty)
  }

  @Test func `payloads that wait are counted until they are released or the operation ends`() async {
    var observed = Observed()
    await observed.send(#"{"query":"{ a }"}"#)
    await observed.receive(.response(status: 200, headers: ["Content-Type": "application/json"]))
    for count in [2, 1] { await observed.receive(.held(count)) }
    #expect(observed.held.map(\.heldCount) == [2, 1])
    #expect(observed.held.first?.id == TrafficOperationID(exchange: 1))
    await observed.receive(.ended(.cancelled))
    #expect(observed.ended.first?.heldCount == 0)
  }

  @Test func `an event stream ends with its last event`() async {
    var observed = Observed()
    await observed.send(#"{"query":"subscription S { n }"}"#)
    await observed.answer(
      [
        "event: next\ndata: {\"data\":{\"n\":1}}\n\n", ":\n\n",
        "event: next\ndata: {\"data\":{\"n\":2}}\n\nevent: complete\ndata:\n\n",
      ],
      type: "text/event-stream")
    #expect(observed.payloads.map { $0.result.data?["n"]?.int } == [1, 2])
    #expect(observed.ended.map(\.state) == [.complete])
  }

  @Test func `a body beyond the limit is forwarded without being shown`() async {
    var observed = Observed()
    await observed.send(#"{"query":"{ a }"}"#)
    let piece = String(repeating: " ", count: 9 << 20)
    await observed.answer([piece, piece])
    #expect(observed.payloads.isEmpty)
    #expect(observed.ended.first?.problem == "the response cannot be shown: it is larger than 16 MB")
    #expect(observed.ended.first?.byteCount == 18 << 20)
  }

  @Test func `operations that are running together are read up to a limit, and others after their end`() async {
    var observed = Observed(limit: 1000)
    let body = "{\"data\":{\"a\":\"\(String(repeating: "a", count: 700))\"}}"
    func begin() async {
      await observed.send(#"{"query":"{ a }"}"#)
      await observed.receive(.response(status: 200, headers: ["Content-Type": "application/json"]))
      await observed.receive(.responseBody(Array(body.utf8)))
    }
    await begin()
    await begin()
    await observed.receive(.ended(.complete))
    #expect(observed.payloads.isEmpty)
    #expect(observed.ended.last?.problem?.hasPrefix("the response cannot be shown: the responses that are") == true)
    await observed.receive(.ended(.complete), exchange: 1)
    #expect(observed.payloads.count == 1)
    await begin()
    await observed.receive(.ended(.complete))
    #expect(observed.payloads.count == 2)
  }

  @Test func `the payloads of a response count together, those of a subscription one by one`() async {
    let padding = String(repeating: "a", count: 400)
    func event(_ json: String) -> String { "data: \(json)\n\n" }
    for (type, count) in [("subscription", 4), ("query", 3)] {
      var observed = Observed(limit: 1000)
      await observed.send("{\"query\":\"\(type) S { n }\"}")
      let payload = event("{\"data\":{\"n\":\"\(padding)\"},\"hasNext\":true}")
      await observed.answer(Array(repeating: payload, count: 4), type: "text/event-stream")
      #expect(observed.ended.first?.payloadCount == count, "\(type)")
    }
  }

  @Test func `a hash has the text of an earlier request, or that of a manifest`() async throws {
    var documents = PersistedDocuments()
    let manifest = try JSONDocument(parsing: #"{"m1":"query M { a }"}"#).root
    #expect(documents.add(manifest: manifest) == 1)
    var observed = Observed(documents: documents)
    let hash = "sent-with-it"
    let digest = "a951bc65eb778a3d7180afaa1d562dee05383b7d83b0e460f9c789d15774d9ca"
    await observed.send(#"{"query":"query Q { a }","extensions":{"persistedQuery":{"sha256Hash":"\#(hash)"}}}"#)
    await observed.answer([#"{"data":{"a":1}}"#])
    for id in [hash, digest, "m1", "unknown"] {
      await observed.send(#"{"documentId":"\#(id)"}"#)
      await observed.answer([#"{"data":{"a":1}}"#])
    }
    #expect(observed.began.map(\.operationName) == ["Q", "Q", "Q", "M", nil])
    #expect(observed.began.last?.problem != nil)
    #expect(observed.payloads.count == 4)
  }

  @Test func `a manifest is Apollo's or Relay's`() throws {
    var documents = PersistedDocuments()
    let apollo =
      #"{"format":"apollo-persisted-query-manifest","version":1,"operations":[{"id":"1","body":"{a}"},{"id":"2","body":"{b}"}]}"#
    #expect(documents.add(manifest: try JSONDocument(parsing: apollo).root) == 2)
    for other in ["[]", #"{"a":1}"#, #"{"operations":[{"id":"1"}]}"#] {
      #expect(documents.add(manifest: try JSONDocument(parsing: other).root) == nil)
    }
  }

  @Test func `a WebSocket has an operation for each id, in both directions`() async {
    var observed = Observed()
    await observed.receive(
      .request(method: "GET", target: "/graphql", headers: ["Upgrade": "websocket"]), exchange: 1)
    await observed.receive(.requestEnded, exchange: 1)
    await observed.receive(
      .response(status: 101, headers: ["Sec-WebSocket-Protocol": "graphql-transport-ws"]), exchange: 1)
    func message(_ text: String) -> [UInt8] { [0x81, UInt8(text.utf8.count)] + Array(text.utf8) }
    func masked(_ text: String) -> [UInt8] {
      let mask: [UInt8] = [1, 2, 3, 4]
      return [0x81, 0x80 | UInt8(text.utf8.count)] + mask + text.utf8.enumerated().map { $1 ^ mask[$0 & 3] }
    }
    let start =
      masked(#"{"type":"connection_init"}"#)
      + masked(#"{"id":"1","type":"subscribe","payload":{"query":"subscription S{n}"}}"#)
    // The bytes of a message may arrive in any pieces.
    for byte in start { await observed.receive(.socketBytes([byte], isFromServer: false), exchange: 1) }
    await observed.receive(
      .socketBytes(
        message(#"{"type":"connection_ack"}"#) + message(#"{"id":"1","type":"next","payload":{"data":{"n":1}}}"#)
          + message(#"{"id":"2","type":"next","payload":{"data":{"n":9}}}"#), isFromServer: true), exchange: 1)
    #expect(observed.began.map(\.transport) == [.webSocket])
    #expect(observed.payloads.map { $0.result.data?["n"]?.int } == [1])
    await observed.receive(.socketBytes(masked(#"{"id":"1","type":"complete"}"#), isFromServer: false), exchange: 1)
    #expect(observed.ended.map(\.state) == [.cancelled])
    await observed.receive(
      .socketBytes(
        masked(#"{"id":"1","type":"subscribe","payload":{"query":"subscription S{n}"}}"#), isFromServer: false),
      exchange: 1)
    await observed.receive(.socketBytes([0x88, 0x02, 0x11, 0x3B], isFromServer: true), exchange: 1)
    #expect(observed.ended.last?.state == .failed("the server closed the WebSocket (4411)"))
    await observed.receive(.ended(.complete), exchange: 1)
    #expect(observed.ended.count == 2)
  }
}
