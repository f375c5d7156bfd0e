import ApusExplorerText

/// The state of an editor at the time of a request.
package struct TextSnapshot: Equatable, Sendable {
  package var pane: PaneID
  package var text: TextBuffer
  /// The query itself or, for the variables, the query that they belong to and the cursor in it.
  package var query: TextBuffer
  package var queryCursor: TextPosition
  package var selection: Range<TextPosition>
  package var cursor: TextPosition
  package var version: Int
  /// The range of the diagnostic at the cursor, which the editor shows below the text.
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

/// A request to the language service about an editor or the schema, which `WritingService` answers.
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
  /// A query that selects a field or a type.
  case schemaQuery(SchemaPlace)
}

/// The result of a language service request.
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
  /// The input is not a valid value, with the reason.
  case refused(FormRow.Path, String, reason: String)
  case nothing(String)
}
