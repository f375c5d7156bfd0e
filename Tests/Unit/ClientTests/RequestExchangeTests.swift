import ApusClientFormats
import ApusJSON
import ApusSecrets
import Testing

@Suite struct RequestExchangeTests {
  @Test func aRequestExportedToCurlIsImportedUnchanged() throws {
    let request = SharedRequest(
      url: "https://birds.example/graphql?x=1",
      headers: [.init(name: "X-Ring", value: SecretText(literal: "it's \"1\""))],
      query: "query A($n: Int) {\n  birds(first: $n, name: \"it's\") { id }\n}", variables: "{\n  \"n\": 2\n}",
      operationName: "A")
    #expect(SharedRequest(importing: ForeignText(request.curlCommand)) == request)
    #expect(SharedRequest(importing: ForeignText(request.httpFile)) == request)
  }

  /// Swift treats a space or a colon and a following combining mark as one character; programs and servers do not.
  @Test func valuesStartingWithACombiningMarkAreImported() throws {
    let request = SharedRequest(
      url: "\u{301}ic://birds.example/", headers: [.init(name: "X-Ring", value: SecretText(literal: "\u{301}1"))],
      query: "{ a }")
    #expect(SharedRequest(importing: ForeignText(request.curlCommand)) == request)
    #expect(SharedRequest(importing: ForeignText(request.httpFile)) == request)
  }

  @Test(arguments: ["-x", "|", "--data"])
  func aURLThatResemblesAnOptionIsImported(_ url: String) {
    let request = SharedRequest(url: url, query: "{ a }")
    #expect(SharedRequest(importing: ForeignText(request.curlCommand)) == request)
  }

  @Test func aCurlCommandOfABrowserIsImported() throws {
    let text = #"""
      curl --compressed -X POST 'https://a.example/' -H 'Content-Type: application/json' -b 'sid=1' --data-raw $'{"query":"{ a(b: \'c\') }\\n"}'
      """#
    let request = try #require(SharedRequest(importing: ForeignText(text)))
    #expect(request.url == "https://a.example/")
    #expect(request.headers == [.init(name: "Cookie", value: SecretText(literal: "sid=1"))])
  }

  @Test func anHTTPFileOfEditorsIsImported() throws {
    let text =
      "### Birds\nPOST https://a.example/graphql\nX-REQUEST-TYPE: GraphQL\nK: v\n\nquery ($n: Int) {\n  a(n: $n)\n}\n\n{\"n\": 1}\n"
    let request = try #require(SharedRequest(importing: ForeignText(text)))
    #expect(request.query == "query ($n: Int) {\n  a(n: $n)\n}")
    #expect(request.headers == [.init(name: "K", value: SecretText(literal: "v"))])
  }

  @Test func anApusCommandKeepsShellVariables() throws {
    let request = SharedRequest(
      url: "https://a.example", headers: [.init(name: "Authorization", value: try SecretText("Bearer $TOKEN"))],
      query: "{ a }")
    #expect(
      request.apusCommand
        == "apus query https://a.example \\\n  --header \"Authorization: Bearer $TOKEN\" \\\n  -q '{ a }'\n")
  }

  @Test func importedShellSyntaxIsLiteral() throws {
    let text = "curl https://a.example -H 'X: `id` $(id) \"$HOME\"' -d '{ a }'"
    let request = try #require(SharedRequest(importing: ForeignText(text)))
    #expect(request.headers.map(\.value.isLive) == [false])
    #expect(request.curlCommand.contains("-H 'X: `id` $(id) \"$HOME\"'"))
    let folded = "curl https://a.example -H $'X: a\\nY: $(id)' -d '{ a }'"
    #expect(
      SharedRequest(importing: ForeignText(folded))?.headers == [
        .init(name: "X", value: SecretText(literal: "a Y: $(id)"))
      ])
  }

  @Test(arguments: ["", "wget x", "curl", "curl https://a.example -d nothing", "GET"])
  func invalidRequestsAreRejected(_ text: String) {
    #expect(SharedRequest(importing: ForeignText(text)) == nil)
  }

  // MARK: curl options

  private func imported(_ text: String) throws -> SharedRequest {
    try #require(SharedRequest(importing: ForeignText(text)), "this is not read: \(text)")
  }

  @Test(arguments: [
    "curl -u ada:hush https://a.example -d '{ a }'", "curl -uada:hush https://a.example -d '{ a }'",
    "curl -sSu ada:hush https://a.example -d '{ a }'", "curl --user ada:hush https://a.example -d '{ a }'",
  ])
  func theUserOptionBecomesAnAuthorizationHeader(_ text: String) throws {
    let request = try imported(text)
    #expect(
      request.headers == [.init(name: "Authorization", value: SecretText(literal: "Basic YWRhOmh1c2g="))])
    #expect(request.leftOut == [])
  }

  @Test(arguments: [
    "curl 'https://a.example/g?query=%7B%20a%20%7D&k=1&variables=%7B%22n%22%3A1%7D'",
    "curl -G 'https://a.example/g?k=1' --data-urlencode 'query={ a }' --data-urlencode 'variables={\"n\":1}'",
    "curl --get --url 'https://a.example/g?k=1' -d 'query=%7B+a+%7D&variables={\"n\":1}'",
    "GET https://a.example/g?k=1&query=%7B%20a%20%7D&variables=%7B%22n%22%3A1%7D",
  ])
  func aDocumentInTheURLIsImported(_ text: String) throws {
    let request = try imported(text)
    #expect(request.url == "https://a.example/g?k=1")
    #expect(request.query == "{ a }")
    #expect(request.variables == "{\n  \"n\": 1\n}")
  }

  @Test func formFieldsAreImported() throws {
    let request = try imported(
      "curl https://a.example --data-urlencode 'query=query Q { a(b: \"1&2\") }' -d operationName=Q")
    #expect(request.query == "query Q { a(b: \"1&2\") }")
    #expect(request.operationName == "Q")
  }

  @Test func jsonAndCookieOptionsAreImportedAndOthersIgnored() throws {
    let request = try imported(
      "curl --json '{\"query\":\"{ a }\"}' -b x=1 --cookie 'y=2' --compressed -sSLf https://a.example -o out.json")
    #expect(request.query == "{ a }")
    #expect(request.headers == [.init(name: "Cookie", value: SecretText(literal: "x=1; y=2"))])
    #expect(request.leftOut == [])
  }

  @Test func uploadedFilesBecomePathsInTheVariables() throws {
    let request = try imported(
      """
      curl https://a.example \\
        -F operations='{"query":"mutation A($f: [Upload!]!) { add(f: $f) }","variables":{"f":[null,null]}}' \\
        -F map='{"0":["variables.f.0"],"1":["variables.f.1"]}' -F '0=@a.png;type=image/png' -F 1=@b.png
      """)
    #expect(request.query == "mutation A($f: [Upload!]!) { add(f: $f) }")
    #expect(request.variables == "{\n  \"f\": [\n    \"a.png\",\n    \"b.png\"\n  ]\n}")
    #expect(request.leftOut == [])
  }

  @Test(arguments: [
    ("curl -k --proxy http://u:hush@p https://a.example -d '{ a }' | jq .data", ["-k", "--proxy", "| jq"]),
    ("curl --digest -u ada https://a.example -d '{ a }'", ["--digest", "-u (the password, which curl asks for)"]),
    ("curl https://a.example -d '{ a }' -b jar.txt -H @h.txt", ["-b", "-H @h.txt"]),
    ("curl https://a.example -X PUT -d '{ a }'", ["PUT (it is sent with POST)"]),
    ("curl https://a.example -d @body.json", ["-d @body.json (the body, which is in that file)"]),
    ("curl https://a.example -d '{ a }' --made-up https://b.example?t=1", ["--made-up", "https://b.example"]),
  ])
  func unsupportedOptionsAreListedWithoutValues(_ text: String, _ leftOut: [String]) throws {
    #expect(try imported(text).leftOut == leftOut)
  }

  @Test(arguments: ["GRAPHQL /graphql", "POST /graphql HTTP/1.1\nX-REQUEST-TYPE: GraphQL"])
  func anHTTPFileWithAHostHeaderIsImported(start: String) throws {
    let text = "\(start)\nHost: a.example\n\n{ a }\n"
    let request = try #require(SharedRequest(importing: ForeignText(text)))
    #expect(request.url == "http://a.example/graphql" && request.query == "{ a }")
  }
}
