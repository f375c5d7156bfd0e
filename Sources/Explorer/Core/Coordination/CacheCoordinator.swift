import ApusClientAPI

/// Coordinates the cache with runs: writes of a payload, cache misses, and the tabs affected by a change.
extension ExplorerState {
  /// Whether keys have to wait because the records that they would act on are being listed.
  package var isAwaitingRecords: Bool { screen.focus == .cache && popups.isEmpty && cache.isAwaitingRecords }

  /// The cache of an endpoint that is not shown is listed when it is shown.
  mutating func cacheChanged(_ runs: [Int], at id: EndpointID) -> [Effect] {
    (id == tabs.shown.endpoint ? apply(cache.readAgain()) : [])
      + runs.filter { tabs.index(ofRun: $0) != nil }.map { .run($0, .reread) }
  }

  mutating func receive(_ answer: CacheAction, of id: EndpointID) -> [Effect] {
    guard endpoints.contains(id) else { return [] }
    let followUps = endpoints[id].cache.receive(answer)
    return follow(followUps, at: id)
  }

  /// Shows the cache as of the payload that the shown tab looks back at.
  mutating func momentEffects() -> [Effect] {
    apply(cache.show(at: tab.response.revision))
  }

  mutating func askForCacheFile(isWritable: Bool) -> [Effect] {
    let effects = screen.focus == .cache ? [] : focus(on: .cache)
    return effects + apply([.present(Popup(LinePopup(.cacheFile(isWritable: isWritable))))])
  }

  mutating func closeExternalCache() -> [Effect] {
    (screen.focus == .cache ? [] : focus(on: .cache)) + [.cache(.open(nil))]
  }

  /// Opens the record of a cache miss, or its path in the response if the record does not exist.
  mutating func go(to miss: CacheUsage.Miss) -> [Effect] {
    guard miss.hasRecord else {
      tab.response.tree.reveal(miss.path)
      return focus(on: .response)
    }
    return focus(on: .cache) + apply(cache.show(miss.record))
  }

  // MARK: Response and records

  /// Goes from a row of the response to its record in the cache, or from a record to its first path in the response.
  func goBetweenResponseAndRecord() -> [Effect] {
    guard let run = tab.response.run else { return [] }
    if screen.focus == .cache {
      return cache.recordAtHand.map { [.run(run.id, .findPath(ofRecord: $0))] } ?? []
    }
    return tab.response.pathAtHand.map { [.run(run.id, .findRecord($0, at: tab.response.revision))] } ?? []
  }

  var reasonAgainstGoingBetween: String? {
    guard let run = tab.response.run else {
      return tab.response.opened == nil ? "No operation has been run" : ResponseFeature.keptAlone
    }
    if run.isRestored { return ResponseFeature.fromLastTime }
    if screen.focus == .cache {
      if cache.external != nil { return "This is an external cache" }
      return cache.recordAtHand == nil ? "No record is selected" : nil
    }
    guard screen.focus == .response else { return "Only in the response and the cache" }
    if let reason = tab.response.reasonAgainstData { return reason }
    if tab.response.reading.filter.isActive { return "Filter output does not belong to a record" }
    return tab.response.pathAtHand == nil ? "No value of the response is selected" : nil
  }

  mutating func showWritesOfSelectedPayload() -> [Effect] {
    guard let payload = tab.response.payloadOfSelectedFragment, let run = tab.response.run else { return [] }
    return focus(on: .cache) + [.run(run.id, .openWrite(ofPayload: payload))]
  }

  mutating func showPayloadOfSelectedWrite() -> [Effect] {
    guard let payload = cache.selectedWrite?.payloadIndex else { return [] }
    return apply(tab.response.show(payload: payload)) + focus(on: .response)
  }
}
