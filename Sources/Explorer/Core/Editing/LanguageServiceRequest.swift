import ApusExplorerText
import ApusJSON

/// The state of an editor at the time of a request.
package struct EditorSnapshot: Equatable, Sendable {
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
    query = state.tab.editors.query.buffer
    queryCursor = state.tab.editors.query.cursor
    selection = editor.selection.range
    cursor = editor.cursor
    version = editor.version
    problem = editor.hasSelection ? nil : state.analysis.diagnostic(at: editor.cursor)?.range
  }
}

/// A request to the language service about an editor or the schema, which `EditorService` answers.
package enum LanguageServiceRequest: Equatable, Sendable {
  case hover(EditorSnapshot)
  case actions(EditorSnapshot)
  case definition(EditorSnapshot)
  /// The field of the query that a response path leads to.
  case field(ResponsePath, EditorSnapshot)
  case renamable(EditorSnapshot)
  case rename(EditorSnapshot, to: String)
  case selectionRanges(EditorSnapshot)
  case folds(EditorSnapshot)
  case outline(EditorSnapshot)
  case form(FormEdit, EditorSnapshot)
  case schemaPage(SchemaPageLink)
  case schemaSearch(String)
  /// A query that selects a field or a type.
  case schemaQuery(SchemaPageLink)
}

/// The result of a language service request.
package enum LanguageServiceAction: Equatable, Sendable {
  case hover([HoverLine], EditorSnapshot)
  case actions([PickerItem], EditorSnapshot)
  case positionFound(TextPosition, EditorSnapshot)
  case schemaLinkFound(SchemaPageLink)
  case renamable(String, EditorSnapshot)
  case edited([TextReplacement], EditorSnapshot, title: String)
  case selectionRanges([Range<TextPosition>], EditorSnapshot)
  case folds([ClosedRange<Int>], EditorSnapshot)
  case outline([PickerItem], EditorSnapshot)
  case schemaPage(SchemaPage)
  case schemaFound([SchemaRow], search: String)
  case schemaQuery(String)
  /// The input is not a valid value, with the reason.
  case refused(FormRow.Path, String, reason: String)
  case nothing(String)
}
