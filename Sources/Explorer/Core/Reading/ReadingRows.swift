import ApusExplorerText
import ApusJSON

/// The rows of the response, in whichever way it is shown: folding, copying, leaving.
extension TabResponse {
  mutating func openRow() -> [FollowUp] {
    if view == .events { return openEvent() }
    toggleFold()
    return []
  }

  /// What is shown whole when the selected row is opened: a value without rows of its own, a cell of the table.
  var openedValue: ValueState? {
    switch view {
    case .tree:
      let row = shownTree.list.selected
      guard let value = shownTree.value(ofRow: row), value.kind != .object, value.kind != .array else { return nil }
      return ValueState(path: shownTree.path(ofRow: row), value)
    case .table:
      guard let table = reading.table, let column = table.selectedColumnIndex,
        let value = table.value(row: table.list.selected, column: column)
      else { return nil }
      let item = ResponsePath(table.listPath.components + [.index(table.item(ofRow: table.list.selected))])
      return ValueState(path: item, value)
    case .text, .events: return nil
    }
  }

  mutating func toggleFold() {
    if view == .tree { shownTree.toggleFold(shownTree.list.selected) }
  }

  mutating func unfoldRow() -> [FollowUp] {
    guard view == .tree else { return openRow() }
    shownTree.unfoldOrEnter()
    return []
  }

  mutating func foldRow() {
    if view == .tree { shownTree.foldOrLeave() }
  }

  mutating func setFolds(areOpen: Bool) -> [FollowUp] {
    shownTree.setFoldBeneath(shownTree.list.selected, isOpen: areOpen)
    return []
  }

  /// A click where the row was selected before opens an event, and on its sign a fold.
  mutating func click(row: Int, onFold: Bool, wasFocused: Bool) -> [FollowUp] {
    let isAgain = wasFocused && list.selected == row
    list.select(row, count: rowCount)
    switch view {
    case .events: return isAgain ? openEvent() : []
    case .tree: if onFold { shownTree.toggleFold(row) }
    case .text, .table: break
    }
    return []
  }

  // MARK: Copying

  func copySelected() -> [FollowUp] {
    switch view {
    case .events: copyEvent()
    case .text: reading.raw?.selectedLine.map { [.copy($0)] } ?? []
    case .table: copyCell()
    case .tree: copyFromTree()
    }
  }

  private func copyCell() -> [FollowUp] {
    guard let table = reading.table, let column = table.selectedColumnIndex else { return [] }
    return [.copy(ResponseTable.text(of: table.value(row: table.list.selected, column: column)))]
  }

  private func copyFromTree() -> [FollowUp] {
    if case .problem(let error)? = shownTree.selectedRow?.content, tree.errors.indices.contains(error) {
      return [.copy(tree.errors[error].message)]
    }
    guard let value = shownTree.value(ofRow: shownTree.list.selected) else { return [] }
    if value.kind != .object && value.kind != .array { return [.copy(value.string ?? value.description)] }
    let path = shownTree.path(ofRow: shownTree.list.selected)
    return [.effect(.copy(SharedJSON(value, without: shownTree.hidden?.beneath(path))))]
  }

  func copyPath() -> [FollowUp] {
    switch view {
    case .events: return []
    case .text:
      return reading.raw.flatMap { raw in
        raw.text.map { [.effect(.findPlace($0, line: raw.list.selected, copies: true))] }
      } ?? []
    case .table:
      guard let table = reading.table else { return [] }
      let path = ResponsePath(table.listPath.components + [.index(table.item(ofRow: table.list.selected))])
      return [.copy(path.description)]
    case .tree: return [.copy(shownTree.path(ofRow: shownTree.list.selected).description)]
    }
  }

  /// The link in the selected row of the response.
  var selectedLink: String? {
    let text: String?
    switch view {
    case .table:
      text = reading.table.flatMap { table in
        table.selectedColumnIndex.flatMap { table.value(row: table.list.selected, column: $0)?.string }
      }
    case .text: text = reading.raw.flatMap { raw in raw.text?.line(raw.list.selected) }
    case .tree, .events: text = shownTree.value(ofRow: shownTree.list.selected)?.string
    }
    return text.flatMap(Link.first)
  }

  /// Shows a place of the response, in the table where it lies in it.
  mutating func reveal(_ path: ResponsePath) {
    if var table = reading.table, path.components.starts(with: table.listPath.components),
      path.components.count > table.listPath.components.count,
      case .index(let item) = path.components[table.listPath.components.count]
    {
      table.list.select(table.row(ofItem: item), count: table.count)
      reading.table = table
    }
    shownTree.reveal(path)
  }

  /// Whether there is something to leave: what is shown is searched, compared, filtered, or no tree.
  var isBeyondTree: Bool {
    let events = reading.events
    return reading.comparison != nil || reading.search.isActive || reading.raw != nil || reading.table != nil
      || reading.filter.isActive || events?.isOpen == true || events?.filter.isEmpty == false
  }

  /// Leaves what is shown of the response beyond the tree: the last of it first.
  mutating func leaveReading() -> [FollowUp] {
    if view == .events, reading.events?.filter.isEmpty == false {
      reading.events?.clearFilter()
      return []
    }
    if reading.comparison != nil {
      return leaveComparison()
    } else if reading.search.isActive {
      reading.search = ResponseSearch()
    } else if reading.raw != nil {
      return toggleRaw()
    } else if reading.table != nil {
      reading.table = nil
    } else if reading.filter.isActive {
      reading.filter.clear()
    } else if reading.events?.isOpen == true {
      return closeEvent()
    }
    return []
  }
}

extension TabResponse {
  /// The place of the response that the selected row is about; nil where a row is about none.
  var pathAtHand: ResponsePath? {
    switch view {
    case .tree: tree.rows.isEmpty ? nil : tree.path(ofRow: tree.list.selected)
    case .table:
      reading.table.map { table in
        ResponsePath(table.listPath.components + [.index(table.item(ofRow: table.list.selected))])
      }
    case .text, .events: nil
    }
  }
}
