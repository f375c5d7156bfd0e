import ApusClientFormats
import ApusJSON
import ApusSecrets
import Testing

@Suite struct RequestExchangeTests {
  @Test func whatIsExportedAsCurlIsImportedAsTheSame() throws {
    let request = SharedRequest(
      url: "https://birds.example/graphql?x=1",
      headers: [.init(name: "X-Ring", value: SecretText(literal: "it's \"1\""))],
      query: "query A($n: Int) {\n  birds(first: $n, name: \"it's\") { id }\n}", variables: "{\n  \"n\": 2\n}",
      operationName: "A")
    #expect(SharedRequest(importing: ForeignText(request.curlCommand)) == request)
    #expect(SharedRequest(importing: ForeignText(request.httpFile)) == request)
  }

  @Test func aCurlCommandOfABrowser() throws {
    let text = #"""
      curl --compressed -X POST 'https://a.example/' -H 'Content-Type: application/json' -b 'sid=1' --data-raw $'{"query":"{ a(b: \'c\') }\\n"}'
      """#
    let request = try #require(SharedRequest(importing: ForeignText(text)))
    #expect(request.url == "https://a.example/")
    #expect(request.headers == [.init(name: "Cookie", value: SecretText(literal: "sid=1"))])
  }

  @Test func anHTTPFileInTheFormOfEditors() throws {
    let text =
      "### Birds\nPOST https://a.example/graphql\nX-REQUEST-TYPE: GraphQL\nK: v\n\nquery ($n: Int) {\n  a(n: $n)\n}\n\n{\"n\": 1}\n"
    let request = try #require(SharedRequest(importing: ForeignText(text)))
    #expect(request.query == "query ($n: Int) {\n  a(n: $n)\n}")
    #expect(request.headers == [.init(name: "K", value: SecretText(literal: "v"))])
  }

  @Test func anApusCommandKeepsWhatTheShellFillsIn() throws {
    let request = SharedRequest(
      url: "https://a.example", headers: [.init(name: "Authorization", value: try SecretText("Bearer $TOKEN"))],
      query: "{ a }")
    #expect(
      request.apusCommand
        == "apus query https://a.example \\\n  --header \"Authorization: Bearer $TOKEN\" \\\n  -q '{ a }'\n")
  }

  @Test func whatWasImportedStaysText() throws {
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
  func whatIsNoRequestIsRefused(_ text: String) {
    #expect(SharedRequest(importing: ForeignText(text)) == nil)
  }
}
