import ApusJSON

/// A presentation of the response. Each one has a list of rows, in which keys, clicks and scrolling move.
package enum ResponseView: Equatable, Sendable {
  case tree
  /// A list of the response as a table, with a row per item.
  case table(ResponseTable)
  /// The response as JSON text.
  case text(RawJSONState)
  /// The events of a subscription (`ResponsePresentation.events`).
  case events

  /// The number of lines above the first row.
  package var headerLines: Int {
    switch self {
    case .table: 1
    case .tree, .text, .events: 0
    }
  }
}

extension ResponsePresentation {
  package var table: ResponseTable? {
    if case .table(let table) = view { table } else { nil }
  }

  package var hasRowFilter: Bool { table?.filter.isEmpty == false }

  package var raw: RawJSONState? {
    if case .text(let raw) = view { raw } else { nil }
  }

  mutating func changeTable(_ change: (inout ResponseTable) -> Void) {
    guard case .table(var table) = view else { return }
    change(&table)
    view = .table(table)
  }

  mutating func changeRaw(_ change: (inout RawJSONState) -> Void) {
    guard case .text(var raw) = view else { return }
    change(&raw)
    view = .text(raw)
  }
}

extension ResponseFeature {
  package var view: ResponseView { reading.view }

  /// The list of the response's view.
  package var list: ListCursor {
    get {
      switch view {
      case .tree: shownTree.list
      case .table(let table): table.list
      case .text(let raw): raw.list
      case .events: reading.events?.list ?? ListCursor()
      }
    }
    set {
      switch view {
      case .tree: shownTree.list = newValue
      case .table: reading.changeTable { $0.list = newValue }
      case .text: reading.changeRaw { $0.list = newValue }
      case .events: reading.events?.list = newValue
      }
    }
  }

  package var rowCount: Int {
    switch view {
    case .tree: shownTree.rows.count
    case .table(let table): table.count
    case .text(let raw): raw.lineCount
    case .events: reading.events?.shown.count ?? 0
    }
  }

  /// Returns the effects that recompute outdated values in the background: those of the view, the filtered events, and
  /// the differences from the compared response.
  mutating func derivedEffects() -> [Effect] {
    var effects = derivedEffectsOfView()
    if let run, let next = reading.events?.nextToFilter() {
      effects.append(
        .run(run.id, .filterEvents(reading.events?.filter ?? "", next.lines, version: next.version)))
    }
    if let effect = comparisonEffect() { effects.append(effect) }
    return effects
  }

  /// Returns the effects that compute a view's content again if the response has changed.
  private mutating func derivedEffectsOfView() -> [Effect] {
    var effect: Effect?
    switch view {
    case .tree, .events: break
    case .table: reading.changeTable { effect = $0.orderEffect() }
    case .text:
      guard content != .nothing else { break }
      let shown = shownTree
      let source = RawJSONState.Source(data: shown.data, errors: shown.errors, extensions: shown.extensions)
      let response = complete
      reading.changeRaw { effect = $0.layOut(response, from: source) }
    }
    return effect.map { [$0] } ?? []
  }

  /// Selects a path, and its row in the table if the table contains it. Text has no rows for paths, so the tree replaces
  /// it.
  mutating func reveal(_ path: ResponsePath) {
    switch view {
    case .tree, .events: break
    case .table: reading.changeTable { $0.reveal(path) }
    case .text: reading.view = .tree
    }
    shownTree.reveal(path)
  }

  /// Scrolls horizontally to the current match.
  mutating func show(fromColumn column: Int) {
    reading.search.isToBeShown = false
    switch view {
    case .tree: shownTree.firstColumn = column
    case .text: reading.changeRaw { $0.firstColumn = column }
    case .table, .events: break
    }
  }

  mutating func scrollText(columns: Int) -> [FollowUp] {
    switch view {
    case .tree: shownTree.firstColumn = max(0, shownTree.firstColumn + columns)
    case .text: reading.changeRaw { $0.scroll(columns: columns) }
    case .table, .events: break
    }
    return []
  }
}
