/// A choice of export formats for the table or the timeline.
package struct ExportPopup: ListPopupContent {
  package enum Subject: Equatable, Sendable { case table, rows, timeline }

  /// The forms in which rows are copied: the selected row, then all rows.
  private static let copyFormats: [ResponseTable.Format] = [.json, .csv, .tsv]

  package let subject: Subject
  package var list = ListCursor()

  package init(_ subject: Subject) { self.subject = subject }

  package var title: String {
    switch subject {
    case .table: "Export the table as"
    case .rows: "Copy to the clipboard"
    case .timeline: "Export the timeline as"
    }
  }
  package var choices: [String] {
    switch subject {
    case .table: ResponseTable.Format.allCases.map(\.title)
    case .rows:
      ["This row as JSON, complete", "This row as a CSV line", "This row as a TSV line"]
        + ["All rows as JSON, complete", "All rows as CSV, with a header", "All rows as TSV, with a header"]
    case .timeline: Timeline.Format.allCases.map(\.title) + ["Text to the clipboard"]
    }
  }

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.choice, .everywhere] }
  package func rowCount(in state: ExplorerState) -> Int { choices.count }

  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupResult {
    if let answer = move(command, in: state) { return answer }
    switch command {
    case .popupAccept: return .close(export(of: state.tab.response))
    case .popupClose: return .close()
    default: return .passOn
    }
  }

  private func export(of response: ResponseFeature) -> [FollowUp] {
    switch subject {
    case .table:
      guard let table = response.reading.table else { return [] }
      return [.effect(.export(.table(table, as: ResponseTable.Format.allCases[list.selected])))]
    case .rows:
      let formats = Self.copyFormats
      let (selected, format) = list.selected.quotientAndRemainder(dividingBy: formats.count)
      let table = response.reading.table
      guard let rows = selected == 0 ? table?.selectedRow() : table else { return [] }
      return [.effect(.exchange(.copyTable(rows, as: formats[format])))]
    case .timeline:
      let formats = Timeline.Format.allCases
      guard formats.indices.contains(list.selected) else { return [.copy(response.timeline.written(as: .text))] }
      return [.effect(.export(.timeline(response.timeline, as: formats[list.selected])))]
    }
  }
}
