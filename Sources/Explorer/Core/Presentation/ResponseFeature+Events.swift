import ApusFormatting
import ApusJSON

/// The event list of a subscription, and the opened event.
extension ResponseFeature {
  func copyEvent() -> [FollowUp] {
    guard let line = reading.events?.selected, let result = payloads.result(ofPayload: line.payloadIndex) else {
      return []
    }
    // Without data, the event consists of its errors.
    guard let data = result.data, !data.isNull else { return [.effect(.exchange(.copy(wholeEvent(result))))] }
    return [.effect(.exchange(.copy(VisibleJSON(data, without: run?.operation?.hidden))))]
  }

  /// Opens the selected event. New events wait while it is shown.
  mutating func openEvent() -> [FollowUp] {
    guard let line = reading.events?.selected else { return [] }
    guard let result = payloads.retain(payload: line.payloadIndex) else {
      return [.notice("The event is no longer stored", .warning)]
    }
    reading.view = .tree
    show(result, highlighting: [])
    return []
  }

  /// Returns from an event to the event list.
  mutating func closeEvent() -> [FollowUp] {
    reading.view = .events
    if let result = payloads.showNewest() { show(result, highlighting: []) }
    return []
  }

  mutating func togglePauseOfEvents() -> [FollowUp] {
    let waiting = reading.events?.waitingCount ?? 0
    reading.events?.togglePause()
    let isPaused = reading.events?.isPaused == true
    payloads.retain(standing: isPaused ? reading.events?.listedPayloads : nil)
    let words =
      isPaused
      ? "Paused: the latest \(DisplayFormat.count(EventList.limit)) new events are held back"
      : "Resumed with \(DisplayFormat.plural(waiting, "waiting event"))"
    return [.notice(words)] + (reading.isEventOpen ? closeEvent() : [])
  }

  mutating func clearEvents() -> [FollowUp] {
    reading.events?.clear()
    payloads.retain(standing: nil)
    return reading.isEventOpen ? closeEvent() : []
  }
}
