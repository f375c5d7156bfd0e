/// In which form to export the table or the waterfall.
package struct ExportState: ListPopupState {
  package enum Subject: Hashable, Sendable { case table, waterfall }

  package let subject: Subject
  package var list = ListCursor()

  package init(_ subject: Subject) { self.subject = subject }

  package var popup: Popup { .export(self) }
  package var title: String {
    switch subject {
    case .table: "Export the table as"
    case .waterfall: "Export the waterfall as"
    }
  }
  package var choices: [String] {
    switch subject {
    case .table: ResponseTable.Format.allCases.map(\.title)
    case .waterfall: Waterfall.Format.allCases.map(\.title)
    }
  }

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.choice, .everywhere] }
  package func rowCount(in state: ExplorerState) -> Int { choices.count }

  package func perform(_ command: Command, on state: inout ExplorerState) -> [Effect]? {
    if let effects = move(command, on: &state) { return effects }
    switch command {
    case .popupAccept:
      _ = close(on: &state)
      return effects(in: state)
    case .popupClose: return close(on: &state)
    default: return nil
    }
  }

  private func effects(in state: ExplorerState) -> [Effect] {
    switch subject {
    case .table:
      guard let table = state.tab.response.reading.table else { return [] }
      return [.exportTable(table, as: ResponseTable.Format.allCases[list.selected])]
    case .waterfall:
      return [.exportWaterfall(state.tab.response.waterfall, as: Waterfall.Format.allCases[list.selected])]
    }
  }
}
