import ClientNetwork

/// Stepping back through the parts of a response: the response, the rail and the cache as they were after each.
extension ExplorerState {
  mutating func stepThroughParts(_ command: Command) -> [Effect] {
    let result: RunResult? =
      switch command {
      case .previousPart: history.step(by: -1)
      case .nextPart: history.step(by: 1)
      default: history.showNewest()
      }
    guard let result, let run else { return [] }
    show(result, highlighting: result.changedPaths)
    if let shown = history.shownIndex {
      notice = Notice("As it was after part \(shown + 1) of \(history.count): response, fragments and cache")
    } else {
      notice = Notice("The newest part, \(history.count) of \(history.count)")
    }
    return [.viewPart(run: run.id, part: history.shownIndex)]
  }

  func partsReason(against command: Command) -> String? {
    guard history.count > 0 else { return "There is no response" }
    let newest = history.count - 1
    switch command {
    case .previousPart: return (history.shownIndex ?? newest) == 0 ? "This is the first part" : nil
    case .nextPart, .newestPart: return history.isInPast ? nil : "This is the newest part"
    default: return nil
    }
  }
}
