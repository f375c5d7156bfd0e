import ApusClientImports
import ApusClientRequests
import ApusSecrets
import Testing

/// Path variables, Latin-1, Windows commands, and the formats of Hurl, HTTPie, Thunder Client and Hoppscotch.
struct ImportAdditionsTests {
  private func imported(_ text: String, named name: String = "text") throws -> ImportedRequests {
    var collection = ImportedCollection()
    try collection.add(UntrustedText(text), named: name)
    return ImportedRequests(collection)
  }

  private func first(_ text: String, named name: String = "text") throws -> RequestDraft {
    try #require(try imported(text, named: name).requests.first?.draft)
  }

  private static let body = #""body": {"mode": "graphql", "graphql": {"query": "{ a }"}}"#

  @Test(arguments: [
    (
      #"{"info":{"schema":"/collection/v2.1.0"},"item":[{"name":"A","request":{"method":"POST",\#(body),"url":{"raw":"https://a.example/:org/:id/g?x=:org","variable":[{"key":"org","value":"acme co"},{"key":"id","value":""}]}}}]}"#,
      "a.json"
    ),
    (
      #"{"_type":"export","resources":[{"_id":"r","_type":"request","name":"A","method":"POST","url":"https://a.example/:org/:id/g?x=:org","pathParameters":[{"name":"org","value":"acme co"},{"name":"id","value":""}],"body":{"text":"{\"query\":\"{ a }\"}"}}]}"#,
      "a.json"
    ),
    (
      "_type: export\nresources:\n  - _id: r\n    _type: request\n    name: A\n    method: POST\n    url: https://a.example/:org/:id/g?x=:org\n    pathParameters:\n      - { name: org, value: acme co }\n      - { name: id, value: '' }\n    body: { text: '{\"query\":\"{ a }\"}' }\n",
      "a.yaml"
    ),
    (
      "meta {\n  name: A\n}\npost {\n  url: https://a.example/:org/:id/g?x=:org\n}\nparams:path {\n  org: acme co\n  id: \n}\nbody:graphql {\n  { a }\n}\n",
      "a.bru"
    ),
    (
      "info:\n  name: A\n  type: graphql\ngraphql:\n  url: https://a.example/:org/:id/g?x=:org\n  params:\n    - { name: org, value: acme co, type: path }\n    - { name: id, value: '', type: path }\n  body: { query: '{ a }' }\n",
      "a.yml"
    ),
  ])
  func `path variables are filled in, and one without a value is a reference`(text: String, name: String) throws {
    let draft = try first(text, named: name)
    #expect(draft.url == "https://a.example/acme%20co/{{id}}/g?x=:org")
    #expect(draft.options.references.map(\.name) == ["id"])
  }

  @Test func `bytes of a shell string that are not UTF-8 are Latin-1, with a note`() throws {
    let found = try imported(#"curl https://a.example -d $'{"query":"{ a(b: \\"caf\xe9 \u00e9\\") }"}'"#)
    #expect(found.requests.first?.draft.query.text == "{ a(b: \"café é\") }")
    #expect(found.leftOut.contains { $0.contains("read as Latin-1") })
    let plain = try imported(#"curl https://a.example -d $'{"query":"{ a(b: \\"caf\xc3\xa9\\") }"}'"#)
    #expect(plain.requests.first?.draft.query.text == "{ a(b: \"café\") }")
    #expect(!plain.leftOut.contains { $0.contains("Latin-1") })
  }

  @Test(arguments: [
    (#"curl ^"https://a.example^" ^"#, "prompt", "^%zoe^%", "%zoe%", [String]()),
    (#"curl ^"https://a.example^" ^"#, "prompt", "^%^zoe^%", "%zoe%", []),
    (#"curl ^"https://a.example^" ^"#, "prompt", "%zoe%", "{{zoe}}", ["zoe"]),
    (#"curl ^"https://a.example^" ^"#, "prompt", "%%zoe%%", "%{{zoe}}%", ["zoe"]),
    (#"curl "https://a.example" ^"#, "a.bat", "%%zoe%%", "%zoe%", []),
    (#"curl "https://a.example" ^"#, "a.bat", "%zoe%", "{{zoe}}", ["zoe"]),
    (#"curl "https://a.example" ^"#, "a.cmd", "100%%", "100%", []),
  ])
  func `percent signs of the Windows prompt are variables or literal`(
    start: String, name: String, written: String, read: String, references: [String]
  ) throws {
    let quote = name == "prompt" ? "^\"" : "\""
    let inner = name == "prompt" ? "^\\^\"" : "\\\""
    let text =
      "\(start)\n  --data-raw \(quote){\(inner)query\(inner):\(inner){ a(b: 1) }\(inner),\(inner)variables\(inner):{\(inner)t\(inner):\(inner)\(written)\(inner)}}\(quote)\n"
    let draft = try first(text, named: name)
    #expect(draft.variables.text.contains("\"\(read)\""), "\(draft.variables.text)")
    #expect(draft.options.references.map(\.name) == references)
  }

  /// Firefox ends the quotes at a line end, and writes a quote as `\"` or, in earlier versions, as `""`, and a percent sign as `"%"`.
  @Test(
    arguments: [
      #""{\"query\":\"{ a(b: 1) }\","^EE"\"variables\": {\"t\": \"100\"}}""#,
      #""{""query"":""{ a(b: 1) }"","^EE"""variables"": {""t"": ""100""}}""#,
      #""{""query"":""{ a(b: 1) }"",""variables"": {""t"": ""100"%"zoe"%"""}}""#,
    ], ["\r\n", "\n"])
  func `line ends and quotes in the Firefox forms for the Windows prompt are read`(body: String, end: String) throws {
    let text = "curl \"https://a.example\" --data-raw \(body.replacing("E", with: end)) -H \"X-A: b\"\(end)"
    let draft = try first(text, named: "a.bat")
    #expect(draft.query.text == "{ a(b: 1) }" && draft.variables.text.contains("\"100"), "\(draft)")
    #expect(draft.variables.text.contains("100%zoe%") == body.contains("zoe") && draft.options.references.isEmpty)
    #expect(draft.headers.map(\.text) == ["b"])
  }

  @Test func `a Hurl file is imported`() throws {
    let text = """
      # birds
      POST https://a.example/graphql
      Authorization: Bearer {{token}}
      [Options]
      variable: id=b1
      ```graphql
      query Bird($id: ID!) { bird(id: $id) { name } }
      variables {
        "id": "{{id}}"
      }
      ```
      HTTP 200
      [Asserts]
      jsonpath "$.data.bird.name" == "Ada"

      POST https://a.example/graphql
      Content-Type: application/json
      [BasicAuth]
      me: hush
      {"query": "{ b }"}
      HTTP/1.1 200
      """
    let found = try imported(text, named: "birds.hurl")
    #expect(found.requests.map(\.draft.query.text) == ["query Bird($id: ID!) { bird(id: $id) { name } }", "{ b }"])
    #expect(
      found.requests[0].draft.variables.text.contains(#""id": "{{id}}""#), "\(found.requests[0].draft.variables.text)")
    #expect(found.requests[0].draft.options.references.map(\.name) == ["id", "token"])
    #expect(found.requests[0].draft.options.references.map(\.value) == ["b1", nil])
    #expect(found.requests[1].draft.headers.map(\.text) == ["Basic bWU6aHVzaA=="])
  }

  @Test(arguments: [
    (#"http POST https://a.example/graphql X-A:b query='{ a }' variables:='{"n": 2}'"#, "https://a.example/graphql"),
    (#"http --verbose :4000/graphql X-A:b query='{ a }' variables[n]:=2"#, "http://localhost:4000/graphql"),
    (#"https a.example/graphql X-A:b query='{ a }' variables:='{"n":2}'"#, "https://a.example/graphql"),
    (
      #"echo '{"query":"{ a }","variables":{"n":2}}' | http POST https://a.example/graphql X-A:b"#,
      "https://a.example/graphql"
    ),
    (
      #"http POST https://a.example/graphql X-A:b --raw '{"query":"{ a }","variables":{"n":2}}'"#,
      "https://a.example/graphql"
    ),
  ])
  func `an HTTPie command is imported`(text: String, url: String) throws {
    let draft = try first(text)
    #expect(draft.url == url && draft.query.text == "{ a }")
    #expect(draft.variables.text.filter { !$0.isWhitespace } == #"{"n":2}"#)
    #expect(draft.headers.map { "\($0.name):\($0.text)" } == ["X-A:b"])
  }

  @Test func `a Thunder Client collection is imported`() throws {
    let text = #"""
      {"client":"Thunder Client","collectionName":"Birds","folders":[{"_id":"f","name":"Reading","containerId":""}],
       "requests":[{"name":"All","url":"{{host}}/graphql","method":"POST","containerId":"f",
         "headers":[{"name":"X-A","value":"b"},{"name":"X-Off","value":"c","isDisabled":true}],
         "auth":{"type":"bearer","bearer":"{{token}}"},
         "body":{"type":"graphql","graphql":{"query":"{ a }","variables":"{\"n\":2}"}}}]}
      """#
    let request = try #require(try imported(text, named: "thunder.json").requests.first)
    #expect(request.title == "Reading / All" && request.draft.query.text == "{ a }")
    #expect(request.draft.headers.map(\.text) == ["b", "Bearer {{token}}"])
    #expect(request.draft.options.references.map(\.name) == ["host", "token"])
  }

  @Test func `Hoppscotch collections and environments are imported`() throws {
    let text = #"""
      [{"v":2,"name":"Birds","folders":[{"v":2,"name":"Reading","folders":[],"headers":[],
         "requests":[{"v":8,"name":"All","url":"<<host>>/graphql","headers":[{"key":"X-A","value":"b","active":true}],
           "query":"{ a(b: \"{{x}}\") }","variables":"{\"n\":2}","auth":{"authType":"inherit","authActive":true}}]}],
        "requests":[],"headers":[],"auth":{"authType":"bearer","authActive":true,"token":"<<token>>"}}]
      """#
    let request = try #require(try imported(text, named: "hoppscotch.json").requests.first)
    #expect(request.title == "Reading / All" && request.draft.query.text == #"{ a(b: "{{x}}") }"#)
    #expect(request.draft.headers.map(\.text) == ["b", "Bearer {{token}}"])
    #expect(request.draft.options.references.map(\.name) == ["host", "token"])
  }

  @Test(arguments: [
    ("package.json", #"{"name":"a","dependencies":{"graphql":"16"},"repository":{"url":"https://a.example"}}"#, 0),
    ("a.json", #"{"calls":[{"url":"https://a.example","query":"unknown"}]}"#, 1),
    ("a.json", #"{"calls":[{"uri":"{{host}}/g","body":{}}]}"#, 1), ("a.json", #"{"text":"query A { a }"}"#, 1),
    ("a.json", #"{"text":"a query"}"#, 0), ("a.txt", "query A { a }", 1), ("a.txt", "words", 0),
    ("a.yml", "calls:\n  - url: https://a.example\n    query: unknown\n", 1), ("a.yml", "a: 1\n", 0),
  ])
  func `a file of a folder counts as skipped if it may have held requests`(name: String, text: String, count: Int) {
    var collection = ImportedCollection()
    collection.addOne(UntrustedText(text), named: name, files: .none, isFound: true)
    #expect(collection.skipped == count, "\(collection.leftOut)")
  }
}
