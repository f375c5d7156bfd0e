import ApusExplorerText

/// The size and scroll position of each pane. Only the screen knows the layout, and only `update` may change the state,
/// so the screen computes this value and sends it as the action `.viewed`.
package struct VisibleArea: Equatable, Sendable {
  package struct Text: Equatable, Sendable {
    package var scroll: TextPosition
    package var folds: [ClosedRange<Int>]

    package init(_ editor: Editor) {
      scroll = editor.scroll
      folds = editor.folds
    }
  }

  /// The visible part of a confirmation.
  package struct Question: Equatable, Sendable {
    package var firstLine: Int
    package var linesBelow: Int

    package init(firstLine: Int, linesBelow: Int) {
      self.firstLine = firstLine
      self.linesBelow = linesBelow
    }
  }

  package var viewports: [PaneID: Viewport] = [:]
  package var editors: [PaneID: Text] = [:]
  package var lists: [PaneID: ListCursor] = [:]
  /// The list of the form, whose rows depend on the size of the popup.
  package var form: ListCursor?
  /// The schema popup, whose rows depend on its size.
  package var schema: SchemaPopup?
  /// The first visible row of the value popup.
  package var valueRow: Int?
  /// The first visible row of the traffic popup, if a match was scrolled into view.
  package var trafficRow: Int?
  /// The topmost popup, if it is a confirmation.
  package var question: Question?
  /// The first visible column of the response, if a match was scrolled into view.
  package var matchColumn: Int?

  package init() {}
}

extension ExplorerState {
  /// Stores the visible parts in their features.
  mutating func viewed(_ view: VisibleArea) {
    screen.viewports.merge(view.viewports) { $1 }
    for (pane, text) in view.editors {
      tab.editors.change(pane) { editor in
        editor.scroll = text.scroll
        editor.folds = text.folds
      }
    }
    for (pane, cursor) in view.lists { setCursor(cursor, in: pane) }
    if let column = view.matchColumn { tab.response.show(fromColumn: column) }
    if let row = view.valueRow { popups.change(ValuePopup.self) { $0.scroll = row } }
    if let row = view.trafficRow { popups.change(TrafficPopup.self) { $0.viewed(firstRow: row) } }
    if let question = view.question { popups.viewed(question) }
    if let list = view.form { popups.change(FormPopup.self) { $0.list = list } }
    if let schema = view.schema { popups.change(SchemaPopup.self) { $0 = schema } }
  }
}
