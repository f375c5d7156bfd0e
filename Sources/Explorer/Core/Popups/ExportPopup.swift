/// A choice of export formats for the table or the timeline.
package struct ExportState: ListPopupState {
  package enum Subject: Equatable, Sendable { case table, waterfall }

  package let subject: Subject
  package var list = ListCursor()

  package init(_ subject: Subject) { self.subject = subject }

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

  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupAnswer {
    if let answer = move(command, in: state) { return answer }
    switch command {
    case .popupAccept: return .close(export(of: state.tab.response).map { [.effect($0)] } ?? [])
    case .popupClose: return .close()
    default: return .passOn
    }
  }

  private func export(of response: TabResponse) -> Effect? {
    switch subject {
    case .table: response.reading.table.map { .exportTable($0, as: ResponseTable.Format.allCases[list.selected]) }
    case .waterfall: .exportWaterfall(response.waterfall, as: Waterfall.Format.allCases[list.selected])
    }
  }
}
