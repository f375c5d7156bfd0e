/// How the response is shown. Each way has a list of rows: what moves, clicks and scrolls changes that list.
package enum ResponseView: Equatable, Sendable {
  /// The events of a subscription.
  case events
  case text, table, tree

  /// Lines above the first row.
  package var headerLines: Int {
    switch self {
    case .table: 1
    case .events, .text, .tree: 0
    }
  }
}

extension TabResponse {
  package var view: ResponseView {
    if let events = reading.events, !events.isOpen { return .events }
    if reading.raw != nil { return .text }
    return reading.table != nil ? .table : .tree
  }

  /// The list of what is shown of the response.
  package var list: ListCursor {
    get {
      switch view {
      case .events: reading.events?.list ?? ListCursor()
      case .text: reading.raw?.list ?? ListCursor()
      case .table: reading.table?.list ?? ListCursor()
      case .tree: shownTree.list
      }
    }
    set {
      switch view {
      case .events: reading.events?.list = newValue
      case .text: reading.raw?.list = newValue
      case .table: reading.table?.list = newValue
      case .tree: shownTree.list = newValue
      }
    }
  }

  package var rowCount: Int {
    switch view {
    case .events: reading.events?.shown.count ?? 0
    case .text: reading.raw?.lineCount ?? 0
    case .table: reading.table?.count ?? 0
    case .tree: shownTree.rows.count
    }
  }
}
