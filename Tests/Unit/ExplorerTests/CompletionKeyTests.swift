import ApusExplorerCore
import ApusExplorerTestSupport
import ApusExplorerText
import Testing

/// Tab asks for completions of the word before the cursor, and indents where there is none.
@Suite(.timeLimit(.minutes(1))) struct CompletionKeyTests {
  /// `‸` is the cursor, `«` the other end of a selection.
  @Test(arguments: [
    // A word of a document consists of letters, digits, `_`, and the signs of variables and directives.
    (PaneID.query, "{ a‸ }", true), (.query, "{ ä‸ }", true), (.query, "{ a1‸ }", true), (.query, "{ a_‸ }", true),
    (.query, "{ a(b: $‸) }", true), (.query, "{ a @‸ }", true), (.query, "{ ...‸ }", false), (.query, "{ ‸ }", false),
    (.query, "{‸ }", false), (.query, "‸{ a }", false), (.query, "", false), (.query, "{ a\n‸}", false),
    (.query, "{ a/‸ }", false), (.query, "{ a-‸ }", false), (.query, "{ «a‸ }", false),
    // Variables have paths of files.
    (.variables, #"{"a‸"}"#, true), (.variables, #"{"f": "a1‸"}"#, true), (.variables, #"{"f": "./‸"}"#, true),
    (.variables, #"{"f": "~‸"}"#, true), (.variables, #"{"f": "a-‸"}"#, true), (.variables, #"{"f": "b.‸"}"#, false),
    (.variables, #"{"‸"}"#, false), (.variables, "{‸}", false), (.variables, "‸", false),
    // In a line with a header field everything can be completed.
    (.headers, "A‸", true), (.headers, "Accept-‸", true), (.headers, "Accept:‸", true), (.headers, "Accept: ‸", true),
    (.headers, "Accept: */‸", true), (.headers, "‸", false), (.headers, "A: b\n‸", false), (.headers, "«A‸", false),
  ])
  func `Tab completes the word before the cursor`(pane: PaneID, text: String, isCompleted: Bool) {
    let marked = MarkedText(text.contains("‸") ? text : text + "‸")
    var state = ExplorerState(endpoint: "test")
    var editor = Editor(marked.text, language: pane == .query ? .graphQL : pane == .headers ? .plain : .json)
    editor.select(marked.selection)
    switch pane {
    case .variables: state.tab.editors.variables = editor
    case .headers: state.tab.editors.headers = editor
    default: state.tab.editors.query = editor
    }
    state.screen.focus = pane
    let effects = update(&state, .commandInvoked(.completeOrIndent))
    let asks = effects.contains { effect in
      switch effect {
      case .text(.complete(_, _, _, let isAsked)), .text(.completeHeaders(_, _, _, let isAsked)),
        .text(.completeVariables(_, _, _, _, _, let isAsked)):
        isAsked
      default: false
      }
    }
    #expect(asks == isCompleted)
    let changed = state.tab.editors.editor(in: pane)?.text
    #expect((changed == marked.text) == isCompleted)
  }
}
