import ApusClientAPI

/// Coordinates the cache with runs: writes of a payload, cache misses, and the tabs affected by a change.
extension ExplorerState {
  /// Whether keys have to wait because the records that they would act on are being listed.
  package var isAwaitingRecords: Bool { screen.focus == .cache && popups.isEmpty && cache.isAwaitingRecords }

  mutating func cacheChanged(_ runs: [Int]) -> [Effect] {
    follow(cache.readAgain()) + runs.filter { tabs.index(ofRun: $0) != nil }.map { .readAgain(run: $0) }
  }

  /// Shows the cache as of the payload that the shown tab looks back at.
  mutating func momentEffects() -> [Effect] {
    follow(cache.look(at: tab.response.moment))
  }

  mutating func askForCacheFile(isWritable: Bool) -> [Effect] {
    let effects = screen.focus == .cache ? [] : focus(on: .cache)
    return effects + follow([.present(Popup(LineState(.cacheFile(isWritable: isWritable))))])
  }

  mutating func closeForeignCache() -> [Effect] {
    (screen.focus == .cache ? [] : focus(on: .cache)) + [.openCache(nil)]
  }

  /// Switches to another endpoint with an empty cache. The endpoint's saved session is restored unless the user has
  /// already typed something.
  mutating func connected(to choice: EndpointChoice, _ workspace: Workspace?) -> [Effect] {
    popups.closeAll()
    let isFirst = !connection.isOpen
    if let workspace, isFirst, tabs.areUntouched { open(workspace, query: "") }
    let notices = connection.connected(to: choice)
    if isFirst { bindHeadersToFirstEndpoint() }
    let effects = follow(notices + connection.loadSchema(.server(headers)))
    cache = CacheInspector()
    audit = nil
    screen.showTheme(named: choice.theme)
    return effects + [cache.listing] + runHereToo(choice)
  }

  /// Opens the record of a cache miss, or its path in the response if the record does not exist.
  mutating func go(to miss: CacheUse.Miss) -> [Effect] {
    guard miss.hasRecord else {
      tab.response.tree.reveal(miss.path)
      return focus(on: .response)
    }
    return focus(on: .cache) + follow(cache.show(miss.record))
  }

  // MARK: Response and records

  /// Goes from a row of the response to its record in the cache, or from a record to its first path in the response.
  func goBetweenResponseAndRecord() -> [Effect] {
    guard let run = tab.response.run else { return [] }
    if screen.focus == .cache {
      return cache.recordAtHand.map { [.findRecordPlace($0, run: run.id)] } ?? []
    }
    return tab.response.pathAtHand.map { [.findRecord(run: run.id, $0, at: tab.response.moment)] } ?? []
  }

  var reasonAgainstGoingBetween: String? {
    if tab.response.run == nil { return "Nothing has been run" }
    if screen.focus == .cache {
      if cache.foreign != nil { return "This cache is another program's" }
      return cache.recordAtHand == nil ? "No record is selected" : nil
    }
    guard screen.focus == .response else { return "Only in the response and the cache" }
    if tab.response.reading.filter.isActive { return "The output of a filter belongs to no record" }
    return tab.response.pathAtHand == nil ? "No value of the response is selected" : nil
  }

  mutating func showWritesOfSelectedPart() -> [Effect] {
    guard let part = tab.response.partOfSelectedFragment, let run = tab.response.run else { return [] }
    return focus(on: .cache) + [.openWriteOfPart(part, run: run.id)]
  }

  mutating func showPartOfSelectedWrite() -> [Effect] {
    guard let part = cache.selectedWrite?.part else { return [] }
    return follow(tab.response.show(part: part)) + focus(on: .response)
  }
}
