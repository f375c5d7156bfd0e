import ApusClientFormats
import ApusClientImports
import ApusJSON
import ApusSecrets
import Testing

extension RequestExport {
  /// The first request in a text.
  init?(importing text: String) {
    var collection = ImportedCollection()
    guard (try? collection.add(UntrustedText(text), named: "")) != nil,
      let request = ImportedRequests(collection).entries.first?.request
    else { return nil }
    self = request
  }
}

@Suite struct RequestExchangeTests {
  @Test func anExportedRequestIsImportedUnchanged() throws {
    let request = RequestExport(
      url: "https://birds.example/graphql?x=1",
      headers: [.init(name: "X-Ring", value: SecretText(literal: "it's \"1\""))],
      query: "query A($n: Int) {\n  birds(first: $n, name: \"it's\") { id }\n}", variables: "{\n  \"n\": 2\n}",
      operationName: "A")
    #expect(RequestExport(importing: request.curlCommand) == request)
    #expect(RequestExport(importing: request.httpFile) == request)
  }

  /// For Swift, a blank or a colon is one character with a combining mark after it; for programs and servers it is not.
  @Test func whatBeginsWithACombiningMarkIsReadBack() throws {
    let request = RequestExport(
      url: "\u{301}ic://birds.example/", headers: [.init(name: "X-Ring", value: SecretText(literal: "\u{301}1"))],
      query: "{ a }")
    #expect(RequestExport(importing: request.curlCommand) == request)
    #expect(RequestExport(importing: request.httpFile) == request)
  }

  @Test(arguments: ["-x", "|", "--data"])
  func aURLThatLooksLikeAnotherWordIsReadBack(_ url: String) {
    let request = RequestExport(url: url, query: "{ a }")
    #expect(RequestExport(importing: request.curlCommand)?.url == "http://\(url)")
  }

  @Test func anHTTPFileInTheFormOfEditors() throws {
    let text =
      "### Birds\nPOST https://a.example/graphql\nX-REQUEST-TYPE: GraphQL\nK: v\n\nquery ($n: Int) {\n  a(n: $n)\n}\n\n{\"n\": 1}\n"
    let request = try #require(RequestExport(importing: text))
    #expect(request.query == "query ($n: Int) {\n  a(n: $n)\n}")
    #expect(request.headers == [.init(name: "K", value: SecretText(literal: "v"))])
  }

  @Test func `variables of headers are variables of an HTTP file`() throws {
    let request = RequestExport(
      url: "https://a.example/graphql",
      headers: [
        .init(name: "Authorization", value: try SecretText("Bearer $TOKEN")),
        .init(name: "X-Price", value: SecretText(literal: "$5")),
      ], query: "{ a }")
    let lines = request.httpFile.split(separator: "\n")
    #expect(lines.contains("Authorization: Bearer {{TOKEN}}") && lines.contains("X-Price: $5"))
    #expect(RequestExport(importing: request.httpFile)?.headers.count == 2)
  }

  @Test func anApusCommandKeepsVariablesOfTheShell() throws {
    let request = RequestExport(
      url: "https://a.example", headers: [.init(name: "Authorization", value: try SecretText("Bearer $TOKEN"))],
      query: "{ a }")
    #expect(
      request.apusCommand
        == "apus query https://a.example \\\n  --header \"Authorization: Bearer $TOKEN\" \\\n  -q '{ a }'\n")
  }

  @Test func importedValuesStayText() throws {
    let text = "curl https://a.example -H 'X: `id` $(id) \"$HOME\"' -d '{ a }'"
    let request = try #require(RequestExport(importing: text))
    #expect(request.headers.map(\.value.isLive) == [false])
    #expect(request.curlCommand.contains("-H 'X: `id` $(id) \"$HOME\"'"))
    let folded = "curl https://a.example -H $'X: a\\nY: $(id)' -d '{ a }'"
    #expect(
      RequestExport(importing: folded)?.headers == [
        .init(name: "X", value: SecretText(literal: "a Y: $(id)"))
      ])
  }

  @Test(arguments: [
    "", "wget x", "curl", "curl https://a.example -d nothing", "GET", "curl https://a.example -d @body.json",
  ])
  func otherTextIsRefused(_ text: String) {
    #expect(RequestExport(importing: text) == nil)
  }

  // MARK: What curl's options mean

  @Test(arguments: [
    (
      "curl -k --proxy http://u:hush@p https://a.example -d '{ a }' | jq .data",
      ["-k", "--proxy", "commands other than curl: jq"]
    ),
    ("curl --digest -u ada https://a.example -d '{ a }'", ["--digest", "-u (the password, for which curl prompts)"]),
    ("curl https://a.example -d '{ a }' -b jar.txt -H @h.txt", ["-b", "-H @h.txt"]),
    ("curl https://a.example -X PUT -d '{ a }'", ["PUT (the request is sent with POST)"]),
    ("curl https://a.example -d '{ a }' -d @b.json", ["-d @b.json (a file that is not read)"]),
    (
      "curl https://a.example -H \"X: $(id -u)\" -d '{ a }'",
      ["$(id -u) is not evaluated", "commands other than curl: id"]
    ),
    ("curl https://a.example -d '{ a }' --made-up https://b.example?t=1", ["--made-up", "https://b.example"]),
  ])
  func unsupportedOptionsAreNamedWithoutTheirValues(_ text: String, _ leftOut: [String]) throws {
    var collection = ImportedCollection()
    try collection.add(UntrustedText(text), named: "")
    #expect(ImportedRequests(collection).leftOutOfOne == leftOut)
  }

  @Test(arguments: ["GRAPHQL /graphql", "POST /graphql HTTP/1.1\nX-REQUEST-TYPE: GraphQL"])
  func aFileThatNamesItsHostInAFieldIsReadWhole(start: String) throws {
    let text = "\(start)\nHost: a.example\n\n{ a }\n"
    let request = try #require(RequestExport(importing: text))
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
    let request = try #require(requests.entries.first?.request)
    #expect(request.usesGET && request.query == "{a}" && requests.leftOut.isEmpty, "\(requests.leftOut)")
    for text in [request.curlCommand, request.httpFile] {
      #expect(try #require(RequestExport(importing: text)) == request, "\(text)")
    }
  }

  @Test func `a query whose URL would be too long is sent by POST`() {
    var request = RequestExport(url: "http://h/graphql", query: "{ a(s: \"\(String(repeating: "x", count: 9000))\") }")
    request.usesGET = true
    #expect(request.curlCommand.contains("--data-raw") && request.httpFile.hasPrefix("POST "))
  }

  @Test func aRequestKeepsItsExtensionsButForADigest() throws {
    var request = RequestExport(url: "http://h/graphql", query: "{ a }", variables: #"{"x":1}"#)
    request.extensions = #"{"trace":{"id":7}}"#
    for text in [request.curlCommand, request.httpFile] {
      #expect(try #require(RequestExport(importing: text)).extensions == request.extensions)
    }
    let digest = #"curl http://h/graphql -d '{"query":"{ a }","extensions":{"persistedQuery":{"version":1},"a":1}}'"#
    #expect(try #require(RequestExport(importing: digest)).extensions == #"{"a":1}"#)
    let url = "curl 'http://h/graphql?query=%7Ba%7D&extensions=%7B%22a%22%3A1%7D&key=k'"
    let inURL = try #require(RequestExport(importing: url))
    #expect(inURL.extensions == #"{"a":1}"# && inURL.url == "http://h/graphql?key=k")
    #expect(inURL.usesGET && inURL.digest == nil)
  }
}
