import ApusClientAPI
import ApusExplorerText

/// The errors of the response, each with all that is known of it, and leading to its place there and in the query.
package struct ErrorsState: ListPopupState {
  package var list = ListCursor()
  /// The first line in view of what is told of the selected one.
  package var scroll = 0

  package init(at index: Int = 0) { list.selected = index }

  package var popup: Popup { .errors(self) }

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.errors, .everywhere] }
  package func rowCount(in state: ExplorerState) -> Int { state.tab.response.run?.errors.count ?? 0 }

  package func perform(_ command: Command, on state: inout ExplorerState) -> [Effect]? {
    if command == .popupPageUp || command == .popupPageDown {
      var errors = self
      errors.scroll = max(0, scroll + (command == .popupPageUp ? -4 : 4))
      return errors.show(on: &state)
    }
    var moved = self
    moved.scroll = 0
    if let effects = moved.move(command, on: &state) { return effects }
    if command == .popupClose { return close(on: &state) }
    guard let errors = state.tab.response.run?.errors, errors.indices.contains(list.selected) else { return nil }
    switch command {
    case .popupAccept: return showInResponse(errors[list.selected], on: &state)
    case .errorToQuery, .focusQuery: return showInQuery(errors[list.selected], on: &state)
    default: return nil
    }
  }

  private func showInResponse(_ error: GraphQLError, on state: inout ExplorerState) -> [Effect] {
    guard let path = error.path else {
      state.screen.notice = Notice("The error names no place of the response", .warning)
      return []
    }
    state.tab.response.reading.table = nil
    state.tab.response.reading.raw = nil
    let effects = state.focus(on: .response)
    state.tab.response.tree.reveal(path)
    state.tab.response.tree.select(error)
    return effects
  }

  private func showInQuery(_ error: GraphQLError, on state: inout ExplorerState) -> [Effect] {
    guard let place = error.locations.first else {
      state.screen.notice = Notice("The error names no place of the query", .warning)
      return []
    }
    let effects = state.focus(on: .query)
    let line = min(max(0, place.line - 1), state.tab.texts.query.buffer.lineCount - 1)
    state.tab.texts.query.place(
      TextPosition(line, min(max(0, place.column - 1), state.tab.texts.query.buffer.line(line).count)))
    return effects
  }
}
