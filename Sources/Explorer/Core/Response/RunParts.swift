/// Stepping back through the parts of a response: the response and the rail as they were after each. The cache follows.
extension TabResponse {
  /// The moment that is looked back at; nil for now.
  var moment: CacheMoment? {
    run.flatMap { run in parts.shownIndex.map { CacheMoment(run: run.id, result: $0) } }
  }

  mutating func stepThroughParts(by step: Int) -> [FollowUp] { look(at: parts.step(by: step)) }
  /// The oldest part that is kept, or the oldest event that is listed.
  mutating func showFirstPart() -> [FollowUp] {
    if let oldest = reading.events?.oldest { return look(at: parts.show(part: oldest)) }
    return look(at: parts.showFirst())
  }
  mutating func showNewestPart() -> [FollowUp] { look(at: parts.showNewest()) }
  mutating func show(part: Int) -> [FollowUp] { look(at: parts.show(part: part)) }

  /// The response and the fragments as they were when a result had come.
  private mutating func look(at result: RunResult?) -> [FollowUp] {
    guard let result, run != nil else { return [] }
    show(result, highlighting: result.changedPaths)
    let (kind, count) = (reading.events == nil ? "part" : "event", Wording.count(parts.count))
    if let shown = parts.shownIndex {
      return [
        .tell("As it was after \(kind) \(Wording.count(shown + 1)) of \(count): response, fragments and cache")
      ]
    }
    return [.tell("The newest \(kind), \(count) of \(count)")]
  }

  /// Where the value in a row of the response came from.
  package func source(ofRow index: Int) -> FieldSource? {
    // What a filter made of the response came from nowhere.
    guard !reading.filter.isActive, tree.rows.indices.contains(index), case .leaf(let value) = tree.rows[index].content
    else {
      return nil
    }
    return parts.source(of: value, at: tree.path(ofRow: index)) ?? (run?.isFromCache == true ? .cache : nil)
  }
}
