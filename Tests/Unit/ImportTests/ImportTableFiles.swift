/// Files of programs, and texts that hold no request.
extension ImportTableTests {
  private static func postman(_ request: String, _ more: String = "") -> String {
    #"{"info":{"schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},"#
      + more + #""item":[{"name":"One","request":"# + request + "}]}"
  }

  private static func insomnia(_ request: String) -> String {
    #"{"_type":"export","__export_format":4,"resources":[{"_id":"r","_type":"request","name":"One","url":"https://a.example/g","#
      + request + "}]}"
  }

  private static func insomnia5(_ request: String, environments: String = "") -> String {
    "type: collection.insomnia.rest/5.0\nname: Birds\nmeta:\n  id: wrk_1\ncollection:\n  - name: Folder\n    meta:\n      id: fld_1\n    children:\n"
      + "      - name: One\n        url: \"https://a.example/g\"\n        method: POST\n        meta:\n          id: req_1\n"
      + request.split(separator: "\n").map { "        \($0)\n" }.joined() + environments
  }

  private static func har(_ entries: String...) -> String {
    #"{"log":{"entries":["# + entries.joined(separator: ",") + "]}}"
  }

  private static func entry(_ body: String, headers: String = "", url: String = ImportCase.url, _ more: String = "")
    -> String
  {
    #"{"request":{"method":"POST","url":"\#(url)","headers":[\#(headers)],"postData":{"mimeType":"application/json","text":\#(body)}}\#(more)}"#
  }

  static let fileCases: [ImportCase] = [
    .init(
      "Postman with GraphQL", "a.json",
      postman(
        #"{"method":"POST","url":"https://a.example/g","body":{"mode":"graphql","graphql":{"query":"{ a }","variables":"{\"n\":{{n}}}"}}}"#
      ), ["{ a } {\"n\":{{n}}}"]),
    .init(
      "Postman with a number as a variable", "a.json",
      postman(
        #"{"method":"POST","url":"https://a.example/g","body":{"mode":"graphql","graphql":{"query":"{ a }","variables":"{\"n\":{{n}}}"}}}"#,
        #""variable":[{"key":"n","value":"3"}],"#), [#"{ a } {"n":3}"#]),
    .init(
      "Postman with JSON", "a.json",
      postman(#"{"method":"POST","url":"https://a.example/g","body":{"mode":"raw","raw":"{\"query\":\"{ a }\"}"}}"#),
      ["{ a }"]),
    .init(
      "Postman with a REST body", "a.json",
      postman(
        #"{"method":"POST","url":"https://a.example/birds","body":{"mode":"raw","raw":"{\n  \"name\": \"Apus\"\n}"}}"#),
      [], skipped: 1),
    .init(
      "Postman with a document that is none", "a.json",
      postman(#"{"method":"POST","url":"https://a.example/g","body":{"mode":"graphql","graphql":{"query":""}}}"#), [],
      skipped: 1),
    .init(
      "Postman with basic authentication", "a.json",
      postman(
        #"{"method":"POST","url":"https://a.example/g","auth":{"type":"basic","basic":[{"key":"username","value":"{{user}}"},{"key":"password","value":"{{password}}"}]},"body":{"mode":"raw","raw":"{\"query\":\"{ a }\"}"}}"#
      ), ["{ a } [Authorization: Basic {{BASIC_CREDENTIALS}}]"]),
    .init(
      "Postman with a batch", "a.json",
      postman(
        #"{"method":"POST","url":"https://a.example/g","body":{"mode":"raw","raw":"[{\"query\":\"{ a }\"},{\"query\":\"{ b }\"}]"}}"#
      ), ["{ a }", "{ b }"]),
    .init(
      "Postman with a byte order mark", "a.json",
      "\u{FEFF}"
        + postman(#"{"method":"POST","url":"https://a.example/g","body":{"mode":"raw","raw":"{\"query\":\"{ a }\"}"}}"#),
      ["{ a }"]),
    .init(
      "Postman with a file", "a.json",
      postman(#"{"method":"POST","url":"https://a.example/g","body":{"mode":"file","file":{"src":"x"}}}"#), [],
      skipped: 1),
    .init(
      "Insomnia 4", "a.json", insomnia(#""body":{"mimeType":"application/graphql","text":"{\"query\":\"{ a }\"}"}"#),
      ["{ a }"]),
    .init(
      "Insomnia 4 with a REST body", "a.json",
      insomnia(#""body":{"mimeType":"application/json","text":"{\n \"name\": {}\n}"}"#), [], skipped: 1),
    .init(
      "Insomnia 4 with a template tag", "a.json",
      insomnia(#""headers":[{"name":"X-A","value":"{% uuid 'v4' %}"}],"body":{"text":"{\"query\":\"{ a }\"}"}"#),
      ["{ a } [X-A: {{uuid}}]"]),
    .init(
      "Insomnia 5", "a.yaml",
      insomnia5(
        "body:\n  mimeType: application/graphql\n  text: '{\"query\":\"{ a }\",\"variables\":{\"n\":1}}'\nheaders:\n  - name: X-A\n    value: \"{{ _.b }}\"\nauthentication:\n  type: bearer\n  token: t",
        environments: "environments:\n  name: Base\n  data:\n    b: c\n"),
      [#"{ a } {"n":1} [X-A: c] [Authorization: Bearer t]"#]),
    .init(
      "Insomnia 5 with an environment below the base", "a.yaml",
      insomnia5(
        "body:\n  mimeType: application/graphql\n  text: '{\"query\":\"{ a }\"}'\nheaders:\n  - name: X-A\n    value: \"{{ _.b }}\"",
        environments:
          "environments:\n  name: Base\n  data: {}\n  subEnvironments:\n    - name: Local\n      data:\n        b: c\n"),
      ["{ a } [X-A: c]"]),
    .init(
      "Insomnia 5 with a REST body", "a.yaml",
      insomnia5("body:\n  mimeType: application/json\n  text: '{\"name\": 1}'"), [], skipped: 1),
    .init(
      "Insomnia 5 by its content", "",
      insomnia5("body:\n  mimeType: application/graphql\n  text: '{\"query\":\"{ a }\"}'"), ["{ a }"]),
    .init(
      "Bruno", "One.bru",
      "meta {\n  name: One\n}\n\npost {\n  url: https://a.example/g\n  body: graphql\n}\n\nbody:graphql {\n  { a }\n}\n\nbody:graphql:vars {\n  {\"n\": {{n}}}\n}\n\nvars:pre-request {\n  n: 3\n}\n",
      [#"{ a } {"n":3}"#]),
    .init(
      "Bruno with a byte order mark", "One.bru",
      "\u{FEFF}post {\n  url: https://a.example/g\n}\n\nbody:graphql {\n  { a }\n}\n", ["{ a }"]),
    .init(
      "Bruno with a REST body", "One.bru",
      "post {\n  url: https://a.example/birds\n  body: json\n}\n\nbody:json {\n  {\n    \"name\": \"Apus\"\n  }\n}\n",
      [], skipped: 1),
    .init(
      "OpenCollection with GraphQL", "One.yml",
      "info:\n  name: One\n  type: graphql\ngraphql:\n  method: POST\n  url: https://a.example/g\n  headers:\n    - name: X-A\n      value: b\n    - name: X-B\n      value: c\n      disabled: true\n  body:\n    query: |-\n      query ($n: Int) { a(n: $n) }\n    variables: |-\n      {\"n\": 1}\n  auth:\n    type: bearer\n    token: t\n",
      [#"query ($n: Int) { a(n: $n) } {"n":1} [X-A: b] [Authorization: Bearer t]"#]),
    .init(
      "OpenCollection with JSON", "One.yml",
      "info:\n  name: One\n  type: http\nhttp:\n  method: POST\n  url: https://a.example/g\n  body:\n    type: json\n    data: '{\"query\":\"{ a }\"}'\n  auth:\n    type: basic\n    basic:\n      username: ada\n      password: hush\n",
      ["{ a } [Authorization: Basic YWRhOmh1c2g=]"]),
    .init(
      "OpenCollection with a REST body", "One.yml",
      "info:\n  name: One\n  type: http\nhttp:\n  method: POST\n  url: https://a.example/birds\n  body:\n    type: json\n    data: '{\"name\":\"Apus\"}'\n",
      [], skipped: 1),
    .init(
      "a bundled OpenCollection", "all.yml",
      "opencollection: 1.0.0\ninfo:\n  name: Birds\nbundled: true\nconfig:\n  environments:\n    - name: local\n      variables:\n        - name: host\n          value: https://a.example\nrequest:\n  headers:\n    - name: X-A\n      value: b\nitems:\n  - info:\n      name: Folder\n      type: folder\n    items:\n      - info:\n          name: One\n          type: graphql\n        graphql:\n          url: \"{{host}}/g\"\n          body:\n            query: \"{ a }\"\n",
      ["{ a } [X-A: b]"]),
    .init(
      "Altair", "a.agq",
      #"{"type":"window","windowName":"One","apiUrl":"https://a.example/g","query":"{ a }","variables":"{}","headers":[]}"#,
      ["{ a }"]),
    .init(
      "Altair with an empty window", "a.agc",
      #"{"type":"collection","queries":[{"windowName":"One","apiUrl":"https://a.example/g","query":"{ a }"},{"windowName":"Two","apiUrl":"https://a.example/g","query":""}]}"#,
      ["{ a }"], skipped: 1),
    .init("HAR", "a.har", har(entry(#""{\"query\":\"{ a }\"}""#), entry(#""{\"query\":\"{ a }\"}""#)), ["{ a }"]),
    .init(
      "HAR with a batch", "a.har", har(entry(#""[{\"query\":\"{ a }\"},{\"query\":\"{ b }\"}]""#)), ["{ a }", "{ b }"]),
    .init(
      "HAR with tracing headers", "a.har",
      har(
        entry(#""{\"query\":\"{ a }\"}""#, headers: #"{"name":"traceparent","value":"1"},{"name":"X-A","value":"b"}"#),
        entry(#""{\"query\":\"{ b }\"}""#, headers: #"{"name":"traceparent","value":"2"},{"name":"X-A","value":"b"}"#)),
      ["{ a } [X-A: b]", "{ b } [X-A: b]"]),
    .init(
      "HAR with a subscription", "a.har",
      #"{"log":{"entries":[{"request":{"method":"GET","url":"wss://a.example/g","headers":[]},"_webSocketMessages":[{"type":"send","data":"{\"type\":\"connection_init\"}"},{"type":"receive","data":"{\"type\":\"connection_ack\"}"},{"type":"send","data":"{\"id\":\"1\",\"type\":\"subscribe\",\"payload\":{\"query\":\"subscription { a }\",\"variables\":{\"n\":1}}}"}]}]}}"#,
      [#"subscription { a } {"n":1}"#]),
    .init(
      "HAR with a subscription of the older protocol", "a.har",
      #"{"log":{"entries":[{"request":{"url":"ws://a.example/g","headers":[]},"_webSocketMessages":[{"type":"send","data":"{\"id\":\"1\",\"type\":\"start\",\"payload\":{\"query\":\"subscription { a }\"}}"}]}]}}"#,
      ["http://a.example/g subscription { a }"]),
    .init(
      "HAR with other requests", "a.har",
      har(
        entry(#""{\"query\":\"{ a }\"}""#), entry(#""{\"name\":1}""#),
        #"{"request":{"method":"GET","url":"https://a.example/a.png","headers":[]}}"#), ["{ a }"], skipped: 2),
    .init(
      "HAR with a GET", "a.har",
      har(#"{"request":{"method":"GET","url":"https://a.example/g?query=%7Ba%7D","headers":[]}}"#), ["{a}"]),
  ]

  static let otherCases: [ImportCase] = [
    .init(
      "Markdown with code", "README.md", "# Birds\n\n```js\nconst x = { a: 1 }\n```\n\n```graphql\n{ a }\n```\n", []),
    .init(
      "Markdown with a command", "README.md",
      "It's here:\n\n```bash\ncurl https://a.example/g -d '{\"query\":\"{ a }\"}'\n```\n", ["{ a }"]),
    .init(
      "Markdown with an HTTP request", "README.md", "```http\nPOST https://a.example/g\n\n{\"query\":\"{ a }\"}\n```\n",
      ["{ a }"]),
    .init("pasted Markdown", "", "# Birds\n\n- Use `{ a }`\n- or { b }\n", [], skipped: 1),
    .init("a sentence", "", "Some text { with braces }", [], skipped: 1),
    .init("a program", "a.txt", "struct A {\n  let b: Int\n}\n", [], skipped: 1),
    .init("a style sheet", "a.css", "body {\n  color: red\n}\n", [], skipped: 1),
  ]
}
