import ApusJSON
import Testing

@testable import ApusClientTraffic

struct RequestContentTests {
  private static func content(
    _ method: String, _ target: String = "/graphql", _ type: String? = "application/json", _ body: String = ""
  ) -> RequestContent {
    RequestContent(method: method, target: target, contentType: type, body: Array(body.utf8))
  }

  private static let form = """
    --x\r
    Content-Disposition: form-data; name="operations"\r
    \r
    {"query":"{ a }","variables":{"f":null}}\r
    --x\r
    Content-Disposition: form-data; name="0"; filename="a"\r
    \r
    --y\r
    --x--\r

    """

  @Test(arguments: [
    ("GET", "/graphql?query=%7Ba%7D&operationName=A&variables=%7B%22b%22%3A1%7D", nil, "", "{a}"),
    ("HEAD", "/graphql?query={a}", nil, "", "{a}"), ("POST", "/graphql?query={a}", nil, "", "{a}"),
    ("POST", "/", "application/json", #"{"query":"{a}"}"#, "{a}"),
    ("POST", "/", "application/json; charset=utf-8", #"{"query":"{a}"}"#, "{a}"),
    ("POST", "/", nil, #"{"query":"{a}"}"#, "{a}"), ("POST", "/", "application/graphql", "{a}", "{a}"),
    ("POST", "/", "application/x-www-form-urlencoded", "query=%7Ba%7D", "{a}"),
    ("POST", "/", "multipart/form-data; boundary=x", form, "{ a }"),
  ])
  func `a document is recognized in each form of a request`(
    _ method: String, _ target: String, _ type: String?, _ body: String, _ query: String
  ) {
    let content = Self.content(method, target, type, body)
    #expect(content.operations.map(\.query) == [query])
    #expect(!content.isBatch)
  }

  @Test(arguments: [
    ("GET", "/graphql", nil, ""), ("OPTIONS", "/graphql?query={a}", nil, ""), ("POST", "/", "application/json", "{"),
    ("POST", "/", "application/json", #"{"query":"apples"}"#), ("POST", "/", "application/json", #"{"query":{"a":1}}"#),
    ("POST", "/", "application/json", #"{"id":"5"}"#), ("POST", "/", "application/json", "[]"),
    ("POST", "/", "application/json", #"[{"query":"{a}"},1]"#), ("POST", "/", "text/plain", "{a}"),
    ("POST", "/", "multipart/form-data; boundary=x", "--x\r\n\r\nabc\r\n--x--"),
    ("GET", "/search?query=apples", nil, ""),
    ("POST", "/", "multipart/form-data; boundary=x", "--x"),
  ])
  func `other requests have no operation`(_ method: String, _ target: String, _ type: String?, _ body: String) {
    #expect(Self.content(method, target, type, body).operations.isEmpty)
  }

  @Test func `a batch has all its operations`() {
    let content = Self.content(
      "POST", "/", "application/json", #"[{"query":"{a}"},{"query":"{b}","operationName":""}]"#)
    #expect(content.operations.map(\.query) == ["{a}", "{b}"])
    #expect(content.operations[1].operationName == nil)
    #expect(content.isBatch)
  }

  @Test(arguments: [
    (#"{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"h"}}}"#, "h"),
    (#"{"documentId":"sha256:d"}"#, "sha256:d"),
    (#"{"doc_id":"r","variables":{}}"#, "r"), (#"{"id":"i","variables":{}}"#, "i"),
    (#"{"query":"","queryId":"q"}"#, "q"),
  ])
  func `a hash or an id replaces a document`(_ body: String, _ id: String) {
    let content = Self.content("POST", "/", "application/json", body)
    #expect(content.operations.map(\.documentID) == [id])
    #expect(content.operations[0].query == nil)
  }

  @Test func `a hash in a URL replaces a document`() {
    let target = "/graphql?extensions=%7B%22persistedQuery%22%3A%7B%22sha256Hash%22%3A%22h%22%7D%7D"
    #expect(Self.content("GET", target, nil).operations.first?.documentID == "h")
  }

  @Test func `variables are an object, also if they are sent as a string`() throws {
    let body = #"{"query":"{a}","variables":"{\"b\":1}"}"#
    #expect(Self.content("POST", "/", "application/json", body).operations.first?.variables["b"]?.int == 1)
    let list = Self.content("POST", "/", "application/json", #"{"query":"{a}","variables":[1]}"#)
    #expect(list.operations.first?.variables == .object([]))
  }
}
