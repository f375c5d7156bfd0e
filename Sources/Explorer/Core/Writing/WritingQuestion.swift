import ApusExplorerText

/// A text as it is when something is asked about it.
package struct TextSnapshot: Equatable, Sendable {
  package var pane: PaneID
  package var text: TextBuffer
  /// Of the query the text itself; of the variables the query that they are for, with the cursor in it.
  package var query: TextBuffer
  package var queryCursor: TextPosition
  package var selection: Range<TextPosition>
  package var cursor: TextPosition
  package var version: Int
  /// What is wrong at the cursor, as it is said beneath the text.
  package var problem: Range<TextPosition>?

  init?(_ state: ExplorerState) {
    guard let editor = state.editor else { return nil }
    pane = state.screen.focus
    text = editor.buffer
    query = state.tab.texts.query.buffer
    queryCursor = state.tab.texts.query.cursor
    selection = editor.selection.range
    cursor = editor.cursor
    version = editor.version
    problem = editor.hasSelection ? nil : state.analysis.diagnostic(at: editor.cursor)?.range
  }
}

/// What is asked about a text or the schema; `WritingService` knows.
package enum WritingQuestion: Equatable, Sendable {
  case hover(TextSnapshot)
  case actions(TextSnapshot)
  case definition(TextSnapshot)
  case renamable(TextSnapshot)
  case rename(TextSnapshot, to: String)
  case selectionRanges(TextSnapshot)
  case folds(TextSnapshot)
  case outline(TextSnapshot)
  case form(FormChange, TextSnapshot)
  case schemaPage(SchemaPlace)
  case schemaSearch(String)
  /// A query that selects a field, or what is of a type.
  case schemaQuery(SchemaPlace)
}

/// What the answer is.
package enum WritingAnswer: Equatable, Sendable {
  case hover([HoverLine], TextSnapshot)
  case actions([PickerItem], TextSnapshot)
  case placeFound(TextPosition, TextSnapshot)
  case schemaPlaceFound(SchemaPlace)
  case renamable(String, TextSnapshot)
  case edited([TextReplacement], TextSnapshot, title: String)
  case selectionRanges([Range<TextPosition>], TextSnapshot)
  case folds([ClosedRange<Int>], TextSnapshot)
  case outline([PickerItem], TextSnapshot)
  case schemaPage(SchemaPage)
  case schemaFound([SchemaRow], search: String)
  case schemaQuery(String)
  /// What was filled in is none, and why.
  case refused(FormRow.Path, String, reason: String)
  case nothing(String)
}
