import ApusJSON

/// The event list of a subscription, and the opened event.
extension ResponseFeature {
  func copyEvent() -> [FollowUp] {
    guard let line = reading.events?.selected, let data = parts.result(ofPart: line.part)?.data else { return [] }
    return [.effect(.copy(VisibleJSON(data, without: run?.operation?.hidden)))]
  }

  /// Opens the selected event. New events wait while it is shown.
  mutating func openEvent() -> [FollowUp] {
    guard let line = reading.events?.selected else { return [] }
    guard let result = parts.retain(part: line.part) else {
      return [.tell("The event is no longer stored", .warning)]
    }
    reading.view = .tree
    show(result, highlighting: [])
    return []
  }

  /// Returns from an event to the event list.
  mutating func closeEvent() -> [FollowUp] {
    reading.view = .events
    if let result = parts.showNewest() { show(result, highlighting: []) }
    return []
  }

  mutating func togglePauseOfEvents() -> [FollowUp] {
    let waiting = reading.events?.waitingCount ?? 0
    reading.events?.togglePause()
    let isPaused = reading.events?.isPaused == true
    parts.retain(standing: isPaused ? reading.events?.listedParts : nil)
    let words =
      isPaused
      ? "Paused: the latest \(DisplayFormat.count(EventList.limit)) new events are held back"
      : "Resumed with \(DisplayFormat.plural(waiting, "waiting event"))"
    return [.tell(words)] + (reading.isEventOpen ? closeEvent() : [])
  }

  mutating func clearEvents() -> [FollowUp] {
    reading.events?.clear()
    parts.retain(standing: nil)
    return reading.isEventOpen ? closeEvent() : []
  }
}
