import ApusClientRequests
import ApusConfiguration
import ApusExplorerCore
import ApusSecrets
import ApusTestSupport
import Testing

@testable import ApusExplorerPersistence

/// The values of references that are stored and copied, and those that are not.
@Suite(.timeLimit(.minutes(1))) struct PlainValuesTests {
  /// A row of the table in `PlainValues.swift`. `{{v}}` is the reference.
  struct Row: Sendable {
    var query = "{ a }"
    var variables = ""
    var extensions = ""
    var headers = ""
    var url = ""
    var name = "v"
    var value = "north"
    var source = RunOptions.Reference.Source.file
    var known: String?

    init(_ change: (inout Row) -> Void) { change(&self) }
  }

  private static let plain: [Row] = [
    Row { _ in },
    Row { $0.query = #"{ a(b: "{{v}}", c: "x {{v}}") }"# },
    Row { $0.variables = #"{"t": "{{v}}", "n": {{v}}}"# },
    Row { $0.variables = #"{"t": "{{v}}", "password": "hush"}"# },
    Row { $0.extensions = #"{"trace": "{{v}}"}"# },
    Row { $0.headers = "X-Team: {{v}}\nAuthorization: Bearer abc" },
    Row { $0.url = "https://{{v}}/graphql?page={{v}}" },
    Row { $0.value = "" },
    Row { $0.value = #"it's "x" \ y"# },
  ]

  private static let secret: [Row] = [
    Row { $0.source = .user },
    Row { $0.source = .secretOfFile },
    Row { $0.name = "token" },
    Row { $0.value = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdef" },
    Row {
      $0.value = "eyJzdWIiOiIxIn0.abcdef"
      $0.query = #"{ a(b: "eyJhbGciOiJIUzI1NiJ9.{{v}}") }"#
    },
    Row {
      $0.value = "north-bay-7"
      $0.known = "north-bay-7"
    },
    Row { $0.headers = "X-Team: {{v}}\nAuthorization: Bearer {{v}}" },
    Row { $0.headers = "# Cookie: sid={{v}}" },
    Row { $0.url = "https://a.example/graphql?key={{v}}" },
    Row { $0.variables = #"{"t": "{{v}}", "password": "{{v}}"}"# },
    Row { $0.variables = #"{"password": "x{{v}}"}"# },
    Row { $0.variables = #"{"pin": 1, "password": {{v}}}"# },
    Row { $0.query = #"{ login(password: "{{v}}") }"# },
    Row {
      $0.query = #"query ($word: String @secret) { a(b: $word) }"#
      $0.variables = #"{"word": "{{v}}"}"#
    },
    Row { $0.extensions = #"{"auth": {"token": "{{v}}"}}"# },
    Row { $0.value = "{{x}}" },
  ]

  private func draft(_ row: Row) -> RequestDraft {
    func named(_ text: String) -> String { text.replacing("{{v}}", with: "{{\(row.name)}}") }
    var draft = RequestDraft(query: named(row.query), variables: named(row.variables))
    draft.extensions = DraftText(named(row.extensions))
    draft.options.endpointURL = named(row.url)
    draft.options.references = [.init(name: row.name, value: row.value, source: row.source)]
    return draft
  }

  private func values(_ row: Row) -> [String: String] {
    let known = SecretValues()
    if let value = row.known { known.add(header: "Authorization", value, isLive: true) }
    let draft = draft(row)
    return draft.plainValues(
      headers: row.headers,
      Redactor(values: known, document: draft.query.text, references: draft.declaredNames))
  }

  @Test(arguments: plain.indices) func `a value of the file that is not secret is plain`(index: Int) {
    let row = Self.plain[index]
    #expect(values(row) == [row.name: row.value], "\(row)")
  }

  @Test(arguments: secret.indices) func `a typed value and a secret are not plain`(index: Int) {
    #expect(values(Self.secret[index]).isEmpty, "\(Self.secret[index])")
  }

  /// A secret at one place, although the same request has it at another one.
  @Test func `a session and the history have plain values and no others`() async throws {
    let references: [RunOptions.Reference] = [
      .init(name: "given", value: "typed-1", source: .user),
      .init(name: "pass", value: "hush-1", source: .secretOfFile),
      .init(name: "place", value: "hush-2", source: .file), .init(name: "token", value: "hush-3", source: .file),
      .init(name: "word", value: "north bay", source: .file),
    ]
    var draft = RequestDraft(
      query: #"{ a(b: "{{word}} {{given}} {{pass}} {{place}} {{token}}") }"#, variables: #"{"password": "{{place}}"}"#)
    draft.options.references = references
    let stored = references.map { $0.name == "word" ? $0 : RunOptions.Reference(name: $0.name) }

    let home = try TemporaryFolder()
    let folders = UserFolders(environment: home.asHome)
    var state = ExplorerState(endpoint: "https://birds.example/graphql")
    state.tab = TabContent(draft)
    let store = try SessionStore.open("birds", in: folders, delay: .zero)
    store.scheduleSave(SavedSession(state))
    store.finish()
    let again = try SessionStore.open("birds", in: folders, delay: .zero)
    var restored = ExplorerState(endpoint: "https://birds.example/graphql")
    restored.open(try #require(again.restore()), query: "")
    again.finish()
    #expect(restored.tab.runOptions.references == stored)

    let history = HistoryStore(folders: folders, secrets: SecretValues(), now: { 1 })
    try await history.record(HistoryEntry(operation: "Q", request: draft, status: .complete))
    #expect(try await history.entry(1)?.request.options.references == stored)
    let files = try home.files(in: "").filter { (try? home.files(in: $0))?.isEmpty ?? true }
    #expect(!files.isEmpty)
    for path in files {
      let bytes = (try? home.bytes(path)) ?? []
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(!text.contains("hush-") && !text.contains("typed-1"), "\(path)")
    }
  }

  @Test func `a history entry with another value of the file is another request`() {
    var state = ExplorerState(endpoint: "https://birds.example/graphql")
    var draft = RequestDraft(query: #"{ a(b: "{{word}}") }"#)
    draft.options.references = [.init(name: "word", value: "north", source: .file)]
    state.tab = TabContent(draft)
    var request = draft
    request.url = "https://birds.example/graphql"
    _ = update(&state, .history(.opened(HistoryEntry(operation: "Q", request: request, status: .complete), .open)))
    #expect(state.tabs.count == 1)
    request.options.references[0].value = "south"
    _ = update(&state, .history(.opened(HistoryEntry(operation: "Q", request: request, status: .complete), .open)))
    #expect(state.tabs.count == 2 && state.tab.runOptions.references.map(\.value) == ["south"])
  }

  @Test func `a copied request and a saved file have plain values, and keep other references`() throws {
    var state = ExplorerState(endpoint: "https://birds.example/graphql")
    var draft = RequestDraft(
      url: "https://birds.example/graphql", query: #"{ a(b: "{{word}} {{given}} \{{word}}") }"#,
      variables: #"{"t": "<{{word}}>"}"#)
    draft.headers = [.init(name: "X-Team", untrusted: "{{word}} $x")]
    draft.options.references = [
      .init(name: "given", value: "typed"), .init(name: "word", value: #"no"th"#, source: .file),
    ]
    state.tab = TabContent(draft)
    let effects = update(&state, .commandInvoked(.copyAsCurl))
    let copied = try #require(
      effects.lazy.compactMap { effect -> RequestDraft? in
        if case .exchange(.copyRequest(let request, _, _)) = effect { request } else { nil }
      }.first)
    #expect(copied.query.text == #"{ a(b: "no\"th {{given}} \{{word}}") }"#)
    #expect(copied.variables.text == #"{"t": "<no\"th>"}"#)
    #expect(copied.headers.map(\.value.source) == [#"no"th $$x"#] && copied.options.references.map(\.name) == ["given"])
    // The tab keeps the reference in a copy, and a file has the value.
    #expect(state.tab.editors.query.text.contains("{{word}}"))
    _ = update(&state, .commandInvoked(.saveFileAs))
    _ = update(&state, .textTyped("saved"))
    let saved = update(&state, .commandInvoked(.popupAccept)).compactMap { effect -> [String]? in
      if case .file(.save(_, _, let query, let variables, _)) = effect { [query, variables] } else { nil }
    }
    #expect(saved == [[copied.query.text, copied.variables.text]])
    #expect(state.tab.editors.query.text == copied.query.text)
    _ = update(&state, .commandInvoked(.undo))
    #expect(state.tab.editors.query.text.contains("\"{{word}} "))
  }

  @Test func `another value of the endpoint's URL opens its endpoint without the headers of the first one`() throws {
    var state = ExplorerState(endpoint: "https://birds.example/graphql")
    var draft = RequestDraft(url: "https://{{host}}/graphql", query: "{ a }")
    draft.headers = [.init(name: "Authorization", untrusted: "Bearer abc")]
    draft.options.references = [.init(name: "host", value: "birds.example", source: .file)]
    _ = update(&state, .requestImported(.found([ImportedRequest(name: "A", draft: draft)], leftOut: [])))
    #expect(state.connection.endpoint == "https://birds.example/graphql" && state.tab.runOptions.importedURL.isEmpty)
    #expect(state.tab.editors.headerOrigins.withheld(from: state.connection.origin).isEmpty)
    _ = update(&state, .commandInvoked(.pickRequestOptions))
    _ = update(&state, .textTyped("{{host}}"))
    let item = try #require((state.popups.last?.state as? PickerPopup)?.items.first { $0.title == "{{host}}" })
    #expect(item.note == "birds.example" && item.detail == "in the URL")
    _ = update(&state, .commandInvoked(.popupAccept))
    _ = update(&state, .commandInvoked(.deleteToLineStart))
    _ = update(&state, .textTyped("other.example"))
    _ = update(&state, .commandInvoked(.popupAccept))
    #expect(state.connection.endpoint == "https://other.example/graphql")
    #expect(!state.tab.editors.headerOrigins.withheld(from: Origin(url: "https://other.example/graphql")).isEmpty)
    #expect(state.tab.runOptions.endpointURL == "https://{{host}}/graphql")
  }
}
