import ApusClientAPI
import ApusExplorerText

/// The errors of the response, each leading to its place there and in the query.
package struct ErrorsState: ListPopupState {
  package var list = ListCursor()

  package init() {}

  package var popup: Popup { .errors(self) }

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.choice, .everywhere] }
  package func rowCount(in state: ExplorerState) -> Int { state.run?.errors.count ?? 0 }

  package func perform(_ command: Command, on state: inout ExplorerState) -> [Effect]? {
    if let effects = move(command, on: &state) { return effects }
    if command == .popupClose { return close(on: &state) }
    guard let errors = state.run?.errors, errors.indices.contains(list.selected) else { return nil }
    switch command {
    case .popupAccept: return showInResponse(errors[list.selected], on: &state)
    case .focusQuery: return showInQuery(errors[list.selected], on: &state)
    default: return nil
    }
  }

  private func showInResponse(_ error: GraphQLError, on state: inout ExplorerState) -> [Effect] {
    guard let path = error.path else {
      state.notice = Notice("The error names no place of the response", .warning)
      return []
    }
    state.reading.table = nil
    state.reading.raw = nil
    let effects = state.focus(on: .response)
    state.response.reveal(path)
    return effects
  }

  private func showInQuery(_ error: GraphQLError, on state: inout ExplorerState) -> [Effect] {
    guard let place = error.locations.first else {
      state.notice = Notice("The error names no place of the query", .warning)
      return []
    }
    let effects = state.focus(on: .query)
    let line = min(max(0, place.line - 1), state.query.buffer.lineCount - 1)
    state.query.place(TextPosition(line, min(max(0, place.column - 1), state.query.buffer.line(line).count)))
    return effects
  }
}
