import ApusClientFormats
import ApusClientImports
import ApusClientRequests
import ApusSecrets
import Testing

/// References and literal braces of imported requests, and copies of them.
struct ImportedReferenceTests {
  private func imported(_ text: String, named name: String = "text") throws -> RequestDraft {
    var collection = ImportedCollection()
    try collection.add(UntrustedText(text), named: name)
    return try #require(ImportedRequests(collection).requests.first?.draft)
  }

  /// The rows of the table of imports: the text, the names of its references, and the variables as they are in the tab.
  @Test(arguments: [
    (#"curl https://a.example -d "{\"query\":\"{ a }\",\"variables\":{\"t\":\"$TOKEN\"}}""#, ["TOKEN"], "{{TOKEN}}"),
    (#"curl https://a.example -d '{"query":"{ a }","variables":{"t":"$TOKEN"}}'"#, [], "$TOKEN"),
    (#"curl https://a.example -d '{"query":"{ a }","variables":{"t":"{{x}}"}}'"#, [], "{{x}}"),
    (
      #"curl https://a.example -H "X: $x" -d '{"query":"{ a }","variables":{"t":"{{x}}"}}'"#, ["x"],
      #"\{{x}}"#
    ),
    ("POST https://a.example\n\n{\"query\":\"{ a }\",\"variables\":{\"t\":\"{{x}}\"}}", ["x"], "{{x}}"),
    ("POST https://a.example\n\n{\"query\":\"{ a }\",\"variables\":{\"t\":\"\\{{x}}\"}}", [], "{{x}}"),
    (
      #"fetch("https://a.example", {method: "POST", body: JSON.stringify({query: "{ a }", variables: {t: x}})})"#,
      ["x"], "{{x}}"
    ),
    (
      #"fetch("https://a.example", {method: "POST", body: JSON.stringify({query: "{ a }", variables: {t: "{{x}}"}})})"#,
      [],
      "{{x}}"
    ),
    (
      #"{"log":{"entries":[{"request":{"method":"POST","url":"https://a.example","headers":[],"postData":"#
        + #"{"text":"{\"query\":\"{ a }\",\"variables\":{\"t\":\"{{x}} $y\"}}"}}}]}}"#, [], "{{x}} $y"
    ),
  ])
  func `the format decides which text is a reference`(text: String, names: [String], variable: String) throws {
    let draft = try imported(text, named: text.hasPrefix("{\"log") ? "a.har" : "text")
    #expect(draft.options.references.map(\.name) == names)
    #expect(draft.variables.text.contains("\"\(variable)\""), "\(draft.variables.text)")
  }

  private var draft: RequestDraft {
    var draft = RequestDraft(
      url: "https://{{host}}/graphql", query: "{ a }", variables: #"{"t":"{{token}}","n":{{n}},"l":"{{x}}"}"#)
    draft.headers = [.init(name: "X", untrusted: "a {{token}} {{x}}")]
    draft.options.references = ["host", "n", "token"].map { .init(name: $0) }
    return draft
  }

  @Test func `copies write references in the form of their target`() {
    let curl = draft.curlCommand
    #expect(
      curl.contains("'https://'\"${HOST:?}\"'/graphql'") && curl.contains("\"t\":\"'\"${TOKEN:?}\"'\""), "\(curl)")
    #expect(curl.contains("\"n\":'\"${N:?}\"'") && curl.contains("\"l\":\"{{x}}\""), "\(curl)")
    #expect(curl.contains("X: a $TOKEN {{x}}") || curl.contains("X: a ${TOKEN} {{x}}"), "\(curl)")
    let file = draft.httpFile
    #expect(file.contains("POST https://{{HOST}}/graphql") && file.contains("X: a {{TOKEN}} \\{{x}}"), "\(file)")
    #expect(
      file.contains(#""t": "{{TOKEN}}""#) && file.contains(#""n": {{N}}"#) && file.contains(#""l": "\{{x}}""#),
      "\(file)")
    #expect(Set(draft.environmentNames) == ["HOST", "N", "TOKEN"])
  }

  @Test func `an HTTP file with escaped braces is imported as it was exported`() throws {
    var draft = RequestDraft(
      url: "https://a.example/g", query: #"{ a(b: "{{x}}") }"#, variables: #"{"t":"{{y}}"}"#)
    draft.headers = [.init(name: "X", untrusted: "{{z}}")]
    let again = try imported(draft.httpFile, named: "a.http")
    #expect(again.query == draft.query && again.options.references.isEmpty)
    #expect(again.headers.map(\.text) == ["{{z}}"])
    #expect(again.variables.text.contains("{{y}}"))
  }
}
