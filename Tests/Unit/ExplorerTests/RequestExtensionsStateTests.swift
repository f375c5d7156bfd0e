import ApusExplorerCore
import ApusSecrets
import Testing

@Suite("The extensions of a tab's requests")
struct RequestExtensionsStateTests {
  /// Returns the state after typing text into the command's prompt.
  private func state(typing text: String) -> ExplorerState {
    var state = ExplorerState(endpoint: "birds", query: "{ name }")
    _ = update(&state, .commandInvoked(.editRequestExtensions))
    state.popups = [Popup(LinePopup(.requestExtensions, text: text))]
    _ = update(&state, .commandInvoked(.popupAccept))
    return state
  }

  @Test
  func `a JSON object is sent with each run and included in a copied request`() {
    var state = state(typing: #" {"trace": {"id": 7}} "#)
    #expect(state.tab.extensions.text == #"{"trace":{"id":7}}"#)
    let effects = update(&state, .commandInvoked(.runOperation))
    let run = effects.lazy.compactMap { if case .run(_, .start(let request)) = $0 { request } else { nil } }.first
    #expect(run?.draft.extensions.text == #"{"trace":{"id":7}}"#)
    let copied = update(&state, .commandInvoked(.copyAsCurl)).lazy.compactMap { effect in
      if case .exchange(.copyRequest(let request, _, _)) = effect { request } else { nil }
    }.first
    #expect(copied?.extensions == #"{"trace":{"id":7}}"#)
    var restored = ExplorerState(endpoint: "birds")
    restored.restore(SavedSession(state))
    #expect(restored.tab.extensions == state.tab.extensions)
  }

  @Test(arguments: ["[1]", "{", "7"])
  func `invalid text is rejected, and empty text removes the extensions`(text: String) {
    var state = state(typing: text)
    #expect(state.tab.extensions.text.isEmpty)
    #expect(state.screen.notice?.kind == .warning)
    state.tab.extensions.draft = DraftText(#"{"a":1}"#)
    state.popups = [Popup(LinePopup(.requestExtensions, text: " "))]
    _ = update(&state, .commandInvoked(.popupAccept))
    #expect(state.tab.extensions.text.isEmpty)
  }
}
