import ExplorerText

import ExplorerText

/// Everything that a person can ask for by name: bound to keys, listed in the palette, explained in the help.
package enum Command: String, CaseIterable, Hashable, Sendable {
  // The operation
  case runOperation, cancel, nextPage, previousPage, allPages, tenPages, firstPage, choosePagedList, offerPaging
  case previousPart, nextPart, newestPart, showTraffic
  // The program
  case copyOrCancel, closeOrCancel, showHelp, showPalette, nextTheme, reloadSchema, toggleVim, quit
  // Panes
  case nextPane, previousPane, focusQuery, focusVariables, focusResponse, focusDeferred, focusCache, focusHeaders
  // Tabs
  case newTab, closeTab, reopenTab, nextTab, previousTab, renameTab, pickTab
  // What is kept
  case showHistory, openFile, saveFile, saveFileAs, importRequest, copyAsCurl, copyAsHTTP, copyAsCommand, saveResponse
  case recordSession
  case pickProfile, pickTheme, runAgain, compareRun
  // How the screen is shared
  case nextLayout, zoomPane, widenTexts, narrowTexts, heightenUpper, lowerUpper, toggleMouse, suspend, showJumpLabels
  // Moving in a text
  case moveLeft, moveRight, moveWordLeft, moveWordRight, moveUp, moveDown, movePageUp, movePageDown
  case moveLineStart, moveLineEnd, moveDocumentStart, moveDocumentEnd
  case selectLeft, selectRight, selectWordLeft, selectWordRight, selectUp, selectDown, selectPageUp, selectPageDown
  case selectLineStart, selectLineEnd, selectDocumentStart, selectDocumentEnd, selectAll
  // Changing a text
  case insertNewline, completeOrIndent, complete, outdent, toggleComment, formatDocument
  case deleteBackward, deleteForward, deleteWordBackward, deleteWordForward, deleteToLineStart, deleteToLineEnd
  case undo, redo, cut, paste, nextProblem, previousProblem
  case addCursorAtNextMatch, addCursorAbove, addCursorBelow
  // The language service
  case showHover, goToDefinition, renameSymbol, showActions, listProblems, pickOperation, showOutline
  case findText, replaceText
  case expandSelection, shrinkSelection, foldText, unfoldAllText, toggleWrap, editExternally
  // The schema
  case openFields, openVariablesForm
  case openSchema, showSchemaChanges, schemaBack, schemaForward, schemaToQuery
  // Lists and trees
  case rowUp, rowDown, rowPageUp, rowPageDown, rowFirst, rowLast
  case openRow, unfoldRow, foldRow, toggleFold, unfoldAll, foldAll
  case copyValue, copyPath
  // Reading the response
  case searchResponse, nextMatch, previousMatch, filterResponse, jumpToPath, clearReading, toggleTable, comparePrevious
  case toggleRaw, openLink, scrollLeft, scrollRight
  case pauseEvents, clearEvents
  case showErrors, promptAccept, promptClose, promptPrevious, promptNext
  case nextColumn, previousColumn, sortColumn, hideColumn, showColumns, widenColumn, narrowColumn, exportTable
  // The cache
  case filterRecords, clearFilter, goBack, goForward, showReferrers, evict, refreshRecords
  case sortRecords, reverseSort, markRecord, evictType, collectRecords, clearCache, undoCacheChange, editValue
  case showWrites, showWriteOfField, showPartOfWrite, showWritesOfPart, toggleSources, openCache, openCacheToChange,
    closeCache
  // Popups
  case popupDelete, popupUp, popupDown, popupPageUp, popupPageDown, popupFirst, popupLast, popupAccept,
    popupClose
  case acceptOrNewline, popupNextField, replaceAll
  case confirmYes, confirmNo
}

extension Command {
  /// What the palette and the help call it.
  package var title: String {
    switch self {
    case .runOperation: "Run the operation under the cursor"
    case .cancel: "Cancel what runs"
    case .nextPage: "Load the next page"
    case .previousPage: "Load the page before"
    case .allPages: "Load all pages"
    case .previousPart: "Step back to the part before"
    case .nextPart: "Step to the next part"
    case .newestPart: "Return to the newest part"
    case .showTraffic: "Traffic: format, times, raw parts"
    case .tenPages: "Load ten pages"
    case .firstPage: "Back to the first page"
    case .choosePagedList: "Choose which list to page"
    case .offerPaging: "Add to the query what paging needs"
    case .copyOrCancel: "Copy the selection, else cancel what runs"
    case .closeOrCancel: "Close the popup, else cancel what runs"
    case .showHelp: "Help: every key"
    case .showPalette: "Command palette"
    case .nextTheme: "Next theme"
    case .reloadSchema: "Load the schema again"
    case .toggleVim: "Vim keys on or off"
    case .quit: "Quit"
    case .nextPane: "Next pane"
    case .previousPane: "Previous pane"
    case .focusQuery: "Go to the query"
    case .focusVariables: "Go to the variables"
    case .focusResponse: "Go to the response"
    case .focusDeferred: "Go to the deferred fragments"
    case .focusCache: "Go to the cache"
    case .focusHeaders: "Go to the headers"
    case .newTab: "New tab"
    case .closeTab: "Close the tab"
    case .reopenTab: "Open the tab again that was closed last"
    case .nextTab: "Next tab"
    case .previousTab: "Previous tab"
    case .renameTab: "Name the tab"
    case .pickTab: "Tabs"
    case .showHistory: "History: what ran before"
    case .openFile: "Open a file"
    case .saveFile: "Save the query and its variables"
    case .saveFileAs: "Save as"
    case .importRequest: "Import a curl command or an HTTP request"
    case .copyAsCurl: "Copy as a curl command"
    case .copyAsHTTP: "Copy as an HTTP file"
    case .copyAsCommand: "Copy as an apus command"
    case .saveResponse: "Save the response"
    case .recordSession: "Record what arrives to a file, or stop recording"
    case .pickProfile: "Switch to another endpoint"
    case .pickTheme: "Themes"
    case .runAgain: "Run again"
    case .nextLayout: "Next layout"
    case .zoomPane: "Give the pane the whole screen, or back"
    case .widenTexts: "Widen the texts' column"
    case .narrowTexts: "Narrow the texts' column"
    case .heightenUpper: "Heighten the upper panes"
    case .lowerUpper: "Lower the upper panes"
    case .toggleMouse: "Mouse: the explorer's or the terminal's"
    case .showJumpLabels: "Jump to anything in view by its label"
    case .suspend: "Suspend, back to the shell"
    case .compareRun: "Compare its response with the one shown"
    case .moveLeft: "Left"
    case .moveRight: "Right"
    case .moveWordLeft: "Word left"
    case .moveWordRight: "Word right"
    case .moveUp: "Up"
    case .moveDown: "Down"
    case .movePageUp: "Page up"
    case .movePageDown: "Page down"
    case .moveLineStart: "Start of the line"
    case .moveLineEnd: "End of the line"
    case .moveDocumentStart: "Start of the text"
    case .moveDocumentEnd: "End of the text"
    case .selectLeft: "Select left"
    case .selectRight: "Select right"
    case .selectWordLeft: "Select word left"
    case .selectWordRight: "Select word right"
    case .selectUp: "Select up"
    case .selectDown: "Select down"
    case .selectPageUp: "Select page up"
    case .selectPageDown: "Select page down"
    case .selectLineStart: "Select to the start of the line"
    case .selectLineEnd: "Select to the end of the line"
    case .selectDocumentStart: "Select to the start of the text"
    case .selectDocumentEnd: "Select to the end of the text"
    case .selectAll: "Select all"
    case .insertNewline: "New line"
    case .completeOrIndent: "Complete, else indent"
    case .complete: "Complete"
    case .outdent: "Outdent"
    case .toggleComment: "Comment lines in or out"
    case .formatDocument: "Format the query"
    case .deleteBackward: "Delete backward"
    case .deleteForward: "Delete forward"
    case .deleteWordBackward: "Delete word backward"
    case .deleteWordForward: "Delete word forward"
    case .addCursorAtNextMatch: "Select the word, then add a cursor at the next such place"
    case .addCursorAbove: "Add a cursor in the line above"
    case .addCursorBelow: "Add a cursor in the line below"
    case .deleteToLineStart: "Delete to the start"
    case .deleteToLineEnd: "Delete to the end"
    case .undo: "Undo"
    case .redo: "Redo"
    case .cut: "Cut"
    case .paste: "Paste"
    case .nextProblem: "Next problem"
    case .previousProblem: "Previous problem"
    case .showHover: "What is this?"
    case .goToDefinition: "Go to the definition"
    case .renameSymbol: "Rename"
    case .showActions: "Actions for what is at the cursor"
    case .listProblems: "All problems"
    case .pickOperation: "Go to an operation"
    case .showOutline: "Go to a field, a fragment or a variable of the text"
    case .findText: "Find"
    case .replaceText: "Find and replace"
    case .expandSelection: "Select more, by syntax"
    case .shrinkSelection: "Select less again"
    case .foldText: "Fold or unfold the lines"
    case .unfoldAllText: "Unfold all lines"
    case .toggleWrap: "Wrap long lines, or cut them"
    case .editExternally: "Edit the text in $EDITOR"
    case .openSchema: "The schema: types, fields, search"
    case .showSchemaChanges: "What has changed in the schema"
    case .openFields: "The schema's fields, to tick"
    case .openVariablesForm: "The variables as a form"
    case .schemaBack: "Back"
    case .schemaForward: "Forward"
    case .schemaToQuery: "Query it"
    case .rowUp: "Up"
    case .rowDown: "Down"
    case .rowPageUp: "Page up"
    case .rowPageDown: "Page down"
    case .rowFirst: "First row"
    case .rowLast: "Last row"
    case .openRow: "Open"
    case .unfoldRow: "Unfold, else step in"
    case .foldRow: "Fold, else step out"
    case .toggleFold: "Fold or unfold"
    case .unfoldAll: "Unfold all beneath"
    case .foldAll: "Fold all beneath"
    case .copyValue: "Copy the value"
    case .copyPath: "Copy the path"
    case .searchResponse: "Search the response"
    case .nextMatch: "Next match"
    case .previousMatch: "Previous match"
    case .filterResponse: "Filter the response by jq"
    case .jumpToPath: "Go to a path"
    case .clearReading: "Leave the search, the table or the filter"
    case .toggleTable: "Show the list as a table, or as a tree again"
    case .toggleRaw: "Show the response as JSON text, or as a tree again"
    case .openLink: "Open the link in the browser"
    case .scrollLeft: "Scroll to the left"
    case .scrollRight: "Scroll to the right"
    case .comparePrevious: "Compare with the run before"
    case .showErrors: "List the errors"
    case .pauseEvents: "Stop the list of events, or let it go on"
    case .clearEvents: "Clear the events"
    case .promptAccept: "Take it"
    case .promptClose: "Leave it"
    case .promptPrevious: "The one before"
    case .promptNext: "The next one"
    case .nextColumn: "Next column"
    case .previousColumn: "Previous column"
    case .sortColumn: "Sort by the column, downward, not at all"
    case .hideColumn: "Hide the column"
    case .showColumns: "Show all columns"
    case .widenColumn: "Widen the column"
    case .narrowColumn: "Narrow the column"
    case .exportTable: "Export the table"
    case .filterRecords: "Filter the records"
    case .clearFilter: "Clear the filter"
    case .goBack: "Back"
    case .goForward: "Forward"
    case .showReferrers: "Go to who refers to it"
    case .evict: "Evict the record or field"
    case .sortRecords: "Sort the records by the next column"
    case .reverseSort: "Reverse the order of the records"
    case .markRecord: "Mark the record"
    case .evictType: "Evict every record of this type"
    case .collectRecords: "Collect what the roots do not lead to"
    case .clearCache: "Clear the cache"
    case .undoCacheChange: "Undo the last change of the cache"
    case .editValue: "Edit the value"
    case .showWrites: "Time line of the cache's writes"
    case .showWriteOfField: "Show the write that the field came from"
    case .showWritesOfPart: "Show what the fragment's part wrote to the cache"
    case .showPartOfWrite: "Show the response as it was after the part that wrote this"
    case .toggleSources: "Mark where each field came from: network, cache, part"
    case .openCache: "Look at another program's cache: SQLite or exported JSON"
    case .openCacheToChange: "Open another program's cache to change it"
    case .closeCache: "Back to the explorer's own cache"
    case .refreshRecords: "Read the records again"
    case .popupDelete: "Take it away"
    case .popupUp: "Up"
    case .popupDown: "Down"
    case .popupPageUp: "Page up"
    case .popupPageDown: "Page down"
    case .popupFirst: "First"
    case .popupLast: "Last"
    case .popupAccept: "Accept"
    case .popupClose: "Close"
    case .acceptOrNewline: "Take what was chosen, else a new line"
    case .popupNextField: "To the replacement, and back"
    case .replaceAll: "Replace all"
    case .confirmYes: "Yes"
    case .confirmNo: "No"
    }
  }

  /// Commands that mean something by name alone: a cursor key is no entry of a palette.
  package var isInPalette: Bool {
    switch self {
    case .runOperation, .cancel, .nextPage, .previousPage, .allPages, .tenPages, .firstPage, .choosePagedList,
      .offerPaging, .searchResponse, .filterResponse, .jumpToPath, .toggleTable, .toggleRaw, .openLink,
      .comparePrevious,
      .showErrors, .exportTable, .pauseEvents, .clearEvents,
      .previousPart, .nextPart, .newestPart, .showTraffic, .showHelp, .nextTheme, .reloadSchema, .toggleVim, .quit,
      .nextPane, .previousPane, .focusQuery, .focusVariables, .focusResponse, .focusDeferred, .focusCache,
      .focusHeaders, .newTab, .closeTab, .reopenTab, .nextTab, .previousTab, .renameTab, .pickTab, .showHistory,
      .openFile, .saveFile, .saveFileAs, .importRequest, .copyAsCurl, .copyAsHTTP, .copyAsCommand, .saveResponse,
      .recordSession,
      .pickProfile, .pickTheme, .nextLayout, .zoomPane, .widenTexts, .narrowTexts, .heightenUpper, .lowerUpper,
      .toggleMouse, .suspend, .showJumpLabels, .selectAll, .complete,
      .toggleComment, .formatDocument, .undo, .redo, .cut, .paste, .nextProblem, .previousProblem,
      .addCursorAtNextMatch, .addCursorAbove,
      .addCursorBelow, .unfoldAll, .foldAll,
      .showHover, .goToDefinition, .renameSymbol, .showActions, .listProblems, .pickOperation, .showOutline, .findText,
      .replaceText,
      .expandSelection, .shrinkSelection, .foldText, .unfoldAllText, .toggleWrap, .editExternally, .openSchema,
      .openFields, .openVariablesForm, .showSchemaChanges,
      .copyValue, .copyPath, .filterRecords, .clearFilter, .goBack, .goForward, .showReferrers, .evict, .refreshRecords,
      .sortRecords, .reverseSort, .markRecord, .evictType, .collectRecords, .clearCache, .undoCacheChange, .editValue,
      .showWrites, .showWriteOfField, .showWritesOfPart, .showPartOfWrite, .toggleSources, .openCache,
      .openCacheToChange, .closeCache:
      true
    default: false
    }
  }

  /// What it asks of a text; nil for what is asked of anything else.
  var text: TextCommand? { self == .completeOrIndent ? .indent : TextCommand(rawValue: rawValue) }
}
