import ApusExplorerCore
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

  @Test("A JSON object is sent with each run and included in a copied request")
  func object() {
    var state = state(typing: #" {"trace": {"id": 7}} "#)
    #expect(state.tab.extensions.text == #"{"trace":{"id":7}}"#)
    let effects = update(&state, .commandInvoked(.runOperation))
    let run = effects.lazy.compactMap { if case .run(let request) = $0 { request } else { nil } }.first
    #expect(run?.extensions == #"{"trace":{"id":7}}"#)
    let copied = update(&state, .commandInvoked(.copyAsCurl)).lazy.compactMap { effect in
      if case .copyRequest(let request, _, _) = effect { request } else { nil }
    }.first
    #expect(copied?.extensions == #"{"trace":{"id":7}}"#)
    var restored = ExplorerState(endpoint: "birds")
    restored.restore(SavedSession(state))
    #expect(restored.tab.extensions == state.tab.extensions)
  }

  @Test("Invalid text is rejected, and empty text removes the extensions", arguments: ["[1]", "{", "7"])
  func others(text: String) {
    var state = state(typing: text)
    #expect(state.tab.extensions.text.isEmpty)
    #expect(state.screen.notice?.kind == .warning)
    state.tab.extensions.text = #"{"a":1}"#
    state.popups = [Popup(LinePopup(.requestExtensions, text: " "))]
    _ = update(&state, .commandInvoked(.popupAccept))
    #expect(state.tab.extensions.text.isEmpty)
  }
}
