/// Requests in forms that are less common: documents in variables, uploads, and other clients.
extension ImportTableTests {
  static let variableCases: [ImportCase] = [
    .init(
      "a document in a variable of the script", "a.sh",
      "QUERY='query Q { a }'\ncurl https://a.example/g -d \"{\\\"query\\\": \\\"$QUERY\\\"}\"\n", ["query Q { a }"]),
    .init(
      "a document with lines in a variable", "a.sh",
      "Q='{\n  a(b: \"c\")\n}'\ncurl https://a.example/g -d \"{\\\"query\\\": \\\"$Q\\\"}\"\n", ["{\n  a(b: \"c\")\n}"]),
    .init(
      "a body in a variable", "a.sh", "BODY='{\"query\":\"{ a }\"}'\ncurl https://a.example/g -d \"$BODY\"\n", ["{ a }"]
    ),
    .init(
      "a document between quotes", "a.sh",
      "Q='{ a }'\ncurl https://a.example/g -d '{\"query\":\"'\"$Q\"'\"}'\n", ["{ a }"]),
    .init(
      "a variable that changes", "a.sh",
      "U=https://a.example/g\ncurl $U -d '{\"query\":\"{ a }\"}'\nU=https://b.example\ncurl $U -d '{\"query\":\"{ b }\"}'\n",
      ["{ a }", "https://b.example { b }"]),
    .init(
      "a variable with a default value", "a.sh",
      "curl https://a.example/g -H \"X-A: ${KEY:-hush}\" -d '{\"query\":\"{ a }\"}'\n", ["{ a } [X-A: {{KEY}}]"]),
    .init(
      "a document in a variable without a value", "a.sh",
      "curl https://a.example/g -d \"{\\\"query\\\": \\\"$QUERY\\\"}\"\n", [], skipped: 1),
    .init(
      "a document in a variable of an HTTP file", "a.http",
      "@doc = { a }\n\nPOST https://a.example/g\n\n{\"query\":\"{{doc}}\"}\n", ["{ a }"]),
    .init(
      "a document in a variable of Postman", "a.json",
      #"{"info":{"schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},"variable":[{"key":"q","value":"{ a }"}],"item":[{"name":"One","request":{"method":"POST","url":"https://a.example/g","body":{"mode":"graphql","graphql":{"query":"{{q}}"}}}}]}"#,
      ["{ a }"]),
    .init(
      "fragments after a document", "a.js",
      "fetch('https://a.example/g', {method: 'POST', body: JSON.stringify({query: `{ a { ...F } } ${FRAGMENT}`})})",
      ["{ a { ...F } } {{FRAGMENT}}"]),
    .init(
      "HTTPie is read, and wget is named", "a.sh",
      "http POST https://a.example/g query='{ a }'\nwget https://a.example/g --post-data '{\"query\":\"{ b }\"}'\ncurl https://a.example/g -d '{\"query\":\"{ c }\"}'\n",
      ["{ a }", "{ c }"], skipped: 1),
    .init("a curl command without a URL", "a.sh", "curl -K hush.cfg\n", [], skipped: 1),
    .init(
      "options that curl has and Apus does not", "",
      "curl -4 --hsts f --rate 2/s -m 5 --request-target /x https://a.example/g -d '{\"query\":\"{ a }\"}'", ["{ a }"]),
    .init(
      "an option that curl does not have", "",
      "curl --made-up 3 https://a.example/g -d '{\"query\":\"{ a }\"}'", ["{ a }"]),
    .init(
      "an array of arguments", "a.sh",
      "ARGS=(\n  -H \"X-A: b\" # c\n  -s\n)\nARGS+=(-H 'X-C: d')\ncurl \"${ARGS[@]}\" https://a.example/g -d '{\"query\":\"{ a }\"}'\nR=$(curl \"${ARGS[@]}\" https://a.example/g -d '{\"query\":\"{ b }\"}')\n",
      ["{ a } [X-A: b] [X-C: d]", "{ b } [X-A: b] [X-C: d]"]),
    .init(
      "arrays that multiply", "a.sh",
      "A=(-s -s)\n" + String(repeating: "A=(\"${A[@]}\" \"${A[@]}\")\n", count: 60)
        + "curl \"${A[@]}\" https://a.example/g -d '{\"query\":\"{ a }\"}'\n", ["{ a }"]),
    .init("a GET with a body", "", "curl -X GET https://a.example/g -d '{\"query\":\"{ a }\"}'", ["{ a }"]),
    .init("two dashes", "", "curl -d '{\"query\":\"{ a }\"}' -- https://a.example/g", ["{ a }"]),
  ]

  static let formCases: [ImportCase] = [
    .init(
      "an upload with attributes and quotes", "",
      #"curl https://a.example/g -F operations='{"query":"mutation ($f: [Upload!]!) { a(f: $f) }","variables":{"f":[null,null]}};type=application/json' -F map='{"0":["variables.f.0"],"1":["variables.f.1"]}' -F '0=@a b.png;type=image/png' -F '1=@"c;d.png";filename=x'"#,
      [#"mutation ($f: [Upload!]!) { a(f: $f) } {"f":["a b.png","c;d.png"]}"#]),
    .init(
      "a batch of uploads", "",
      #"curl https://a.example/g -F operations='[{"query":"mutation ($f: Upload) { a(f: $f) }","variables":{"f":null}},{"query":"mutation ($f: Upload) { b(f: $f) }","variables":{"f":null}}]' -F map='{"0":["0.variables.f"],"1":["1.variables.f"]}' -F 0=@a.png -F 1=@b.png"#,
      [
        #"mutation ($f: Upload) { a(f: $f) } {"f":"a.png"}"#, #"mutation ($f: Upload) { b(f: $f) } {"f":"b.png"}"#,
      ]),
    .init(
      "an upload in an HTTP file", "a.http",
      "POST https://a.example/g\nContent-Type: multipart/form-data; boundary=b\n\n--b\nContent-Disposition: form-data; name=\"operations\"\n\n{\"query\":\"mutation ($f: Upload) { a(f: $f) }\",\"variables\":{\"f\":null}}\n--b\nContent-Disposition: form-data; name=\"map\"\n\n{\"0\":[\"variables.f\"]}\n--b\nContent-Disposition: form-data; name=\"0\"; filename=\"x.png\"\n\n< ./a.png\n--b--\n",
      [#"mutation ($f: Upload) { a(f: $f) } {"f":"./a.png"}"#]),
    .init(
      "an upload in a HAR file", "a.har",
      #"{"log":{"entries":[{"request":{"method":"POST","url":"https://a.example/g","headers":[],"postData":{"mimeType":"multipart/form-data; boundary=b","text":"--b\r\nContent-Disposition: form-data; name=\"operations\"\r\n\r\n{\"query\":\"mutation ($f: Upload) { a(f: $f) }\",\"variables\":{\"f\":null}}\r\n--b\r\nContent-Disposition: form-data; name=\"map\"\r\n\r\n{\"0\":[\"variables.f\"]}\r\n--b\r\nContent-Disposition: form-data; name=\"0\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\nx\r\n--b--\r\n"}}}]}}"#,
      [#"mutation ($f: Upload) { a(f: $f) } {"f":"a.png"}"#]),
    .init(
      "a Base64 body in a HAR file", "a.har",
      #"{"log":{"entries":[{"request":{"method":"POST","url":"https://a.example/g","headers":[],"postData":{"encoding":"base64","text":"eyJxdWVyeSI6InthfSJ9"}}}]}}"#,
      ["{a}"]),
    .init(
      "a form of Postman", "a.json",
      #"{"info":{"schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},"item":[{"name":"One","request":{"method":"POST","url":"https://a.example/g","body":{"mode":"formdata","formdata":[{"key":"operations","value":"{\"query\":\"mutation ($f: Upload) { a(f: $f) }\",\"variables\":{\"f\":null}}"},{"key":"map","value":"{\"0\":[\"variables.f\"]}"},{"key":"0","type":"file","src":"/x/a.png"}]}}}]}"#,
      [#"mutation ($f: Upload) { a(f: $f) } {"f":"/x/a.png"}"#]),
    .init(
      "Postman 2.0 with headers as text and a token of OAuth 2", "a.json",
      #"{"info":{"schema":"https://schema.getpostman.com/json/collection/v2.0.0/collection.json"},"item":[{"name":"One","request":{"method":"POST","url":"https://a.example/g","auth":{"type":"oauth2","oauth2":{"accessToken":"t"}},"header":"X-A: b\nX-C: d","body":{"mode":"graphql","graphql":{"query":"{ a }"}}}}]}"#,
      ["{ a } [X-A: b] [X-C: d] [Authorization: Bearer t]"]),
    .init(
      "a collection from Postman's API", "a.json",
      #"{"collection":{"info":{"schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},"item":[{"name":"One","request":{"method":"POST","url":"https://a.example/g","body":{"mode":"graphql","graphql":{"query":"{ a }"}}}}]}}"#,
      ["{ a }"]),
    .init(
      "forms of Insomnia 4", "a.json",
      #"{"_type":"export","resources":[{"_id":"r","_type":"request","name":"One","url":"https://a.example/g","body":{"mimeType":"application/x-www-form-urlencoded","params":[{"name":"query","value":"{ a }"},{"name":"x","value":"y","disabled":true}]}},{"_id":"s","_type":"request","name":"Two","url":"https://a.example/g","body":{"mimeType":"multipart/form-data","params":[{"name":"operations","value":"{\"query\":\"{ b }\"}"},{"name":"map","value":"{}"}]}}]}"#,
      ["{ a }", "{ b }"]),
    .init(
      "Insomnia 4 with inherited authentication", "a.json",
      #"{"_type":"export","resources":[{"_id":"f","_type":"request_group","name":"F","authentication":{"type":"bearer","token":"t"}},{"_id":"r","parentId":"f","_type":"request","name":"One","url":"https://a.example/g","authentication":{"type":"inherit"},"body":{"text":"{\"query\":\"{ a }\"}"}}]}"#,
      ["{ a } [Authorization: Bearer t]"]),
    .init(
      "a form of Bruno", "One.bru",
      "post {\n  url: https://a.example/g\n  body: formUrlEncoded\n}\n\nbody:form-urlencoded {\n  query: { a }\n  ~x: y\n}\n",
      ["{ a }"]),
    .init(
      "an upload of Bruno", "One.bru",
      "post {\n  url: https://a.example/g\n  body: multipartForm\n}\n\nbody:multipart-form {\n  operations: {\"query\":\"mutation ($f: Upload) { a(f: $f) }\",\"variables\":{\"f\":null}}\n  map: {\"0\":[\"variables.f\"]}\n  0: @file(a.png)\n}\n",
      [#"mutation ($f: Upload) { a(f: $f) } {"f":"a.png"}"#]),
    .init(
      "a form with fields of REST", "", "curl https://a.example/birds -F name=Apus -F photo=@a.png", [], skipped: 1),
  ]

  static let scriptVariantCases: [ImportCase] = [
    .init(
      "line ends in a document with carets", "",
      #"curl ^"https://a.example/g^" ^"# + "\n"
        + #"  --data-raw ^"^{^\^"query^\^":^\^"query Q(^$id: ID^!) ^{^\^\n  a(id: ^$id, s: ^\^\^\^"x ^& y^\^\^\^")^\^\n^}^\^"^}^""#,
      ["query Q($id: ID!) {\n  a(id: $id, s: \"x & y\")\n}"]),
    .init(
      "a batch file", "a.bat",
      "@echo off\r\nset HOST=https://a.example\r\nrem curl x\r\ncurl -X POST \"%HOST%/g\" -H \"X-A: %KEY%\" -d \"{\\\"query\\\":\\\"{ a }\\\"}\"\r\n",
      ["{ a } [X-A: {{KEY}}]"]),
    .init(
      "window.fetch", "", "window.fetch('https://a.example/g', {method: 'POST', body: '{\"query\":\"{ a }\"}'})",
      ["{ a }"]),
    .init(
      "fetch of a Request", "",
      "fetch(new Request('https://a.example/g', {method: 'POST', headers: {'X-A': 'b'}, body: '{\"query\":\"{ a }\"}'}))",
      ["{ a } [X-A: b]"]),
    .init(
      "fetch of a URL with a base", "",
      "fetch(new URL('/g', 'https://a.example/app/'), {method: 'POST', body: '{\"query\":\"{ a }\"}'})", ["{ a }"]),
    .init(
      "axios is named", "a.js",
      "axios.post('https://a.example/g', {query: '{ a }'});\nfetch('https://a.example/g', {method: 'POST', body: '{\"query\":\"{ b }\"}'})",
      ["{ b }"], skipped: 1),
    .init(
      "Markdown with tildes, longer marks and no end", "README.md",
      "[![badge](x)](y)\n\n~~~sh\ncurl https://a.example/g -d '{\"query\":\"{ a }\"}'\n~~~\n\n````md\n```sh\ncurl https://a.example/g -d '{\"query\":\"{ no }\"}'\n```\n````\n\n> ```\n> x\n> ```\n\n```\ncurl https://a.example/g -d '{\"query\":\"{ b }\"}'\n",
      ["{ a }", "{ b }"]),
    .init(
      "Insomnia 5 with anchors", "a.yaml",
      "type: collection.insomnia.rest/5.0\ncollection:\n  - name: One\n    url: https://a.example/g\n    body:\n      text: '{\"query\":\"{ a }\"}'\n    headers: &h\n      - name: X-A\n        value: b\n  - name: Two\n    url: https://a.example/g\n    body:\n      text: '{\"query\":\"{ b }\"}'\n    headers: *h\n",
      ["{ a } [X-A: b]", "{ b } [X-A: b]"]),
    .init("YAML of another program", "compose.yaml", "services:\n  web:\n    image: x\n", []),
    .init("a list in YAML", "list.yml", "- a\n- b\n", []),
  ]
}
