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
    case .waterfall: Waterfall.Format.allCases.map(\.title) + ["Text, to the clipboard"]
    }
  }

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.choice, .everywhere] }
  package func rowCount(in state: ExplorerState) -> Int { choices.count }

  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupAnswer {
    if let answer = move(command, in: state) { return answer }
    switch command {
    case .popupAccept: return .close(export(of: state.tab.response))
    case .popupClose: return .close()
    default: return .passOn
    }
  }

  private func export(of response: TabResponse) -> [FollowUp] {
    switch subject {
    case .table:
      guard let table = response.reading.table else { return [] }
      return [.effect(.exportTable(table, as: ResponseTable.Format.allCases[list.selected]))]
    case .waterfall:
      let formats = Waterfall.Format.allCases
      guard formats.indices.contains(list.selected) else { return [.copy(response.waterfall.written(as: .text))] }
      return [.effect(.exportWaterfall(response.waterfall, as: formats[list.selected]))]
    }
  }
}
