import ApusClientAPI
import ApusExplorerCore
import ApusExplorerTerminal

extension Painter {
  mutating func paintRail(_ area: Rect) {
    let fragments = state.run?.fragments ?? []
    guard !fragments.isEmpty else {
      let isRunning = state.run?.isActive ?? false
      let said = isRunning || state.run == nil ? "Fragments with @defer show here" : "Nothing was deferred"
      return paintEmpty([said], in: area)
    }
    // One width for all labels and types, so that the eye runs down the columns.
    let labels = min(fragments.reduce(0) { max($0, TextWidth.width(of: $1.title)) }, max(8, area.width / 3))
    let types = fragments.reduce(0) { max($0, TextWidth.width(of: $1.shownType)) }
    let typeWidth = area.width - labels - types >= 24 ? types : 0
    paintRows(state.rail, count: fragments.count, in: area, isFocused: state.focus == .deferred) {
      painter, index, rect in
      painter.paintFragment(fragments[index], labelWidth: labels, typeWidth: typeWidth, in: rect)
    }
  }

  private mutating func paintFragment(
    _ fragment: DeferredFragment, labelWidth: Int, typeWidth: Int, in rect: Rect
  ) {
    let (glyph, role) = look(of: fragment.state)
    put(String(glyph), at: rect.column + 2, in: rect, theme[role])
    var column = rect.column + 4
    let label = TextWidth.truncated(fragment.title, to: labelWidth, ellipsis: glyphs.ellipsis)
    put(label, at: column, in: rect, theme[fragment.label == nil ? .text : .fragmentName])
    column += labelWidth + 1
    if typeWidth > 0 {
      put(fragment.shownType, at: column, in: rect, theme[.typename])
      column += typeWidth + 1
    }
    let time = settling(of: fragment)
    let timeColumn = rect.endColumn - 1 - TextWidth.width(of: time)
    put(time, at: timeColumn, in: rect, theme[role])
    let path = fragment.path.components.isEmpty ? "data" : fragment.path.description
    put(cutFront(path, to: timeColumn - 1 - column), at: column, in: rect, theme[.muted])
  }

  /// Of a path the end tells more than the start.
  private func cutFront(_ text: String, to width: Int) -> String {
    let characters = Array(text)
    guard TextWidth.width(of: text) > width, width > 1 else { return text }
    return "\(glyphs.ellipsis)\(String(characters.suffix(width - 1)))"
  }

  private func settling(of fragment: DeferredFragment) -> String {
    switch fragment.state {
    case .pending where state.history.isInPast: return settlingSincePast(of: fragment)
    case .pending: return state.run?.isActive == true ? "pending" : "never came"
    case .notExecuted: return "not executed"
    case .fulfilled: return fragment.settledAfter.map(Wording.duration) ?? "at once"
    case .failed: return "failed" + (fragment.settledAfter.map { " " + Wording.duration($0) } ?? "")
    }
  }
}

extension Painter {
  /// Of a fragment that was pending at the part that is looked back at: what became of it since.
  private func settlingSincePast(of fragment: DeferredFragment) -> String {
    guard let settled = state.history.settling(of: fragment) else {
      return state.run?.isActive == true ? "pending" : "pending, never came"
    }
    let time = settled.settledAfter.map { " at \(Wording.duration($0))" } ?? ""
    return settled.state.errors.isEmpty ? "pending, came\(time)" : "pending, failed\(time)"
  }
}

extension DeferredFragment {
  /// The type condition, where the title does not say it already.
  fileprivate var shownType: String {
    label == nil && name == nil ? "" : typeCondition.map { "on \($0)" } ?? ""
  }
}
