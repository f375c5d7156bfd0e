import ApusFormatting
import ApusExplorerCore
import ApusExplorerTerminal
import ApusJSON

extension PagedListsPopup: PopupView {
  func frames(in area: Rect, _ state: ExplorerState, _ layout: ScreenLayout) -> (frame: Rect, list: Rect) {
    PopupGeometry.pagedLists(self, in: area)
  }

  func paint(with painter: inout Painter, _ geometry: PopupGeometry) { painter.paintPagedLists(geometry, self) }
}

extension PagingOffersPopup: PopupView {
  func frames(in area: Rect, _ state: ExplorerState, _ layout: ScreenLayout) -> (frame: Rect, list: Rect) {
    PopupGeometry.pagingOffers(self, in: area)
  }

  func paint(with painter: inout Painter, _ geometry: PopupGeometry) { painter.paintPagingOffers(geometry, self) }
}

/// The layouts of the paging popups: choosing a list, and choosing an edit to the query.
extension PopupGeometry {
  static func pagedLists(_ choice: PagedListsPopup, in area: Rect) -> (frame: Rect, list: Rect) {
    let width = min(area.popupRoom.width, 72)
    let height = min(area.popupRoom.height, max(1, min(choice.lists.count, 12)) + 2)
    let frame = area.centered(Size(width: width, height: height))
    return (frame, frame.inset(horizontal: 1, vertical: 1))
  }

  static func listed(_ count: Int, width: Int, in area: Rect) -> (frame: Rect, list: Rect) {
    let frame = area.centered(
      Size(
        width: min(area.popupRoom.width, width),
        height: min(area.popupRoom.height, max(1, min(count, 12)) + 2)))
    return (frame, frame.inset(horizontal: 1, vertical: 1))
  }

  static func pagingOffers(_ choice: PagingOffersPopup, in area: Rect) -> (frame: Rect, list: Rect) {
    let lines = choice.selected.map { $0.removed.count + $0.added.count } ?? 0
    let count = min(choice.offers.count, 6)
    let frame = area.centered(
      Size(
        width: min(area.popupRoom.width, 76),
        height: min(area.popupRoom.height, count + min(lines, 10) + 6)))
    return (
      frame, Rect(column: frame.column + 1, row: frame.row + 2, width: frame.width - 2, height: count)
    )
  }
}

extension Painter {
  mutating func paintPagedLists(_ geometry: PopupGeometry, _ choice: PagedListsPopup) {
    paintBox(geometry.frame, title: "Choose a list")
    let list = geometry.list
    let first = choice.list.firstRow(count: choice.lists.count, height: list.height)
    for row in 0..<max(0, min(list.height, choice.lists.count - first)) {
      let item = choice.lists[first + row]
      let line = list.line(row)
      let canLoad = item.offers(choice.requested)
      let mark = pageMark(item)
      let note = itemCount(of: item) + (canLoad ? "" : ", no page in that direction")
      let noteColumn = line.endColumn - 1 - TextWidth.width(of: note)
      let path = TextWidth.truncated(
        " \(mark) \(item.path)", to: max(8, noteColumn - line.column - 1), ellipsis: glyphs.ellipsis)
      put(path, at: line.column, in: line, theme[canLoad ? .popup : .popupMuted])
      put(note, at: noteColumn, in: line, theme[.popupMuted])
      if first + row == choice.list.selected { paintPopupSelection(line) }
    }
  }

  mutating func paintPagingOffers(_ geometry: PopupGeometry, _ choice: PagingOffersPopup) {
    paintBox(
      geometry.frame,
      title: state.tab.response.run?.lists.isEmpty == false ? "Add paging" : "No pageable list yet")
    let inner = geometry.frame.inset(horizontal: 2, vertical: 1)
    put("Add the fields and arguments that paging needs, and run?", at: inner.column, in: inner.line(0), theme[.popup])
    for row in 0..<min(geometry.list.height, choice.offers.count) {
      let line = geometry.list.line(row)
      put("  \(choice.offers[row].title)", at: line.column, in: line, theme[.popup].with(.bold))
      if row == choice.list.selected { paintPopupSelection(line) }
    }
    guard let offer = choice.selected else { return }
    let lines = offer.removed.map { ("- \($0)", ThemeRole.error) } + offer.added.map { ("+ \($0)", .fulfilled) }
    let top = geometry.list.height + 2
    for (index, (text, role)) in lines.enumerated() where top + index < inner.height {
      let line = inner.line(top + index)
      put(
        TextWidth.truncated(text, to: line.width, ellipsis: glyphs.ellipsis), at: line.column, in: line,
        theme[role, on: .popup])
    }
  }

  /// Returns a glyph for the directions in which a list has more pages.
  func pageMark(_ list: PagedList) -> String {
    switch (list.hasPreviousPage, list.hasNextPage) {
    case (true, true): String(glyphs.pagesBothWays)
    case (true, false): String(glyphs.pagesBefore)
    case (false, true): String(glyphs.pagesAfter)
    case (false, false): String(glyphs.pagesNone)
    }
  }

  func itemCount(of list: PagedList) -> String {
    guard let total = list.totalCount, total > list.itemCount else {
      return DisplayFormat.plural(list.itemCount, "item")
    }
    return "\(DisplayFormat.count(list.itemCount)) of \(DisplayFormat.plural(total, "item"))"
  }

  /// Returns the paging note in the response's title.
  func pagingNote(_ run: Run) -> String {
    if let paging = run.paging {
      let list = run.lists.first { $0.path == paging.path }
      let cancel = keys.key(for: .cancel, in: state) ?? keys.key(for: .copyOrCancel, in: state)
      let stop = cancel.map { ", \($0) stops" } ?? ""
      if paging.pages == 0 { return "loading a page \(glyphs.ellipsis)\(stop)" }
      let rate = paging.rateInTenths.map { ", \($0 / 10).\($0 % 10)/s" } ?? ""
      return DisplayFormat.plural(paging.pages, "page") + rate + (list.map { ", \(itemCount(of: $0))" } ?? "") + stop
    }
    guard !run.isActive,
      let list = state.tab.response.listToPage(isFocused: state.screen.focus == .response) ?? run.lists.first(
        where: \.hasNextPage) ?? run.lists.first
    else { return "" }
    let several = run.lists.count > 1 ? ", \(run.lists.count) lists" : ""
    var hints: [String] = []
    if list.hasPreviousPage, let key = keys.key(for: .previousPage, in: state) { hints.append("\(key) before") }
    if list.hasNextPage, let key = keys.key(for: .nextPage, in: state) { hints.append("\(key) for more") }
    if !hints.isEmpty, list.lacksCursor, let key = keys.key(for: .offerPaging, in: state) {
      hints.append("\(key) adds the cursor")
    }
    let items = itemCount(of: list) + several
    if hints.isEmpty { return list.shortfall.map { "\(items); \($0)" } ?? "\(items), all" }
    return items + ", " + hints.joined(separator: ", ")
  }
}
