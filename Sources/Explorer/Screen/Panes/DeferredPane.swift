import ApusFormatting
import ApusExplorerCore
import ApusExplorerTerminal
import ApusJSON

/// The columns of the timeline, aligned across all rows.
struct TimelineColumns {
  let name: Range<Int>
  /// The column of paths; empty if there is no space.
  let path: Range<Int>
  let bar: Range<Int>
  let note: Range<Int>

  init(in rect: Rect, names: Int) {
    let isWide = Self.isWide(rect.width)
    let name = rect.column + 4
    let nameEnd = name + min(names, max(8, rect.width / (isWide ? 5 : 3)))
    let pathEnd = isWide ? nameEnd + 1 + rect.width / 5 : nameEnd
    // The pane has about 60 cells of a terminal with 200, where own times fit too.
    let noteWidth = rect.width >= 100 ? 40 : rect.width >= 56 ? 20 : rect.width >= 40 ? 10 : 8
    let noteStart = rect.endColumn - 1 - noteWidth
    self.name = name..<nameEnd
    path = (isWide ? nameEnd + 1 : nameEnd)..<pathEnd
    bar = (pathEnd + 1)..<max(pathEnd + 1, noteStart - 1)
    note = noteStart..<max(noteStart, rect.endColumn - 1)
  }
}

/// The list of the deferred pane, with the axis as its first line, and the filter below it.
struct DeferredPaneGeometry {
  let list: Rect
  let filter: Rect?
  /// Whether the keys are for the rows.
  let hasKeys: Bool

  init(_ response: ResponseFeature, in area: Rect) {
    let listing = response.deferredListing
    hasKeys = !listing.isFiltering
    let hasFilter = (listing.isFiltering || !listing.filter.isEmpty) && response.deliveryCount > 0
    filter = hasFilter ? area.line(area.height - 1) : nil
    list = Rect(
      column: area.column, row: area.row, width: area.width, height: max(0, area.height - (hasFilter ? 1 : 0)))
  }
}

extension TimelineColumns {
  /// Whether paths fit.
  static func isWide(_ width: Int) -> Bool { width >= 76 }
}

extension Painter {
  /// Returns the name of a bar. If its path does not fit, list items show their index.
  private func name(of bar: Timeline.Bar, isWide: Bool) -> String {
    let indices =
      isWide || bar.state == nil
      ? []
      : bar.path.components.compactMap { component -> Int? in
        if case .index(let index) = component { index } else { nil }
      }
    return bar.name + (indices.isEmpty ? "" : " \(indices.map { "[\($0)]" }.joined())")
  }

  /// Draws the timeline: an axis with a tick per payload, and a bar for each fragment, stream and resolver.
  mutating func paintDeferredPane(_ area: Rect) {
    let response = state.tab.response
    let count = response.deferredRowCount
    guard count > 0 || response.deliveryCount > 0 else {
      let isRunning = response.run?.isActive ?? false
      let isAwaited = isRunning || (response.run == nil && response.opened == nil)
      let said = isAwaited ? "Fragments with @defer appear here" : "No deferred fragments"
      return paintEmpty([said], in: area)
    }
    let geometry = DeferredPaneGeometry(response, in: area)
    let list = geometry.list
    let body = Rect(column: list.column, row: list.row + 1, width: list.width, height: max(0, list.height - 1))
    if let line = geometry.filter { paintDeferredFilter(in: line) }
    let axis = response.axis
    let visible = response.deferredList.scroll..<min(count, response.deferredList.scroll + max(1, body.height))
    let bars = visible.map { index in
      response.deferredRow(at: index).map { (row: $0, bar: response.bar(of: $0, on: axis)) }
    }
    let hasBar = count > body.height
    let isWide = TimelineColumns.isWide(area.width - (hasBar ? 1 : 0))
    let names = bars.reduce(0) { max($0, TextWidth.width(of: $1.map { name(of: $0.bar, isWide: isWide) } ?? "")) }
    let columns = TimelineColumns(
      in: Rect(column: area.column, row: area.row, width: area.width - (hasBar ? 1 : 0), height: 1), names: names)
    paintAxis(axis, columns, in: area.line(0))
    paintRows(
      response.deferredList, count: count, in: body, isFocused: state.screen.focus == .deferred && geometry.hasKeys
    ) {
      painter, index, rect in
      guard bars.indices.contains(index - visible.lowerBound), let shown = bars[index - visible.lowerBound] else {
        return
      }
      painter.paintDeferredRow(shown.row, shown.bar, axis, columns, in: rect)
    }
  }

  private mutating func paintDeferredFilter(in line: Rect) {
    let response = state.tab.response
    frame.fill(line, style: theme[.input])
    let column = put(" / ", at: line.column, in: line, theme[.accent, on: .input])
    let count =
      " \(DisplayFormat.count(response.shownDeliveryCount)) of \(DisplayFormat.count(response.deliveryCount)) "
    let end = paintInput(
      response.deferredListing.filterInput, at: column, in: room(in: line, beside: count), on: .input,
      hasKeys: response.deferredListing.isFiltering && state.screen.focus == .deferred)
    let countColumn = line.endColumn - TextWidth.width(of: count)
    if countColumn > end { put(count, at: countColumn, in: line, theme[.placeholder]) }
  }

  /// Draws the payloads as ticks, with a marker for the displayed one.
  private mutating func paintAxis(_ axis: Timeline.Axis, _ columns: TimelineColumns, in rect: Rect) {
    let width = columns.bar.count
    if width > 0 {
      let line = Rect(column: columns.bar.lowerBound, row: rect.row, width: width, height: 1)
      frame.fill(line, with: glyphs.axis, style: theme[.muted])
      for arrival in axis.arrivals {
        put(String(glyphs.tick), at: line.column + axis.cell(of: arrival, width: width), in: rect, theme[.muted])
      }
      if let shown = axis.shown {
        put(
          String(glyphs.scrubber), at: line.column + axis.cell(of: shown, width: width), in: rect,
          theme[axis.isInPast ? .warning : .accent])
      }
    }
    if let start = state.tab.response.run?.operation?.startedAt {
      // If space is short, omit the milliseconds.
      let words = ["started \(start)", "\(start)", "\(start)".prefix(8).description]
      let room = columns.bar.lowerBound - 1 - rect.column - 2
      put(words.first { $0.count <= room } ?? "", at: rect.column + 2, in: rect, theme[.muted])
    }
    put(DisplayFormat.duration(axis.end), at: columns.note.lowerBound, in: rect, theme[.muted])
  }

  private mutating func paintDeferredRow(
    _ row: DeferredRow, _ bar: Timeline.Bar, _ axis: Timeline.Axis, _ columns: TimelineColumns, in rect: Rect
  ) {
    let style = bar.state.map(self.style(of:))
    switch row {
    case .delivery:
      put(style.map { String($0.glyph) } ?? "", at: rect.column + 2, in: rect, theme[style?.role ?? .text])
    case .resolvers(_, let isOpen):
      put(String(isOpen ? glyphs.unfolded : glyphs.folded), at: rect.column + 2, in: rect, theme[.muted])
      put(bar.name, at: columns.name.lowerBound, in: rect, theme[.text])
      let end = columns.name.lowerBound + TextWidth.width(of: bar.name)
      put("  \(bar.word)", at: end, in: rect, theme[.muted])
      return
    case .resolver: break
    }
    let named = name(of: bar, isWide: !columns.path.isEmpty)
    let name = TextWidth.truncated(named, to: columns.name.count, ellipsis: glyphs.ellipsis)
    put(name, at: columns.name.lowerBound, in: rect, theme[bar.isLabeled ? .fragmentName : .text])
    let path = bar.path.components.isEmpty ? "data" : bar.path.description
    put(cutFront(path, to: columns.path.count), at: columns.path.lowerBound, in: rect, theme[.muted])
    paintBar(bar, axis, columns.bar, in: rect)
    // The glyph also shows the status, so if space is short the time takes precedence over the word.
    let shown = bar.notes.first { TextWidth.width(of: $0) <= columns.note.count } ?? bar.notes.last ?? ""
    put(
      TextWidth.truncated(shown, to: columns.note.count, ellipsis: glyphs.ellipsis), at: columns.note.lowerBound,
      in: rect, theme[style?.role ?? .muted])
  }

  private mutating func paintBar(
    _ bar: Timeline.Bar, _ axis: Timeline.Axis, _ cells: Range<Int>, in rect: Rect
  ) {
    guard let end = bar.end, !cells.isEmpty else { return }
    let cell = { (time: Duration) in axis.cell(of: time, width: cells.count) }
    // In an earlier payload, later times are unknown.
    let seen = axis.isInPast ? axis.shown.map(cell) ?? cells.count : cells.count
    let role = bar.state.map { style(of: $0).role } ?? .info
    for column in cell(bar.start)...max(cell(bar.start), cell(end)) {
      let isKnown = column <= seen
      let glyph = isKnown ? bar.state == .fromCache ? glyphs.barFromCache : glyphs.bar : glyphs.barUnknown
      put(String(glyph), at: cells.lowerBound + column, in: rect, theme[isKnown ? role : .muted])
    }
  }

  /// Truncates a path at its start, because its end is more specific.
  private func cutFront(_ text: String, to width: Int) -> String {
    let characters = Array(text)
    guard TextWidth.width(of: text) > width else { return text }
    return width > 1 ? "\(glyphs.ellipsis)\(String(characters.suffix(width - 1)))" : ""
  }
}
