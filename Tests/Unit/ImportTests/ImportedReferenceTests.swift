import ApusClientFormats
import ApusClientImports
import ApusClientRequests
import ApusJSON
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

  /// The rows of the table of `ReferenceNames`: the values of the file, the text of each place, and what remains of it.
  @Test func `a variable with a value is a reference unless its value is needed in the text`() throws {
    /// Imports a Postman collection; returns its texts (query, variables, header, URL) and the names with the file's values.
    func texts(
      _ values: [String: String], query: String = "{ a }", variables: String = "{}", header: String = "",
      url: String = "https://a.example/g", auth: String = ""
    ) throws -> (texts: [String], names: [String]) {
      func quoted(_ text: String) -> String { JSONWriter.compact(JSONValue(text)) }
      let list = values.map { #"{"key":\#(quoted($0)),"value":\#(quoted($1))}"# }.joined(separator: ",")
      let body =
        #"{"mode":"graphql","graphql":{"query":\#(quoted(query)),"variables":\#(quoted(variables))}}"#
      let draft = try imported(
        #"{"info":{"schema":"/collection/v2.1.0"},"variable":[\#(list)],"item":[{"name":"A","request":{"method":"POST",\#(auth)"#
          + #""header":[{"key":"X","value":\#(quoted(header))}],"body":\#(body),"url":{"raw":\#(quoted(url))}}}]}"#,
        named: "a.json")
      let names = draft.options.references.filter { $0.source == .file }
      #expect(names.allSatisfy { $0.value == values[$0.name] })
      let last = draft.headers.map(\.text).last ?? ""
      return ([draft.query.text, draft.variables.text, last, draft.url], names.map(\.name))
    }
    // In strings, headers and URLs.
    var found = try texts(
      ["w": "no \"th\"", "h": "b.example"], query: "query ($w: String) { a(w: $w, h: \"{{h}}\") }",
      variables: #"{"w": "{{w}}!"}"#, header: "x {{w}} {{h}}", url: "https://{{h}}/g")
    #expect(found.names == ["h", "w"])
    #expect(
      found.texts == [
        "query ($w: String) { a(w: $w, h: \"{{h}}\") }", #"{"w": "{{w}}!"}"#, "x {{w}} {{h}}", "https://{{h}}/g",
      ])
    // Also outside of strings: the value is written everywhere.
    found = try texts(["n": "3"], query: "{ a(n: {{n}}, s: \"{{n}}\") }", variables: #"{"n": "{{n}}"}"#)
    #expect(found.names.isEmpty && found.texts[0] == "{ a(n: 3, s: \"3\") }" && found.texts[1] == #"{"n": "3"}"#)
    found = try texts(["n": "3"], variables: #"{"n": {{n}}, "s": "{{n}}"}"#)
    #expect(found.names.isEmpty && found.texts[1] == #"{"n": 3, "s": "3"}"#)
    // In basic authentication, whose parts are encoded together.
    found = try texts(
      ["user": "me"], header: "{{user}}",
      auth: #""auth":{"type":"basic","basic":[{"key":"username","value":"{{user}}"},{"key":"password","value":"p"}]},"#)
    #expect(found.names.isEmpty && ["Basic bWU6cA==", "me"].contains(found.texts[2]))
    // A value that has variables.
    found = try texts(["base": "https://{{h}}", "h": "b.example"], url: "{{base}}/g")
    #expect(found.names == ["h"] && found.texts[3] == "https://{{h}}/g")
    // Values that are not the same text in each place.
    for (value, query, header) in [
      ("a\"b", "{ a(w: \"{{w}}\") }", ""), ("a\nb", "{ a }", "{{w}}"), ("{{}}", "{ a }", "{{w}}"),
      ("a\\nb", "{ a(w: \"{{w}}\") }", ""),
    ] {
      found = try texts(["w": value], query: query, header: header)
      #expect(found.names.isEmpty && !found.texts.contains { $0.contains("{{w}}") }, "\(value): \(found)")
    }
  }

  @Test func `each request of a file has the values that the file gives it`() throws {
    var collection = ImportedCollection()
    try collection.add(
      UntrustedText(
        "W=north\ncurl https://a.example -H \"X: $W\" -d '{\"query\":\"{ a }\"}'\n"
          + "W=south\ncurl https://a.example -H \"X: $W\" -d '{\"query\":\"{ a }\"}'\n"), named: "a.sh")
    let drafts = ImportedRequests(collection).requests.map(\.draft)
    #expect(drafts.map { $0.headers.map(\.text) } == [["{{W}}"], ["{{W}}"]])
    #expect(drafts.map { $0.options.references.map(\.value) } == [["north"], ["south"]])
    let folder = ImportedFolder(collection, from: "a.sh")
    let configuration = try #require(folder.files.first { $0.path == ".graphqlrc.yml" }?.text)
    #expect(configuration.contains("north") && configuration.contains("south"), "\(configuration)")
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
      curl.contains("'https://'\"${HOST:?}\"'/graphql'") && curl.contains("\"t\":\"'\"${TOKEN_JSON:?}\"'\""), "\(curl)")
    #expect(curl.contains("\"n\":'\"${N:?}\"'") && curl.contains("\"l\":\"{{x}}\""), "\(curl)")
    #expect(curl.contains("X: a $TOKEN {{x}}") || curl.contains("X: a ${TOKEN} {{x}}"), "\(curl)")
    let file = draft.httpFile
    #expect(file.contains("POST https://{{HOST}}/graphql") && file.contains("X: a {{TOKEN}} \\{{x}}"), "\(file)")
    #expect(
      file.contains(#""t": "{{TOKEN_JSON}}""#) && file.contains(#""n": {{N}}"#) && file.contains(#""l": "\{{x}}""#),
      "\(file)")
    #expect(draft.environmentNames == ["HOST", "TOKEN", "TOKEN_JSON", "N"])
    #expect(draft.environmentNamesInJSON == ["TOKEN_JSON", "N"])
  }

  /// The environment variables of a reference, by its places: the same one only if the values have the same form.
  @Test func `a reference in texts with other escapes has another environment variable`() {
    var draft = self.draft
    draft.query = #"{ a(b: "{{token}}") }"#
    #expect(draft.environmentNames == ["HOST", "TOKEN", "TOKEN_JSON", "N", "TOKEN_DOCUMENT"])
    // A command takes a variable that is only a reference as any text, and a part of JSON with escapes.
    draft.query = "query Q($t: String) { a(t: $t) }"
    draft.variables = #"{"t":"{{token}}"}"#
    #expect(draft.apusCommand.contains(#"--var t="${TOKEN:?}""#), "\(draft.apusCommand)")
    #expect(draft.environmentNamesOfCommand == ["HOST", "TOKEN"] && draft.environmentNamesInJSONOfCommand.isEmpty)
    draft.variables = #"{"t":"{{token}}","in":{"u":"<{{token}}>"}}"#
    #expect(!draft.apusCommand.contains("--var t="), "\(draft.apusCommand)")
    #expect(draft.environmentNamesInJSONOfCommand == ["TOKEN_JSON"])
    // A variable of the user's environment is another one than that of a reference.
    draft.headers = [.init(name: "X", value: SecretText(parts: [.variable("TOKEN")]))]
    #expect(draft.environmentNames.contains("TOKEN_2"), "\(draft.curlCommand)")
  }

  @Test func `secrets of a file are values of references, and encode basic authentication`() throws {
    let environment =
      #""variable":[{"key":"pass","value":"hush","type":"secret"},{"key":"key","value":"","type":"secret"}]"#
    let auth =
      #""auth":{"type":"basic","basic":[{"key":"username","value":"me"},{"key":"password","value":"{{pass}}"}]}"#
    let body = #"{"mode":"graphql","graphql":{"query":"{ a(p: \"{{pass}}\", k: \"{{key}}\") }"}}"#
    let draft = try imported(
      #"{"info":{"schema":"/collection/v2.1.0"},\#(environment),"item":[{"name":"A","request":{"method":"POST",\#(auth),"#
        + #""body":\#(body),"url":{"raw":"https://a.example/g"}}}]}"#, named: "a.json")
    #expect(draft.headers.map(\.text) == ["Basic bWU6aHVzaA=="] && draft.query.text.contains("{{pass}}"))
    #expect(
      draft.options.references == [.init(name: "key"), .init(name: "pass", value: "hush", source: .secretOfFile)])
  }

  @Test func `a copied upload with environment variables keeps the types of its fields`() throws {
    var draft = RequestDraft(
      url: "https://a.example/g", query: "mutation M($f: Upload!, $t: String) { a(f: $f, t: $t) }",
      variables: #"{"f":"a.png","t":"$x `y` \\ {{token}}"}"#)
    draft.options.references = [.init(name: "token")]
    draft.uploads = [.init(variablePath: "f", path: "a.png")]
    let curl = draft.curlCommand
    #expect(!curl.contains("--form-string") && curl.contains("-F 'operations=<-;type=application/json'"), "\(curl)")
    #expect(curl.contains(" <<EOF\n{") && curl.hasSuffix("}\nEOF\n"), "\(curl)")
    #expect(curl.contains(#""t":"\$x \`y\` \\\\ ${TOKEN:?}""#), "\(curl)")
    let again = try imported(curl, named: "a.sh")
    #expect(again.variables.text.contains("$x `y` \\\\ {{TOKEN}}"), "\(again.variables.text)")
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
