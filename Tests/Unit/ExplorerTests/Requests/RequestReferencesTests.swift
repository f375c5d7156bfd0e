import ApusClientRequests
import ApusConfiguration
import ApusExplorerCore
import ApusSecrets
import ApusTestSupport
import Testing

@testable import ApusExplorerPersistence

/// The references of a tab in the request options: their values, or "not set", and their places.
@Suite(.timeLimit(.minutes(1))) struct RequestReferencesTests {
  private typealias Reference = RunOptions.Reference

  /// A tab with references in each part of its request. The profile defines `region` and `team`.
  private func state(_ references: [Reference]) -> ExplorerState {
    let url = "https://birds.example/graphql"
    var state = ExplorerState(endpoint: url)
    var choice = EndpointChoice(name: "birds", url: url)
    choice.environmentNames = ["region", "team"]
    state.connection.take(choice)
    var draft = RequestDraft(
      query: #"query Q($t: String) { a(t: $t, s: "{{word}} {{region}}") }"#,
      variables: #"{"t":"{{word}} {{token}} {{region}}","password":"{{secret}}"}"#)
    draft.headers = [.init(name: "Authorization", untrusted: "Bearer {{token}}")]
    draft.options.references = references
    state.tab = TabContent(draft)
    return state
  }

  private func items(_ state: inout ExplorerState) throws -> [String: PickerItem] {
    _ = update(&state, .commandInvoked(.pickRequestOptions))
    let picker = try #require(state.popups.last?.state as? PickerPopup)
    _ = update(&state, .commandInvoked(.popupClose))
    let found = picker.items.filter { $0.title.hasPrefix("{{") }
    return Dictionary(found.map { ($0.title.filter { !"{}".contains($0) }, $0) }) { first, _ in first }
  }

  /// The rows of the table in `RequestReferences.swift`: the reference, and the text and place that the list shows.
  @Test func `each reference has its value or none, and its places`() throws {
    let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdef"
    let rows: [(reference: Reference, note: String, places: String)] = [
      (Reference(name: "word", value: "typed"), "typed", "in the query and variables"),
      (Reference(name: "word"), "not set", "in the query and variables"),
      (Reference(name: "word", value: "file", source: .secretOfFile), Redactor.mark, "in the query and variables"),
      (Reference(name: "word", value: token), Redactor.mark, "in the query and variables"),
      (Reference(name: "token", value: "typed"), Redactor.mark, "in the variables and headers"),
      (Reference(name: "token"), "not set", "in the variables and headers"),
      (Reference(name: "region"), "from the profile", "in the query and variables"),
      (Reference(name: "region", value: "typed"), "typed", "in the query and variables"),
      (Reference(name: "gone"), "not set", "unused"),
    ]
    for (reference, note, places) in rows {
      var state = state([reference])
      let found = try items(&state)
      let item = try #require(found[reference.name])
      #expect(item.note == note && item.detail == places, "\(reference.name): \(item)")
      #expect((item.tone == .failed) == (note == "not set" && places != "unused"), "\(reference.name)")
    }
    // A name of the profile that no import declared is text in the query, and is listed if it is used.
    var state = state([])
    let found = try items(&state)
    #expect(found.keys.sorted() == ["region"] && found["region"]?.detail == "in the variables")
  }

  @Test func `a value is changed, removed and hidden in the list`() throws {
    var state = state([Reference(name: "region"), Reference(name: "token", value: "hush")])
    func set(_ name: String, _ value: String) {
      _ = update(&state, .commandInvoked(.pickRequestOptions))
      _ = update(&state, .textTyped("{{\(name)}}"))
      _ = update(&state, .commandInvoked(.popupAccept))
      let shown = (state.popups.last?.state as? LinePopup)?.text ?? "none"
      #expect(!shown.contains("hush"))
      _ = update(&state, .textTyped(value))
      _ = update(&state, .commandInvoked(.popupAccept))
    }
    set("region", "south")
    set("token", "hush-2")
    #expect(state.tab.runOptions.references.map(\.value) == ["south", "hush-2"])
    #expect(state.screen.notice?.text == "{{token}} is set until Apus is closed")
    _ = update(&state, .commandInvoked(.pickRequestOptions))
    _ = update(&state, .textTyped("{{region}}"))
    _ = update(&state, .commandInvoked(.popupAccept))
    #expect((state.popups.last?.state as? LinePopup)?.text == "south")
    _ = update(&state, .commandInvoked(.deleteToLineStart))
    _ = update(&state, .commandInvoked(.popupAccept))
    #expect(state.screen.notice?.text == "{{region}} has the value of the profile")
    let found = try items(&state)
    #expect(found["region"]?.note == "from the profile")
  }

  @Test func `a typed user and password of basic authentication are encoded, and Base64 is kept`() throws {
    for (typed, sent) in [("me:hush", "bWU6aHVzaA=="), ("bWU6aHVzaA==", "bWU6aHVzaA==")] {
      let name = Reference.basicCredentials
      var state = state([Reference(name: name)])
      _ = update(&state, .commandInvoked(.pickRequestOptions))
      _ = update(&state, .textTyped("{{\(name)}}"))
      _ = update(&state, .commandInvoked(.popupAccept))
      _ = update(&state, .textTyped(typed))
      _ = update(&state, .commandInvoked(.popupAccept))
      #expect(state.tab.runOptions.references.map(\.value) == [sent] && state.tab.runOptions.references[0].isSecret)
    }
  }

  @Test func `a copy of a tab has the values, and a restored tab asks for them again`() throws {
    var state = state([Reference(name: "word", value: "typed"), Reference(name: "region")])
    _ = update(&state, .commandInvoked(.duplicateTab))
    #expect(state.tabs.count == 2 && state.tab.runOptions.references.map(\.value) == ["typed", nil])
    _ = update(&state, .commandInvoked(.pickRequestOptions))
    _ = update(&state, .textTyped("{{word}}"))
    _ = update(&state, .commandInvoked(.popupAccept))
    _ = update(&state, .commandInvoked(.deleteToLineStart))
    _ = update(&state, .textTyped("other"))
    _ = update(&state, .commandInvoked(.popupAccept))
    #expect(state.tabs.all.map { $0.content.runOptions.references[0].value } == ["typed", "other"])
    let folders = UserFolders(environment: try TemporaryFolder().asHome)
    let store = try SessionStore.open("birds", in: folders, delay: .zero)
    store.scheduleSave(SavedSession(state))
    store.finish()
    let again = try SessionStore.open("birds", in: folders, delay: .zero)
    var restored = self.state([])
    restored.open(try #require(again.restore()), query: "")
    again.finish()
    let found = try items(&restored)
    #expect(found["word"]?.note == "not set" && found["region"]?.note == "from the profile")
  }

  @Test func `a request of the history is the tab's, whatever values its references have`() {
    var state = state([Reference(name: "word", value: "typed")])
    let url = state.connection.endpoint
    let entry = HistoryEntry(
      operation: "Q",
      request: RequestDraft(url: url, query: state.tab.draft.query, variables: state.tab.draft.variables),
      status: .complete)
    var stored = entry
    stored.request.options.references = [Reference(name: "word")]
    _ = update(&state, .history(.opened(stored, .open)))
    #expect(state.tabs.count == 1)
    _ = update(&state, .history(.opened(entry, .open)))
    #expect(state.tabs.count == 2)
  }
}
