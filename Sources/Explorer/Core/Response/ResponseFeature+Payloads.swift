import ApusFormatting

/// Navigation through the payloads of a response: the response, the deferred pane and the cache are shown
/// as of a payload.
extension ResponseFeature {
  /// The cache revision to show while an earlier payload is shown; nil for the current revision.
  var revision: CacheRevision? {
    run.flatMap { run in payloads.shownIndex.map { CacheRevision(run: run.id, result: $0) } }
  }

  /// The name of a payload: "event" for a subscription, unless an event has several payloads.
  package var payloadName: String { reading.events == nil || run?.continuations ?? 0 > 0 ? "payload" : "event" }

  mutating func stepThroughPayloads(by step: Int) -> [FollowUp] { show(at: payloads.step(by: step)) }

  /// Shows the oldest retained payload, or the oldest listed event.
  mutating func showFirstPayload() -> [FollowUp] {
    if let oldest = reading.events?.oldest { return show(at: payloads.show(payload: oldest)) }
    return show(at: payloads.showFirst())
  }
  mutating func showNewestPayload() -> [FollowUp] { show(at: payloads.showNewest()) }

  /// Shows the payload or event with the number that was typed, counted from 1.
  mutating func show(payloadNumbered text: String) -> [FollowUp] {
    let kind = payloadName
    let range = "\(DisplayFormat.count(payloads.oldestIndex + 1)) to \(DisplayFormat.count(payloads.count))"
    guard let number = Int(text.filter { !$0.isWhitespace }), let result = payloads.show(index: number - 1) else {
      return [.notice("There is no \(kind) '\(text)': enter a number from \(range)", .warning)]
    }
    return show(at: result)
  }

  mutating func show(payload: Int) -> [FollowUp] { show(at: payloads.show(payload: payload)) }

  /// Shows the response and the fragments as of a result.
  private mutating func show(at result: RunResult?) -> [FollowUp] {
    guard let result, run != nil else { return [] }
    show(result, highlighting: result.changedPaths)
    let (kind, count) = (payloadName, DisplayFormat.count(payloads.count))
    if let shown = payloads.shownIndex {
      return [
        .notice("Response, fragments and cache after \(kind) \(DisplayFormat.count(shown + 1)) of \(count)")
      ]
    }
    return [.notice("Latest \(kind): \(count) of \(count)")]
  }

  /// Returns the origin of the value in a row.
  package func source(ofRow index: Int) -> FieldSource? {
    // Values that a filter produced have no origin.
    guard !reading.filter.isActive, tree.rows.indices.contains(index), case .leaf(let value) = tree.rows[index].content
    else {
      return nil
    }
    return payloads.source(of: value, at: tree.path(ofRow: index)) ?? (run?.isFromCache == true ? .cache : nil)
  }
}
