import JSON

/// The events of a subscription: the list, and one of them opened.
extension ExplorerState {
  /// Whether the response is shown as a list of events.
  package var isShowingEvents: Bool { reading.events.map { !$0.isOpen } ?? false }

  func eventsReason(_ command: Command) -> String? {
    guard let events = reading.events else { return "Only for a subscription" }
    switch command {
    case .pauseEvents where !events.isPaused && run?.isActive != true: return "No more events come"
    case .clearEvents where events.count + events.waitingCount == 0: return "There are no events"
    default: return nil
    }
  }

  mutating func invokeInEvents(_ command: Command) -> [Effect]? {
    guard var events = reading.events, !events.isOpen else { return nil }
    if let list = moved(events.list, by: command, count: events.shown.count, rows: viewportRows(.response)) {
      reading.events?.list = list
      return []
    }
    switch command {
    case .searchResponse: reading.prompt = .events
    case .clearReading where !events.filter.isEmpty:
      events.clearFilter()
      reading.events = events
    case .openRow, .unfoldRow, .jumpToPath, .filterResponse, .toggleTable, .toggleRaw, .comparePrevious:
      let effects = openEvent()
      guard reading.events?.isOpen == true, command != .openRow, command != .unfoldRow else { return effects }
      return effects + (invokeInReading(command) ?? [])
    case .copyValue:
      guard let line = events.selected, let data = history.result(ofPart: line.part)?.data else { return [] }
      return [.copy(SharedJSON(data, without: run?.operation?.hidden))]
    default: return nil
    }
    return []
  }

  /// While an event is looked at, those that come wait behind it.
  private mutating func openEvent() -> [Effect] {
    guard let line = reading.events?.selected else { return [] }
    guard let result = history.hold(part: line.part), let run else {
      notice = Notice("This event is no longer remembered", .warning)
      return []
    }
    reading.events?.isOpen = true
    show(result, highlighting: [])
    return [.viewPart(run: run.id, part: history.shownIndex)]
  }

  /// From an event back to the list of them.
  mutating func closeEvent() -> [Effect] {
    reading.events?.isOpen = false
    guard let result = history.showNewest(), let run else { return [] }
    show(result, highlighting: [])
    return [.viewPart(run: run.id, part: nil)]
  }

  mutating func changeEvents(_ command: Command) -> [Effect] {
    switch command {
    case .pauseEvents:
      let waiting = reading.events?.waitingCount ?? 0
      reading.events?.togglePause()
      notice = Notice(
        reading.events?.isPaused == true
          ? "The list stands still; what comes meanwhile waits" : "The list goes on, with \(waiting) that waited")
    case .clearEvents: reading.events?.clear()
    default: break
    }
    return reading.events?.isOpen == true ? closeEvent() : []
  }
}
