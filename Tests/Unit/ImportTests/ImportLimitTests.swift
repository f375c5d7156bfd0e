import ApusClientRequests
import ApusSecrets
import Testing

@testable import ApusClientImports

/// Limits for imported files. `Tests/Stress/Steps` counts the steps of the readers without a limit.
struct ImportLimitTests {
  private func folder(_ name: String, _ text: String) throws -> ImportedFolder {
    var collection = ImportedCollection()
    try collection.add(UntrustedText(text), named: name)
    return ImportedFolder(collection, from: "them")
  }

  private static func postman(_ items: some Sequence<String>, _ more: String = "") -> String {
    "{\"info\": {\"schema\": \"https://schema.getpostman.com/json/collection/v2.1.0/collection.json\"}, \(more)"
      + "\"item\": [\(items.joined(separator: ","))]}"
  }

  private static func request(_ name: String, url: String = "http://h/", headers: String = "", query: String) -> String
  {
    "{\"name\": \"\(name)\", \"request\": {\"method\": \"POST\", \"url\": \"\(url)\", \"header\": [\(headers)],"
      + " \"body\": {\"mode\": \"graphql\", \"graphql\": {\"query\": \"\(query)\"}}}}"
  }

  @Test func `nested variables are expanded up to a limit`() throws {
    let values = (0..<8).map { level in
      "{\"key\": \"k\(level)\", \"value\": \"\(String(repeating: "{{k\(level + 1)}}", count: 40))\"}"
    }
    let text = Self.postman(
      [Self.request("r", query: "{ {{k0}} }")], "\"variable\": [\(values.joined(separator: ","))],")
    let files = try folder("x.json", text).files
    #expect((1 << 16..<1 << 24).contains(try #require(files.last).text.utf8.count))
  }

  @Test func `with too many requests only the first environment is imported`() throws {
    var collection = ImportedCollection()
    for number in 0..<1_100 {
      collection.environments.append(.init(name: "e\(number)", values: [.init(name: "h", text: "http://h\(number)/")]))
      collection.requests.append(.init(name: "r\(number)", draft: RequestDraft(url: "{{h}}", query: "{ a }")))
    }
    let folder = ImportedFolder(collection, from: "them")
    #expect(folder.notes.contains("all environments except 'e0', because there are too many"))
    #expect(try #require(folder.files.first).text.contains("http://h0/"))
    #expect(try #require(folder.files.first).text.contains("http://h1/") == false)
  }

  @Test func `folders are imported up to a depth`() throws {
    var item = Self.request("r", query: "{ a }")
    for _ in 0..<40 { item = "{\"name\": \"f\", \"item\": [\(item)]}" }
    let result = try folder("x.json", Self.postman([Self.request("top", query: "{ a }"), item]))
    #expect(result.files.map(\.path) == [".graphqlrc.yml", "top.graphql"])
    #expect(result.notes.contains { $0.hasSuffix("folders nested more than 32 levels deep") })
  }

  @Test func `a long name is shortened`() throws {
    let flags = String(repeating: "\u{1F1E9}\u{1F1EA}", count: 50_000)
    let result = try folder("x.json", Self.postman([Self.request(flags, query: "{ a }")]))
    #expect(try #require(result.files.last).path.utf8.count < 140)
  }

  /// Forty lines that each double the text before would be a terabyte.
  @Test func `variables of a script that multiply are filled in up to a limit`() throws {
    var lines = ["const a0 = `{ a }`;"]
    for number in 1...40 { lines.append("const a\(number) = `${a\(number - 1)}${a\(number - 1)}`;") }
    lines.append("fetch('http://h/', {method: 'POST', body: JSON.stringify({query: a40})});")
    var collection = ImportedCollection()
    try collection.add(UntrustedText(lines.joined(separator: "\n")), named: "x.js")
    #expect(collection.skipped == 1 && collection.requests.isEmpty)
  }
}
