/// Texts for Windows, and calls in JavaScript.
extension ImportTableTests {
  /// The command prompt.
  static let windowsCases: [ImportCase] = [
    .init(
      "carets, as Chrome writes them", "",
      "curl ^\"https://a.example/g^\" ^\r\n  -H ^\"x-a: b^\" ^\r\n  --data-raw ^\"^{^\\^\"query^\\^\":^\\^\"query (^$id: ID^!) ^{ a(id: ^$id) ^}^\\^\"^}^\"",
      ["query ($id: ID!) { a(id: $id) } [x-a: b]"]),
    .init(
      "a percent sign with carets", "",
      "curl ^\"https://a.example/g?q=a^%^20b^\" ^\n  --data-raw ^\"^{^\\^\"query^\\^\":^\\^\"^{ a ^}^\\^\"^}^\"",
      ["https://a.example/g?q=a%20b { a }"]),
    .init(
      "a line end with carets", "",
      "curl ^\"https://a.example/g^\" ^\n  --data-raw ^\"^{^\n\n^\\^\"query^\\^\":^\\^\"^{ a ^}^\\^\"^}^\"", ["{ a }"]),
    .init(
      "a backslash with carets", "",
      "curl ^\"https://a.example/g^\" ^\n  --data-raw ^\"^{^\\^\"query^\\^\":^\\^\"^{ a(b: ^\\^\\^\\^\"c^\\^\\^\\^\") ^}^\\^\"^}^\"",
      [#"{ a(b: "c") }"#]),
    .init(
      "two commands with carets", "",
      "curl ^\"https://a.example/g^\" ^\n  -d ^\"^{^\\^\"query^\\^\":^\\^\"^{ a ^}^\\^\"^}^\" &\ncurl ^\"https://a.example/g^\" ^\n  -d ^\"^{^\\^\"query^\\^\":^\\^\"^{ b ^}^\\^\"^}^\"",
      ["{ a }", "{ b }"]),
    .init(
      "percent signs of the command prompt after carets", "",
      "curl ^\"https://a.example/g^\" -H ^\"Authorization: Bearer ^%^TOKEN^%^\" ^\n -d ^\"^{^\\^\"query^\\^\":^\\^\"^{ a ^}^\\^\"^}^\"",
      ["{ a } [Authorization: Bearer %TOKEN%]"]),
    .init(
      "double quotes with carets at the ends", "",
      "curl \"https://a.example/g\" ^\n  --data-binary \"{\\\"query\\\":\\\"{ a }\\\"}\" --compressed", ["{ a }"]),
    .init(
      "a REST request with carets", "", "curl ^\"https://a.example/birds^\" ^\n  -d ^\"^{^\\^\"a^\\^\":1^}^\"", [],
      skipped: 1),
  ]

  static let scriptCases: [ImportCase] = [
    .init(
      "fetch, as Chrome writes it", "",
      "fetch(\"https://a.example/g\", {\n  \"headers\": {\n    \"content-type\": \"application/json\",\n    \"x-a\": \"b\"\n  },\n  \"referrer\": \"https://a.example/\",\n  \"body\": \"{\\\"query\\\":\\\"query ($id: ID!) { a(id: $id) }\\\",\\\"variables\\\":{\\\"id\\\":\\\"1\\\"}}\",\n  \"method\": \"POST\",\n  \"mode\": \"cors\",\n  \"credentials\": \"include\"\n});",
      [#"query ($id: ID!) { a(id: $id) } {"id":"1"} [x-a: b]"#]),
    .init(
      "fetch, as Firefox writes it", "",
      "await fetch(\"https://a.example/g\", {\n    \"credentials\": \"include\",\n    \"headers\": {\n        \"User-Agent\": \"x\"\n    },\n    \"body\": \"{\\\"query\\\":\\\"{ a }\\\"}\",\n    \"method\": \"POST\",\n    \"mode\": \"cors\"\n});",
      ["{ a } [User-Agent: x]"]),
    .init(
      "fetch for Node.js", "",
      "fetch(\"https://a.example/g\", {\n  \"headers\": {\n    \"cookie\": \"sid=1\",\n    \"Referer\": \"https://a.example/\"\n  },\n  \"body\": \"{\\\"query\\\":\\\"{ a }\\\"}\",\n  \"method\": \"POST\"\n});",
      ["{ a } [cookie: sid=1] [Referer: https://a.example/]"]),
    .init(
      "several calls of fetch", "",
      "fetch(\"https://a.example/g\", { \"body\": \"{\\\"query\\\":\\\"{ a }\\\"}\", \"method\": \"POST\" }); ;\nfetch(\"https://a.example/g\", { \"body\": \"{\\\"query\\\":\\\"{ b }\\\"}\", \"method\": \"POST\" });",
      ["{ a }", "{ b }"]),
    .init(
      "fetch with JSON.stringify", "",
      "const res = await fetch('https://a.example/g', {\n  method: 'POST',\n  headers: { 'Content-Type': 'application/json', 'X-A': 'b', },\n  body: JSON.stringify({\n    query: `\n      query A($n: Int) { a(n: $n) }\n    `,\n    variables: { n: 1 },\n  }),\n}).then(r => r.json());",
      ["\n      query A($n: Int) { a(n: $n) }\n     {\"n\":1} [X-A: b]"]),
    .init(
      "fetch with constants", "",
      "const query = `{ a }`; // the document\nconst url = \"https://a.example/g\";\nfetch(url, { method: \"POST\", body: JSON.stringify({ query }) })",
      ["{ a }"]),
    .init(
      "fetch, as Postman writes it", "",
      "const myHeaders = new Headers();\nmyHeaders.append(\"X-A\", \"b\");\n\nconst graphql = JSON.stringify({\n  query: \"{ a }\",\n  variables: {}\n})\nconst requestOptions = {\n  method: \"POST\",\n  headers: myHeaders,\n  body: graphql,\n  redirect: \"follow\"\n};\n\nfetch(\"https://a.example/g\", requestOptions)\n  .then((response) => response.text())",
      ["{ a } [X-A: b]"]),
    .init(
      "fetch with escapes", "",
      "fetch('https://a.example/g', {method: 'POST', body: '{\"query\":\"{ a }\\x20\\u0023 \\u{1F426}\\ud83d\\udc26\"}'})",
      ["{ a } # 🐦🐦"]),
    .init(
      "fetch with an expression", "",
      "fetch('https://a.example/g', {method: 'POST', headers: {Authorization: `Bearer ${token}`}, body: '{\"query\":\"{ a }\"}'})",
      ["{ a } [Authorization: Bearer {{token}}]"]),
    .init(
      "fetch with pairs of headers", "",
      "fetch('https://a.example/g', {method: 'POST', headers: [['X-A', 'b']], body: '{\"query\":\"{ a }\"}'})",
      ["{ a } [X-A: b]"]),
    .init(
      "fetch of a REST resource", "",
      "fetch('https://a.example/birds', {method: 'POST', body: JSON.stringify({name: 'Apus'})})", [], skipped: 1),
    .init("fetch of a page", "", "fetch('https://a.example/')", [], skipped: 1),
    .init("a GET of fetch", "", "fetch('https://a.example/g?query=' + encodeURIComponent('{a}'))", ["{a}"]),
    .init("JavaScript without a call", "a.js", "const x = { a: { b: 1 } }\n", []),
  ]

  /// HTTP files.
  static let httpCases: [ImportCase] = [
    .init(
      "JSON", "a.http", "POST https://a.example/g\nContent-Type: application/json\n\n{\"query\":\"{ a }\"}\n", ["{ a }"]
    ),
    .init(
      "X-REQUEST-TYPE", "a.http",
      "POST https://a.example/g\nX-REQUEST-TYPE: GraphQL\n\nquery ($n: Int) { a(n: $n) }\n\n{\"n\":1}\n",
      [#"query ($n: Int) { a(n: $n) } {"n":1}"#]),
    .init(
      "GRAPHQL", "a.http", "GRAPHQL https://a.example/g\n\nquery ($n: Int) { a(n: $n) }\n\n{\"n\":1}\n",
      [#"query ($n: Int) { a(n: $n) } {"n":1}"#]),
    .init(
      "no mark of the type", "a.http",
      "POST https://a.example/g\nContent-Type: application/json\n\nquery A {\n  a\n}\n", ["query A {\n  a\n}"]),
    .init(
      "no mark, and variables", "a.http", "POST https://a.example/g\n\nquery ($n: Int) { a(n: $n) }\n{\"n\":1}",
      [#"query ($n: Int) { a(n: $n) } {"n":1}"#]),
    .init(
      "empty lines in a document", "a.http",
      "GRAPHQL https://a.example/g\n\nquery A {\n\n  a\n\n  b\n}\n\n{\n\n  \"n\": 1\n\n}\n",
      ["query A {\n\n  a\n\n  b\n} {\"n\":1}"]),
    .init(
      "empty lines in JSON", "a.http",
      "POST https://a.example/g\n\n{\n\n  \"query\": \"{ a }\",\n\n  \"variables\": {}\n\n}\n", ["{ a }"]),
    .init(
      "a variable in JSON", "a.http",
      "POST https://a.example/g\n\n{\"query\":\"query ($n: Int) { a(n: $n) }\",\"variables\":{\"n\":{{count}},\"s\":\"{{s}}\"}}\n",
      ["query ($n: Int) { a(n: $n) } {\n  \"n\": {{count}},\n  \"s\": \"{{s}}\"\n}"]),
    .init(
      "a variable in JSON with its value", "a.http",
      "@count = 3\n@s = a\"b\n\nPOST https://a.example/g\n\n{\"query\":\"{ a }\",\"variables\":{\"n\":{{count}},\"s\":\"{{s}}\"}}\n",
      [#"{ a } {"n":3,"s":"a\"b"}"#]),
    .init(
      "a variable in variables after a document", "a.http",
      "@n = 2\nGRAPHQL https://a.example/g\n\nquery ($n: Int) { a(n: $n) }\n\n{\"n\": {{n}}}\n",
      [#"query ($n: Int) { a(n: $n) } {"n":2}"#]),
    .init(
      "a variable in a document", "a.http",
      "@id = 7\nGRAPHQL https://a.example/g\n\n{ a(id: {{id}}, name: \"{{id}}\") }\n", [#"{ a(id: 7, name: "7") }"#]),
    .init(
      "comments after the body", "a.http", "POST https://a.example/g\n\n{\"query\":\"{ a }\"}\n\n# the end\n// of it\n",
      ["{ a }"]),
    .init(
      "several requests", "a.http",
      "### one\nPOST https://a.example/g\n\n{\"query\":\"{ a }\"}\n\n### two\nPOST https://a.example/g\n\n{\"query\":\"{ b }\"}\n",
      ["{ a }", "{ b }"]),
    .init(
      "a REST request between", "a.http",
      "POST https://a.example/g\n\n{\"query\":\"{ a }\"}\n\n###\nPOST https://a.example/birds\n\n{\n  \"name\": \"Apus\"\n}\n",
      ["{ a }"], skipped: 1),
    .init(
      "a GET with continued lines", "a.http", "GET https://a.example/g\n  ?query=%7Ba%7D\n  &x=1\n",
      ["https://a.example/g?x=1 {a}"]),
    .init(
      "the host in a header", "a.http", "POST /g HTTP/1.1\nHost: a.example\n\n{\"query\":\"{ a }\"}\n",
      ["http://a.example/g { a }"]),
    .init(
      "basic authentication by words", "a.http",
      "POST https://a.example/g\nAuthorization: Basic ada hush\n\n{\"query\":\"{ a }\"}\n",
      ["{ a } [Authorization: Basic YWRhOmh1c2g=]"]),
    .init(
      "basic authentication with variables", "a.http",
      "POST https://a.example/g\nAuthorization: Basic {{user}}:{{password}}\n\n{\"query\":\"{ a }\"}\n",
      ["{ a } [Authorization: Basic {{BASIC_CREDENTIALS}}]"]),
    .init(
      "a variable of the environment", "a.http",
      "POST https://a.example/g\nAuthorization: Bearer {{$dotenv TOKEN}}\n\n{\"query\":\"{ a }\"}\n",
      ["{ a } [Authorization: Bearer {{TOKEN}}]"]),
    .init(
      "a script after it", "a.http",
      "POST https://a.example/g\n\n{\"query\":\"{ a }\"}\n\n> {%\n  client.log(\"x\")\n%}\n", ["{ a }"]),
    .init(
      "a byte order mark", "a.http", "\u{FEFF}POST https://a.example/g\r\n\r\n{\"query\":\"{ a }\"}\r\n", ["{ a }"]),
    .init(
      "curl in an HTTP file", "a.http", "### one\ncurl https://a.example/g -d '{\"query\":\"{ a }\"}'\n", ["{ a }"]),
    .init(
      "a batch", "a.http", "POST https://a.example/g\n\n[{\"query\":\"{ a }\"},{\"query\":\"{ b }\"}]\n",
      ["{ a }", "{ b }"]),
    .init(
      "Markdown in an HTTP file", "a.http",
      "# Birds\n\nGet the list of { birds } here.\n\n```\nconst a = { b: 1 }\n```\n", [], skipped: 1),
    .init("a saved response", "a.http", "HTTP/1.1 200 OK\n\n{ a }\n", [], skipped: 1),
  ]
}
