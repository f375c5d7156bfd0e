import ApusJSON

/// The table presentation of the response.
extension ResponseFeature {
  /// Returns the list to show: the one that is paged, otherwise the one around the selected row, otherwise the first
  /// list of objects.
  func tablePath(isFocused: Bool) -> ResponsePath? {
    let shown = shownTree
    if reading.filter.result == nil, let list = listToPage(isFocused: isFocused) ?? run?.lists.first {
      return list.listPath
    }
    var path = shown.path(ofRow: shown.list.selected).components
    while !path.isEmpty {
      if let value = shown.data?.value(at: ResponsePath(path)), value.kind == .array, value[0]?.kind == .object {
        return ResponsePath(path)
      }
      path.removeLast()
    }
    return ResponseTable.firstList(in: shown.data)
  }

  mutating func toggleTable() -> [FollowUp] {
    if let table = reading.table {
      reading.view = .tree
      shownTree.reveal(table.selectedPath)
    } else if let path = tablePath(isFocused: true) {
      reading.view = ResponseTable(of: shownData, at: path).map { .table($0) } ?? .tree
    }
    return []
  }

  mutating func changeTable(_ change: (inout ResponseTable) -> Void) -> [FollowUp] {
    reading.changeTable(change)
    return []
  }
}
