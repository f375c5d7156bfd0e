/// Stepping back through the parts of a response: the response, the rail and the cache as they were after each.
extension ExplorerState {
  mutating func stepThroughParts(by step: Int) -> [Effect] { look(at: history.step(by: step)) }

  mutating func showNewestPart() -> [Effect] { look(at: history.showNewest()) }

  /// The response, the fragments and the cache as they were when a result had come.
  private mutating func look(at result: RunResult?) -> [Effect] {
    guard let result, run != nil else { return [] }
    show(result, highlighting: result.changedPaths)
    if let shown = history.shownIndex {
      notice = Notice("As it was after part \(shown + 1) of \(history.count): response, fragments and cache")
    } else {
      notice = Notice("The newest part, \(history.count) of \(history.count)")
    }
    return []
  }

  // MARK: From a part to what it wrote, and back

  /// The part that the selected fragment came with.
  var selectedPart: Int? {
    let fragments = run?.fragments ?? []
    return fragments.indices.contains(rail.selected) ? history.part(settling: fragments[rail.selected]) : nil
  }

  /// The write that is selected or open in the time line.
  var selectedWrite: WriteEntry? {
    if let opened = cache.openedWrite { return opened.entry }
    return cache.writes.indices.contains(cache.writeList.selected) ? cache.writes[cache.writeList.selected] : nil
  }

  mutating func showWritesOfSelectedPart() -> [Effect] {
    guard let part = selectedPart, let run else { return [] }
    return focus(on: .cache) + [.openWriteOfPart(part, run: run.id)]
  }

  mutating func showPartOfSelectedWrite() -> [Effect] {
    guard let part = selectedWrite?.part else { return [] }
    let effects = look(at: history.show(part: part))
    return effects + focus(on: .response)
  }

  /// Where the value in a row of the response came from.
  package func source(ofRow index: Int) -> FieldSource? {
    // What a filter made of the response came from nowhere.
    guard !reading.filter.isActive, response.rows.indices.contains(index),
      case .leaf(let value) = response.rows[index].content
    else {
      return nil
    }
    return history.source(of: value, at: response.path(ofRow: index)) ?? (run?.isFromCache == true ? .cache : nil)
  }

  mutating func toggleSources() -> [Effect] {
    isShowingSources.toggle()
    return []
  }

}
