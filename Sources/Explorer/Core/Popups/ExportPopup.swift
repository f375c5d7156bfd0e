/// In which form to export the table.
package struct ExportState: ListPopupState {
  package var list = ListCursor()

  package init() {}

  package var popup: Popup { .export(self) }

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.choice, .everywhere] }
  package func rowCount(in state: ExplorerState) -> Int { ResponseTable.Format.allCases.count }

  package func perform(_ command: Command, on state: inout ExplorerState) -> [Effect]? {
    if let effects = move(command, on: &state) { return effects }
    switch command {
    case .popupAccept:
      _ = close(on: &state)
      guard let table = state.reading.table else { return [] }
      return [.exportTable(table, as: ResponseTable.Format.allCases[list.selected])]
    case .popupClose: return close(on: &state)
    default: return nil
    }
  }
}
