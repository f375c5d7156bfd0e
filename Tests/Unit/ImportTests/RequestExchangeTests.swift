import ApusClientFormats
import ApusClientImports
import ApusClientRequests
import ApusJSON
import ApusSecrets
import Testing

extension RequestDraft {
  /// The first request in a text.
  init?(importing text: String) {
    var collection = ImportedCollection()
    guard (try? collection.add(UntrustedText(text), named: "")) != nil,
      let request = ImportedRequests(collection).requests.first?.draft
    else { return nil }
    self = request
  }
}

@Suite struct RequestExchangeTests {
  @Test func `an exported request is imported unchanged`() throws {
    let request = RequestDraft(
      url: "https://birds.example/graphql?x=1",
      headers: [.init(name: "X-Ring", value: SecretText(literal: "it's \"1\""))],
      query: "query A($n: Int) {\n  birds(first: $n, name: \"it's\") { id }\n}", variables: "{\n  \"n\": 2\n}",
      operationName: "A")
    #expect(RequestDraft(importing: request.curlCommand) == request)
    #expect(RequestDraft(importing: request.httpFile) == request)
  }

  /// For Swift, a blank or a colon is one character with a combining mark after it; for programs and servers it is not.
  @Test func `a URL and a header value that begin with a combining mark are read back`() throws {
    let request = RequestDraft(
      url: "\u{301}ic://birds.example/", headers: [.init(name: "X-Ring", value: SecretText(literal: "\u{301}1"))],
      query: "{ a }")
    #expect(RequestDraft(importing: request.curlCommand) == request)
    #expect(RequestDraft(importing: request.httpFile) == request)
  }

  @Test(arguments: ["-x", "|", "--data"])
  func `a URL that looks like another word is read back`(_ url: String) {
    let request = RequestDraft(url: url, query: "{ a }")
    #expect(RequestDraft(importing: request.curlCommand)?.url == "http://\(url)")
  }

  @Test func `an HTTP file in the form of editors`() throws {
    let text =
      "### Birds\nPOST https://a.example/graphql\nX-REQUEST-TYPE: GraphQL\nK: v\n\nquery ($n: Int) {\n  a(n: $n)\n}\n\n{\"n\": 1}\n"
    let request = try #require(RequestDraft(importing: text))
    #expect(request.query == "query ($n: Int) {\n  a(n: $n)\n}")
    #expect(request.headers == [.init(name: "K", value: SecretText(literal: "v"))])
  }

  @Test func `variables of headers are variables of an HTTP file`() throws {
    let request = RequestDraft(
      url: "https://a.example/graphql",
      headers: [
        .init(name: "Authorization", value: try SecretText("Bearer $TOKEN")),
        .init(name: "X-Price", value: SecretText(literal: "$5")),
      ], query: "{ a }")
    let lines = request.httpFile.split(separator: "\n")
    #expect(lines.contains("Authorization: Bearer {{TOKEN}}") && lines.contains("X-Price: $5"))
    #expect(RequestDraft(importing: request.httpFile)?.headers.count == 2)
  }

  @Test func `an Apus command keeps variables of the shell`() throws {
    let request = RequestDraft(
      url: "https://a.example", headers: [.init(name: "Authorization", value: try SecretText("Bearer $TOKEN"))],
      query: "{ a }")
    #expect(
      request.apusCommand
        == "apus query https://a.example \\\n  --header 'Authorization: Bearer $TOKEN' \\\n  -q '{ a }'\n")
  }

  @Test func `imported values stay text`() throws {
    let text = "curl https://a.example -H 'X: `id` $(id) \"$HOME\"' -d '{ a }'"
    let request = try #require(RequestDraft(importing: text))
    #expect(request.headers.map(\.value.isLive) == [false])
    #expect(request.curlCommand.contains("-H 'X: `id` $(id) \"$HOME\"'"))
    let folded = "curl https://a.example -H $'X: a\\nY: $(id)' -d '{ a }'"
    #expect(
      RequestDraft(importing: folded)?.headers == [
        .init(name: "X", value: SecretText(literal: "a Y: $(id)"))
      ])
  }

  @Test(arguments: [
    "", "wget x", "curl", "curl https://a.example -d nothing", "GET", "curl https://a.example -d @body.json",
  ])
  func `other text is refused`(_ text: String) {
    #expect(RequestDraft(importing: text) == nil)
  }

  // MARK: What curl's options mean

  @Test(arguments: [
    (
      "curl -k --proxy http://u:hush@p https://a.example -d '{ a }' | jq .data",
      [
        "curl option -k was not imported: pass --insecure to Apus",
        "curl option --proxy was not imported: pass --proxy to Apus", "commands other than curl: jq",
      ]
    ),
    (
      "curl --digest -u ada https://a.example -d '{ a }'",
      [
        "curl option --digest was not imported: only basic authentication and bearer tokens are supported; "
          + "add the Authorization header",
        "curl option -u has no password, for which curl prompts: add it to the imported credentials",
      ]
    ),
    (
      "curl https://a.example -d '{ a }' -b jar.txt -H @h.txt",
      [
        "curl option -b was not imported: it names a file with cookies; pass --cookie-jar to Apus",
        "curl option -H @h.txt was not imported: pass --header @FILE to Apus",
      ]
    ),
    ("curl https://a.example -X PUT -d '{ a }'", ["PUT (the request is sent with POST)"]),
    (
      "curl https://a.example -d '{ a }' -d @b.json",
      ["curl option -d @b.json was not imported: pasted text reads no files; import the script as a file"]
    ),
    (
      "curl https://a.example -H \"X: $(id -u)\" -d '{ a }'",
      ["$(id -u) is not evaluated", "commands other than curl: id"]
    ),
    (
      "curl https://a.example -d '{ a }' --made-up https://b.example?t=1",
      [
        "curl option --made-up was not imported: Apus has no such option; remove it if the request works without it",
        "https://b.example was not imported: a command has one URL; split the command",
      ]
    ),
    (
      "curl --made-up hush --hsts hush -C - --parallel-max 3 -m 5 https://a.example -d '{ a }'",
      [
        "curl option --made-up was not imported: Apus has no such option; remove it if the request works without it",
        "curl option --hsts was not imported: Apus has no such option; remove it if the request works without it",
        "curl option -C was not imported: Apus has no such option; remove it if the request works without it",
        "curl option -m was not imported: pass --timeout to Apus",
      ]
    ),
    (
      "curl https://a.example -K hush.cfg -d '{ a }' --max-time",
      [
        "curl option -K was not imported: add the options in that file to the command",
        "curl option --max-time was not imported: its value is missing",
      ]
    ),
    (
      "curl https://a.example -H \"X: ${X:-hush}\" -d '{ a }' --cacert ca.pem --cert c.pem",
      [
        "curl option --cacert was not imported: pass --cacert to Apus",
        "curl option --cert was not imported: pass --cert and --key to Apus", "no value for {{X}}",
      ]
    ),
  ])
  func `unsupported options are named without their values`(_ text: String, _ leftOut: [String]) throws {
    var collection = ImportedCollection()
    try collection.add(UntrustedText(text), named: "")
    #expect(ImportedRequests(collection).leftOutOfOne == leftOut)
  }

  @Test(arguments: ["GRAPHQL /graphql", "POST /graphql HTTP/1.1\nX-REQUEST-TYPE: GraphQL"])
  func `a file that names its host in a field is read whole`(start: String) throws {
    let text = "\(start)\nHost: a.example\n\n{ a }\n"
    let request = try #require(RequestDraft(importing: text))
    #expect(request.url == "http://a.example/graphql" && request.query == "{ a }")
  }

  @Test(arguments: [
    "curl -X GET 'http://h/graphql?query=%7Ba%7D'", "curl -G http://h/graphql --data-urlencode 'query={a}'",
    "GET http://h/graphql?query=%7Ba%7D\n", "fetch(\"http://h/graphql?query=%7Ba%7D\", {\"method\": \"GET\"})",
  ])
  func `a request by GET stays one`(text: String) throws {
    var collection = ImportedCollection()
    try collection.add(UntrustedText(text), named: "")
    let requests = ImportedRequests(collection)
    let request = try #require(requests.requests.first?.draft)
    #expect(request.options.usesGET && request.query == "{a}" && requests.leftOut.isEmpty, "\(requests.leftOut)")
    var copied = request
    copied.headers += [.init(name: "Apollo-Require-Preflight", value: SecretText(literal: "true"))]
    copied.headers += [.init(name: "GraphQL-Preflight", value: SecretText(literal: "1"))]
    for text in [request.curlCommand, request.httpFile] {
      #expect(try #require(RequestDraft(importing: text)) == copied, "\(text)")
    }
  }

  @Test func `a query whose URL would be too long is sent by POST`() {
    var request = RequestDraft(url: "http://h/graphql", query: "{ a(s: \"\(String(repeating: "x", count: 9000))\") }")
    request.options.usesGET = true
    #expect(request.curlCommand.contains("--data-raw") && request.httpFile.hasPrefix("POST "))
  }

  @Test func `a request keeps its extensions but for a digest`() throws {
    var request = RequestDraft(url: "http://h/graphql", query: "{ a }", variables: #"{"x":1}"#)
    request.extensions = #"{"trace":{"id":7}}"#
    for text in [request.curlCommand, request.httpFile] {
      #expect(try #require(RequestDraft(importing: text)).extensions == request.extensions)
    }
    let digest = #"curl http://h/graphql -d '{"query":"{ a }","extensions":{"persistedQuery":{"version":1},"a":1}}'"#
    #expect(try #require(RequestDraft(importing: digest)).extensions == #"{"a":1}"#)
    let url = "curl 'http://h/graphql?query=%7Ba%7D&extensions=%7B%22a%22%3A1%7D&key=k'"
    let inURL = try #require(RequestDraft(importing: url))
    #expect(inURL.extensions == #"{"a":1}"# && inURL.url == "http://h/graphql?key=k")
    #expect(inURL.options == RunOptions(usesGET: true))
  }
}
