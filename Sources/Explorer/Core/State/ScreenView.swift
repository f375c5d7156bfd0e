import ApusExplorerText

/// What of a state is in view on a screen of some size: how much of each pane, and what was scrolled into it. The screen
/// works it out, for it knows what stands where and how wide it is; only `update` puts it into the state.
package struct ScreenView: Equatable, Sendable {
  package struct Text: Equatable, Sendable {
    package var scroll: TextPosition
    package var folds: [ClosedRange<Int>]

    package init(_ editor: Editor) {
      scroll = editor.scroll
      folds = editor.folds
    }
  }

  /// The visible part of a question.
  package struct Question: Equatable, Sendable {
    package var firstLine: Int
    package var linesBelow: Int

    package init(firstLine: Int, linesBelow: Int) {
      self.firstLine = firstLine
      self.linesBelow = linesBelow
    }
  }

  package var viewports: [PaneID: Viewport] = [:]
  package var texts: [PaneID: Text] = [:]
  package var lists: [PaneID: ListCursor] = [:]
  /// The popups whose rows depend on the room that they have.
  package var form: ListCursor?
  package var schema: SchemaExplorerState?
  /// The first row of the value that is shown whole.
  package var valueRow: Int?
  /// The first row of the traffic, where a line that was found was brought into view.
  package var trafficRow: Int?
  /// The innermost popup, if it is a question.
  package var question: Question?
  /// The first column of the response, where a match was brought into view.
  package var matchColumn: Int?

  package init() {}
}

extension ExplorerState {
  /// This crosses rooms: each takes what is in view of it.
  mutating func viewed(_ view: ScreenView) {
    screen.viewports.merge(view.viewports) { $1 }
    for (pane, text) in view.texts {
      tab.texts.change(pane) { editor in
        editor.scroll = text.scroll
        editor.folds = text.folds
      }
    }
    for (pane, cursor) in view.lists { place(cursor, in: pane) }
    if let column = view.matchColumn { tab.response.show(fromColumn: column) }
    if let row = view.valueRow { popups.change(ValueState.self) { $0.scroll = row } }
    if let row = view.trafficRow { popups.change(TrafficState.self) { $0.viewed(firstRow: row) } }
    if let question = view.question { popups.viewed(question) }
    if let list = view.form { popups.change(FormState.self) { $0.list = list } }
    if let schema = view.schema { popups.change(SchemaExplorerState.self) { $0 = schema } }
  }
}
