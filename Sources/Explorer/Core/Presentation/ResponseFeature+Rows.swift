import ApusExplorerText
import ApusJSON

/// The rows of the response in any presentation: folding, copying and closing.
extension ResponseFeature {
  mutating func openRow() -> [FollowUp] {
    if view == .events { return openEvent() }
    toggleFold()
    return []
  }

  /// The value to show in a popup when the selected row is opened: a value without child rows, or a table cell.
  var openedValue: ValuePopup? {
    switch view {
    case .tree:
      let row = shownTree.list.selected
      guard let value = shownTree.value(ofRow: row), value.kind != .object, value.kind != .array else { return nil }
      return ValuePopup(path: shownTree.path(ofRow: row), value)
    case .table(let table):
      guard let column = table.selectedColumnIndex, let value = table.value(row: table.list.selected, column: column)
      else { return nil }
      return ValuePopup(path: table.selectedPath, value)
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
    shownTree.setFoldsBelow(shownTree.list.selected, isOpen: areOpen)
    return []
  }

  /// Selects a row. A click on the selected row opens an event; a click on a fold marker toggles the fold.
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
    case .text(let raw): raw.selectedLine.map { [.copy($0)] } ?? []
    case .table(let table): copyCell(of: table)
    case .tree: copyFromTree()
    }
  }

  private func copyCell(of table: ResponseTable) -> [FollowUp] {
    guard let column = table.selectedColumnIndex else { return [] }
    return [.copy(ResponseTable.text(of: table.value(row: table.list.selected, column: column)))]
  }

  private func copyFromTree() -> [FollowUp] {
    if case .problem(let error)? = shownTree.selectedRow?.content, tree.errors.indices.contains(error) {
      return [.copy(tree.errors[error].message)]
    }
    guard let value = shownTree.value(ofRow: shownTree.list.selected) else { return [] }
    if value.kind != .object && value.kind != .array { return [.copy(value.string ?? value.description)] }
    let path = shownTree.path(ofRow: shownTree.list.selected)
    return [.effect(.exchange(.copy(VisibleJSON(value, without: shownTree.hidden?.nested(path)))))]
  }

  func copyPath() -> [FollowUp] {
    switch view {
    case .events: return []
    case .text(let raw):
      return raw.text.map { [.effect(.reading(.findPath($0, line: raw.list.selected, copies: true)))] } ?? []
    case .table(let table): return [.copy(table.selectedPath.description)]
    case .tree: return [.copy(shownTree.path(ofRow: shownTree.list.selected).description)]
    }
  }

  var selectedLink: String? {
    let text: String?
    switch view {
    case .table(let table):
      text = table.selectedColumnIndex.flatMap { table.value(row: table.list.selected, column: $0)?.string }
    case .text(let raw): text = raw.text?.line(raw.list.selected)
    case .tree, .events: text = shownTree.value(ofRow: shownTree.list.selected)?.string
    }
    return text.flatMap(Link.first)
  }

  /// Whether there is a presentation to close: a search, a comparison, a filter, or anything but the tree.
  var isBeyondTree: Bool {
    let isOther =
      switch view {
      case .table, .text: true
      case .tree, .events: reading.isEventOpen
      }
    return isOther || reading.comparison != nil || reading.search.isActive || reading.filter.isActive
      || reading.events?.filter.isEmpty == false
  }

  /// Closes the most recent part of the presentation, until only the tree is left.
  mutating func closePresentation() -> [FollowUp] {
    if view == .events, reading.events?.filter.isEmpty == false {
      reading.events?.clearFilter()
      return []
    }
    if reading.comparison != nil {
      return leaveComparison()
    }
    if reading.search.isActive {
      reading.search = ResponseSearch()
      return []
    }
    switch view {
    case .text: return toggleRaw()
    case .table(let table):
      if table.filter.isEmpty { reading.view = .tree } else { reading.changeTable { $0.clearFilter() } }
    case .tree, .events:
      if reading.filter.isActive {
        reading.filter.clear()
      } else if reading.isEventOpen {
        return closeEvent()
      }
    }
    return []
  }
}

extension ResponseFeature {
  /// The text at a path of the response; nil if the value there is none.
  func text(at path: ResponsePath) -> String? {
    guard let text = tree.data?.value(at: path)?.string, !text.isEmpty else { return nil }
    return text
  }

  /// The response path of the selected row; nil if the row has none.
  var pathAtHand: ResponsePath? {
    switch view {
    case .tree: tree.rows.isEmpty ? nil : tree.path(ofRow: tree.list.selected)
    case .table(let table): table.selectedPath
    case .text, .events: nil
    }
  }
}
