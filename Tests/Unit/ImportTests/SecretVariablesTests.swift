import ApusClientFormats
import ApusClientImports
import ApusClientRequests
import ApusGraphQLLanguage
import ApusJSON
import ApusSecrets
import Testing

/// Secret literals of a document as variables, for imported files and copied requests.
@Suite struct SecretVariablesTests {
  @Test(arguments: [
    (#"{ a(password: "x") }"#, "query ($password: String!) { a(password: $password) }"),
    (#"mutation { a(password: "x") }"#, "mutation ($password: String!) { a(password: $password) }"),
    (#"mutation M { a(password: "x") }"#, "mutation M($password: String!) { a(password: $password) }"),
    (#"query Q($n: Int) { a(n: $n, token: "x") }"#, "query Q($n: Int, $token: String!) { a(n: $n, token: $token) }"),
    (#"query @d { a(pin: 12, b: 3) }"#, "query ($pin: Int!) @d { a(pin: $pin, b: 3) }"),
    (#"{ a(pin: -1.5) }"#, "query ($pin: Float!) { a(pin: $pin) }"),
    (#"{ a(in: {password: "x", n: "y"}) }"#, #"query ($password: String!) { a(in: {password: $password, n: "y"}) }"#),
    (#"{ a(tokens: ["x", "y"]) }"#, "query ($tokens: String!, $tokens2: String!) { a(tokens: [$tokens, $tokens2]) }"),
    (
      #"query ($password: Int) { a(p: $password, password: "x") }"#,
      "query ($password: Int, $password2: String!) { a(p: $password, password: $password2) }"
    ),
    (
      #"query ($password: String = "x", $n: Int) { a(p: $password) }"#,
      "query ($password: String, $n: Int) { a(p: $password) }"
    ),
    (#"query ($in: In = {password: "x"}) { a(in: $in) }"#, "query ($in: In) { a(in: $in) }"),
    (
      #"{ ...F } fragment F on Q { ...G } fragment G on Q { a(token: "x") }"#,
      "query ($token: String!) { ...F } fragment F on Q { ...G } fragment G on Q { a(token: $token) }"
    ),
    (#"query A { b } query B { a(token: "x") }"#, "query A { b } query B($token: String!) { a(token: $token) }"),
    (#"{ a(note: "Bearer abcdefgh12345678") }"#, "query ($note: String!) { a(note: $note) }"),
    (#"{ a(b: "c") }"#, #"{ a(b: "c") }"#),
  ])
  func `a secret literal becomes a variable of each operation that uses it`(document: String, expected: String) throws {
    let draft = Redactor(document: document).draft(document: DraftText(document))
    let extracted = try #require(SecretVariables(draft, original: document))
    #expect(extracted.document == expected)
    #expect(Document(parsing: extracted.document).diagnostics.isEmpty)
  }

  @Test func `a document with a syntax error has no variables`() {
    let draft = Redactor().draft(document: DraftText(#"{ a(password: "x" "#))
    #expect(SecretVariables(draft) == nil)
  }

  // MARK: Declared secrets

  @Test(arguments: [
    ("# secrets: password\nquery ($password: String) { a }", "{}", "password"),
    ("# secrets: password\nquery ($password: String) { a }", #"{"password":null}"#, "password"),
    ("# secrets: password\nquery ($password: String) { a }", #"{"password":"x"}"#, nil),
    ("# secrets: in.pin, token\nquery ($in: In, $token: String) { a }", #"{"in":{"pin":1}}"#, "token"),
    ("# secrets: in.pin\nquery ($in: In) { a }", #"{"in":{}}"#, "in.pin"),
    ("# secrets: in.pin\nquery ($in: [In]) { a }", #"{"in":[{"pin":1},{"n":2}]}"#, "in.pin"),
    ("# secrets: in.pin\nquery ($in: [In]) { a }", #"{"in":[{"pin":1}]}"#, nil),
    ("# secrets: see the vault\n{ a }", "{}", nil), ("# Secrets: password\nquery ($password: String) { a }", "{}", nil),
    ("query ($password: String) { a }", "{}", nil),
  ])
  func `a declared secret is required`(document: String, variables: String, missing: String?) throws {
    let names = Document(parsing: document).operations[0].variableDefinitions.map(\.variable.name.value)
    let variables = try JSONDocument(parsing: variables).root
    #expect(DeclaredSecrets.missing(in: document, variables: variables, of: names) == missing)
  }

  // MARK: Imported files

  private func imported(_ text: String) throws -> ImportedFolder {
    var collection = ImportedCollection()
    try collection.add(UntrustedText(text), named: "a.http")
    return ImportedFolder(collection, from: "a.http")
  }

  @Test func `an imported folder has no marks`() throws {
    let folder = try imported(
      """
      POST https://a.example/graphql
      Authorization: Bearer hush1

      {"query": "mutation Set($in: In) { set(in: $in, password: \\"hush2\\") }",
       "variables": {"in": {"name": "x", "pin": 4711}, "token": "hush3", "n": 1}}
      """)
    #expect(folder.files.map(\.path) == [".graphqlrc.yml", "request 1.graphql", "request 1.variables.json"])
    #expect(
      folder.files[1].text == """
        # secrets: password, in.pin, token
        mutation Set($in: In, $password: String!) { set(in: $in, password: $password) }

        """)
    #expect(folder.files[2].text == "{\n  \"in\": {\n    \"name\": \"x\"\n  },\n  \"n\": 1\n}\n")
    #expect(folder.files[0].text.contains("Authorization: \"Bearer ${AUTHORIZATION}\""))
    let all = folder.files.map(\.text).joined() + folder.notes.joined()
    #expect(!all.contains("hush") && !all.contains("4711") && !all.contains(Redactor.mark))
    #expect(folder.notes.contains { $0.contains("the value of password, in.pin, token was not written") })
  }

  @Test func `a document with variables of the file is imported without marks`() throws {
    let folder = try imported(
      """
      POST https://a.example/graphql
      X-REQUEST-TYPE: GraphQL

      query { a(first: {{count}}, password: "hush") }

      {"token": "hush", "n": {{count}}}
      """)
    #expect(folder.files[1].text.hasSuffix("query ($password: String!) { a(first: {{count}}, password: $password) }\n"))
    #expect(folder.files[2].text == "{\n  \"n\": {{count}}\n}\n")
  }

  @Test func `variables that were all secret have no file`() throws {
    let folder = try imported(
      "POST https://a.example/g\n\n{\"query\": \"query A($password: String) { a }\", \"variables\": {\"password\": \"x\"}}"
    )
    #expect(folder.files.map(\.path) == [".graphqlrc.yml", "request 1.graphql"])
    #expect(folder.files[1].text.hasPrefix("# secrets: password\nquery A"))
  }

  // MARK: Exports

  private static let draft: RequestDraft = {
    let query = #"query Q($pin: Int, $in: In) { a(password: "hush", note: "•••") }"#
    let variables = #"{"pin": 1234, "in": {"newPassword": "x", "n": 1}}"#
    var draft = RequestDraft(
      url: "https://a.example/g", query: Redactor().draft(document: DraftText(query)),
      variables: Redactor().draft(variables: DraftText(variables)))
    draft.extensions = Redactor().draft(variables: DraftText(#"{"token":"y"}"#))
    return draft
  }()

  @Test func `a curl command inserts the environment as JSON`() throws {
    let text = Self.draft.curlCommand
    #expect(
      text.contains(
        #""variables":{"pin":'"${PIN:?}"',"in":{"newPassword":"'"${IN_NEW_PASSWORD:?}"'","n":1},"password":"'"${PASSWORD:?}"'"}"#
      ), "\(text)")
    #expect(text.contains(#""token":"'"${TOKEN:?}"'""#) && text.contains(#"note: \"•••\""#))
    #expect(Self.draft.environmentNames == ["PASSWORD", "PIN", "IN_NEW_PASSWORD", "TOKEN"])
  }

  @Test func `an apus command and an HTTP file name the environment`() {
    let command = Self.draft.apusCommand
    #expect(
      command.contains(#"--var password="${PASSWORD:?}""#) && command.contains(#""pin":'"${PIN:?}"'"#), "\(command)")
    #expect(Self.draft.environmentNamesInJSON == ["PASSWORD", "PIN", "IN_NEW_PASSWORD", "TOKEN"])
    #expect(Self.draft.environmentNamesInJSONOfCommand == ["PIN", "IN_NEW_PASSWORD", "TOKEN"])
    let file = Self.draft.httpFile
    #expect(file.contains(#""pin": {{PIN}}"#) && file.contains(#""newPassword": "{{IN_NEW_PASSWORD}}""#), "\(file)")
    var sentByGET = Self.draft
    sentByGET.options.usesGET = true
    #expect(
      sentByGET.httpFile.contains("{{PASSWORD}}") && sentByGET.httpFile.hasPrefix("GET https://a.example/g?query="))
    #expect(sentByGET.curlCommand.contains(#"--data-urlencode 'variables={"pin":'"${PIN:?}"'"#))
  }

  @Test func `an apus command takes a whole variable as any text`() {
    let query = "query Q($password: String, $n: Int) { a(p: $password, n: $n) }"
    var draft = RequestDraft(
      url: "https://a.example/g", query: DraftText(query),
      variables: Redactor().draft(variables: DraftText(#"{"password": "x", "n": 1}"#)))
    let command = draft.apusCommand
    #expect(command.contains(#"--variables '{"n":1}'"#), "\(command)")
    #expect(command.contains(#"--var password="${PASSWORD:?}""#), "\(command)")
    #expect(draft.environmentNamesInJSONOfCommand.isEmpty && draft.environmentNamesInJSON == ["PASSWORD"])
    draft.variables = Redactor().draft(variables: DraftText(#"{"password": "x"}"#))
    #expect(!draft.apusCommand.contains("--variables"), "\(draft.apusCommand)")
  }

  @Test func `a document with a syntax error is copied without its mark`() {
    let draft = RequestDraft(url: "u", query: Redactor().draft(document: DraftText(#"{ a(password: "x" "#)))
    #expect(!draft.curlCommand.contains(Redactor.mark) && draft.environmentNames == ["PASSWORD"])
  }

  @Test func `a complete request names no environment`() {
    let draft = RequestDraft(url: "u", query: #"{ a(password: "•••") }"#, variables: #"{"token": "•••"}"#)
    #expect(draft.environmentNames.isEmpty && draft.missingSecret == nil && !draft.curlCommand.contains("$"))
  }
}
