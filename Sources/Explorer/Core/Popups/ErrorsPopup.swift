import ApusClientAPI
import ApusExplorerText

/// The errors of the response with their details, and navigation to their locations in the response and the query.
package struct ErrorsPopup: ListPopupContent {
  package var list = ListCursor()
  /// The first visible line of the selected error's details.
  package var scroll = 0

  package init(at index: Int = 0) { list.selected = index }

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.errors, .everywhere] }
  package func rowCount(in state: ExplorerState) -> Int { state.tab.response.errors.count }

  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupResult {
    if command == .popupPageUp || command == .popupPageDown {
      scroll = max(0, scroll + (command == .popupPageUp ? -4 : 4))
      return .stay()
    }
    if let answer = move(command, in: state) {
      scroll = 0
      return answer
    }
    if command == .popupClose { return .close() }
    let errors = state.tab.response.errors
    guard errors.indices.contains(list.selected) else { return .passOn }
    switch command {
    case .popupAccept: return showInResponse(errors[list.selected])
    case .copyError: return .stay(.effect(.exchange(.copy(VisibleJSON(errors[list.selected].json)))))
    case .errorToQuery, .focusQuery: return showInQuery(errors[list.selected], state.tab.editors.query)
    default: return .passOn
    }
  }

  private func showInResponse(_ error: GraphQLError) -> PopupResult {
    guard error.path != nil else { return .stay(.notice("The error has no path", .warning)) }
    return .stay(.choose(.error(error)))
  }

  private func showInQuery(_ error: GraphQLError, _ query: Editor) -> PopupResult {
    guard let location = error.locations.first else {
      // Many servers send only the path.
      if let path = error.path { return .stay(.choose(.field(path))) }
      return .stay(.notice("The error has no location in the query", .warning))
    }
    let line = max(0, location.line - 1)
    // Fragments from other files follow the query in the request.
    guard line < query.buffer.lineCount else {
      return .stay(.notice("The error is in a fragment from another file", .warning))
    }
    // Servers count columns in UTF-16 code units, as the reference implementation does.
    let before = query.buffer.line(line).utf16.prefix(max(0, location.column - 1))
    return .stay(.choose(.position(.query, TextPosition(line, String(decoding: before, as: UTF16.self).utf8.count))))
  }
}
