import ApusClientAPI
import ApusClientFormats
import ApusJSON
import Testing

private func json(_ text: String) throws -> JSONValue { try JSONDocument(parsing: text).root }

/// Returns the table of some data as lines. Every character counts as one cell.
private func table(_ data: String) throws -> String {
  guard let table = ResultTable(firstListIn: try json(data)) else { return "no table" }
  return String(table.aligned { $0.count }.joined().dropLast())
}

@Suite struct FormatsTests {
  private let slow = DeferredFragment(
    fragmentID: 0, label: "slow", path: ["bird", 0], typeCondition: "Bird", name: nil, state: .pending)

  @Test func `JSON output contains the response unchanged`() throws {
    let error = GraphQLError(json: try json(#"{"message":"no","path":["bird",0],"code":7}"#))
    let result = GraphQLResult<JSONValue>(data: .null, errors: [error], extensions: ["cost": 1])
    #expect(
      result.responseObject.description
        == #"{"data":null,"errors":[{"message":"no","path":["bird",0],"code":7}],"extensions":{"cost":1}}"#)
    #expect(GraphQLResult<JSONValue>(data: ["a": 1]).responseObject.description == #"{"data":{"a":1}}"#)
    #expect(GraphQLResult<JSONValue>(data: nil).responseObject.description == "{}")
  }

  @Test func `NDJSON output contains the source and the fragments' states`() {
    let failed = slow.withState(.failed([GraphQLError(message: "late")]), after: .milliseconds(120))
    let first = GraphQLResult<JSONValue>(
      data: ["bird": []], completeness: .partial, fragments: [slow], elapsed: .microseconds(12_300))
    let last = GraphQLResult<JSONValue>(
      data: nil, extensions: ["a": 1], source: .cache, fragments: [failed], changedKeys: ["Bird:1.name", "Bird:1.id"],
      payloadIndex: 1, elapsed: .milliseconds(120))
    #expect(
      first.lineObject.description
        == #"{"part":0,"elapsedMs":12.3,"response":"partial","source":"server","data":{"bird":[]},"errors":[],"#
        + #""deferred":[{"label":"slow","path":["bird",0],"typeCondition":"Bird","state":"pending","errors":[]}],"#
        + #""changedKeys":[]}"#)
    #expect(
      last.lineObject.description
        == #"{"part":1,"elapsedMs":120,"response":"complete","source":"cache","errors":[],"extensions":{"a":1},"#
        + #""deferred":[{"label":"slow","path":["bird",0],"typeCondition":"Bird","state":"failed","#
        + #""errors":[{"message":"late"}]}],"changedKeys":["Bird:1"]}"#)
  }

  @Test(arguments: [
    ("Bird:1.name", "Bird:1"), ("QUERY_ROOT.bird({\"id\":\"1\"})", "QUERY_ROOT"), ("File:a.txt.size", "File:a.txt"),
    (#"QUERY_ROOT.birds({"q":"a.b({})","km":1.5})"#, "QUERY_ROOT"),
    (#"QUERY_ROOT.birds({"km":1.5}).edges.0.node"#, #"QUERY_ROOT.birds({"km":1.5}).edges.0"#),
    (#"QUERY_ROOT.birds({"km":1.5}).edges.0.near({"km":2.5})"#, #"QUERY_ROOT.birds({"km":1.5}).edges.0"#),
    ("odd", "odd"), (".)", ".)"),
  ])
  func `changed fields are listed by record`(changed: String, record: String) {
    let line = GraphQLResult<JSONValue>(data: nil, changedKeys: [changed]).lineObject
    #expect(line["changedKeys"] == [JSONValue(record)])
  }

  @Test func `numbers are unchanged and control characters are escaped`() throws {
    let data = try json(#"{"a":1.10,"b":123456789012345678901234567890,"c":"\u001b[31m\u009b2J"}"#)
    let result = GraphQLResult<JSONValue>(data: data, errors: [GraphQLError(message: "\u{1B}]0;x\u{7}\u{7F}")])
    for text in [result.responseObject.description, JSONWriter.pretty(result.responseObject)] {
      #expect(text.contains("1.10") && text.contains("123456789012345678901234567890"))
      #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
    }
  }

  @Test func `the table shows the outermost list of objects`() throws {
    #expect(
      try table(
        #"{"total":2,"tags":["x"],"birds":[{"name":"Apus","at":{"km":12}},{"name":"Hirundo","ok":null,"in":[1]}]}"#)
          == """
          name     at.km  ok  in
          ───────  ─────  ──  ───
          Apus     12        \u{20}
          Hirundo             [1]
          """)
    #expect(try table(#"{"bird":{"id":"1","of":{"n":2}}}"#) == "id  of.n\n──  ────\n1   2")
    #expect(try table(#"{"a":1,"b":{"c":null}}"#) == "a  b.c\n─  ───\n1  ")
    #expect(try table(#"{"bird":{}}"#) == "no table" && table("null") == "no table" && table("[1]") == "no table")
  }

  @Test(arguments: [
    #"{"rows":[]}"#, #"{"birds":{"edges":[],"pageInfo":{"hasNextPage":false}}}"#,
    #"{"birds":{"nodes":[],"totalCount":0}}"#,
  ])
  func `an empty list is an empty table`(data: String) throws {
    let empty = ResultTable(firstListIn: try json(data))
    #expect(empty?.columns == [])
    #expect(try table(data) == "\n")
  }

  @Test func `control characters in tables are replaced and emoji are kept`() throws {
    let flag = "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}"
    #expect(try table(#"{"l":[{"a":"x\#u{E0068}\#(flag)"}]}"#).contains("x\u{FFFD}\(flag)"))
    let text = try table(#"{"l":[{"a\u001b[2J":"x\u009b\u202ey\n\u0000","b":"👩‍👩‍👧"}]}"#)
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || (0x7F...0x9F).contains($0.value) })
    #expect(text.contains("a␛[2J"))
    #expect(text.contains("x\u{FFFD}\u{FFFD}y␊␀"))
    #expect(text.contains("👩‍👩‍👧"))
  }
}
