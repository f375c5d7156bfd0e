/// Navigation through the payloads of a response: the response, the deferred pane and the cache are shown
/// as of a payload.
extension ResponseFeature {
  /// The cache revision to show while an earlier payload is shown; nil for the current revision.
  var revision: CacheRevision? {
    run.flatMap { run in parts.shownIndex.map { CacheRevision(run: run.id, result: $0) } }
  }

  mutating func stepThroughParts(by step: Int) -> [FollowUp] { show(at: parts.step(by: step)) }
  /// Shows the oldest retained payload, or the oldest listed event.
  mutating func showFirstPart() -> [FollowUp] {
    if let oldest = reading.events?.oldest { return show(at: parts.show(part: oldest)) }
    return show(at: parts.showFirst())
  }
  mutating func showNewestPart() -> [FollowUp] { show(at: parts.showNewest()) }

  /// Shows the payload or event with the number that was typed, counted from 1.
  mutating func show(payloadNumbered text: String) -> [FollowUp] {
    let kind = reading.events == nil ? "payload" : "event"
    let range = "\(DisplayFormat.count(parts.oldestIndex + 1)) to \(DisplayFormat.count(parts.count))"
    guard let number = Int(text.filter { !$0.isWhitespace }), let result = parts.show(index: number - 1) else {
      return [.tell("There is no \(kind) '\(text)': enter a number from \(range)", .warning)]
    }
    return show(at: result)
  }

  mutating func show(part: Int) -> [FollowUp] { show(at: parts.show(part: part)) }

  /// Shows the response and the fragments as of a result.
  private mutating func show(at result: RunResult?) -> [FollowUp] {
    guard let result, run != nil else { return [] }
    show(result, highlighting: result.changedPaths)
    let (kind, count) = (reading.events == nil ? "payload" : "event", DisplayFormat.count(parts.count))
    if let shown = parts.shownIndex {
      return [
        .tell("Response, fragments and cache after \(kind) \(DisplayFormat.count(shown + 1)) of \(count)")
      ]
    }
    return [.tell("Latest \(kind): \(count) of \(count)")]
  }

  /// Returns the origin of the value in a row.
  package func source(ofRow index: Int) -> FieldSource? {
    // Values that a filter produced have no origin.
    guard !reading.filter.isActive, tree.rows.indices.contains(index), case .leaf(let value) = tree.rows[index].content
    else {
      return nil
    }
    return parts.source(of: value, at: tree.path(ofRow: index)) ?? (run?.isFromCache == true ? .cache : nil)
  }
}
