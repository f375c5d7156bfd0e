import ApusJSON

/// The events of a subscription: the list, and one of them opened.
extension ExplorerState {
  mutating func copyEvent() -> [Effect] {
    guard let line = reading.events?.selected, let data = history.result(ofPart: line.part)?.data else { return [] }
    return [.copy(SharedJSON(data, without: run?.operation?.hidden))]
  }

  /// While an event is looked at, those that come wait behind it.
  mutating func openEvent() -> [Effect] {
    guard let line = reading.events?.selected else { return [] }
    guard let result = history.hold(part: line.part) else {
      notice = Notice("This event is no longer remembered", .warning)
      return []
    }
    reading.events?.isOpen = true
    show(result, highlighting: [])
    return []
  }

  /// From an event back to the list of them.
  mutating func closeEvent() -> [Effect] {
    reading.events?.isOpen = false
    if let result = history.showNewest() { show(result, highlighting: []) }
    return []
  }

  mutating func togglePauseOfEvents() -> [Effect] {
    let waiting = reading.events?.waitingCount ?? 0
    reading.events?.togglePause()
    notice = Notice(
      reading.events?.isPaused == true
        ? "The list stands still; what comes meanwhile waits" : "The list goes on, with \(waiting) that waited")
    return reading.events?.isOpen == true ? closeEvent() : []
  }

  mutating func clearEvents() -> [Effect] {
    reading.events?.clear()
    return reading.events?.isOpen == true ? closeEvent() : []
  }
}
