import ApusFormatting
import ApusExplorerCore
import ApusExplorerTerminal

/// Draws the events of a subscription, one per line: number, time and summary.
extension Painter {
  mutating func paintEvents(_ events: EventList, in area: Rect) {
    if events.shown.isEmpty {
      let isLive = state.tab.response.run?.isActive == true
      let said = !events.filter.isEmpty ? "No event matches" : isLive ? "\(spinner) waiting for an event" : "No events"
      return paintEmpty([said], in: area)
    }
    let traffic = state.tab.response.traffic
    let digits = String((events.shown.last?.payloadIndex ?? 0) + 1).count
    paintRows(events.list, count: events.shown.count, in: area, isFocused: state.screen.focus == .response) {
      painter, index, rect in
      let event = events.shown[index]
      let isBehindLoss = traffic?.wasLost(from: event.previous, to: event.elapsed) == true
      painter.paintEvent(event, isBehindLoss: isBehindLoss, digits: digits, in: rect)
    }
  }

  private mutating func paintEvent(_ event: EventLine, isBehindLoss: Bool, digits: Int, in rect: Rect) {
    let number = String(event.payloadIndex + 1)
    var column = rect.column + 1 + digits - number.count
    column = put(number, at: column, in: rect, theme[.lineNumber]) + 1
    if rect.width >= 40 {
      if rect.width >= 70, let start = state.tab.response.run?.operation?.startedAt {
        column = put("\(start.advanced(by: event.elapsed))", at: column, in: rect, theme[.muted])
      }
      let time = DisplayFormat.exactDuration(event.elapsed)
      column = put(time, at: column + max(0, 10 - TextWidth.width(of: time)), in: rect, theme[.muted]) + 1
    }
    if event.isBehindGap {
      let quiet = DisplayFormat.duration(event.elapsed - event.previous)
      column = put("\(glyphs.ellipsis) \(quiet) quiet  ", at: column, in: rect, theme[.accent])
    }
    // Events during the disconnection may be missing before this one.
    if isBehindLoss { column = put("\(glyphs.warning) reconnected  ", at: column, in: rect, theme[.warning]) }
    if event.hasErrors { column = put("\(glyphs.error) ", at: column, in: rect, theme[.error]) }
    let text = TextWidth.truncated(event.text, to: max(0, rect.endColumn - column), ellipsis: glyphs.ellipsis)
    put(text, at: column, in: rect, theme[.text])
  }

  /// The note in the title.
  var eventsNote: String {
    guard let events = state.tab.response.reading.events else { return "" }
    let isOpen = state.tab.response.reading.isEventOpen
    if let shown = state.tab.response.payloads.shownIndex, isOpen {
      let name = state.tab.response.payloadName
      return "\(name) \(DisplayFormat.count(shown + 1)) of \(DisplayFormat.count(state.tab.response.payloads.count))"
    }
    let forgotten = events.forgottenCount > 0 ? ", \(DisplayFormat.count(events.forgottenCount)) older dropped" : ""
    let count = DisplayFormat.plural(events.count, "event") + forgotten
    if !events.isPaused { return isOpen ? "latest event" : count }
    return "\(count), paused" + (events.waitingCount > 0 ? ", \(DisplayFormat.count(events.waitingCount)) waiting" : "")
  }
}
