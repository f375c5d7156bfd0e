/// The cache inspector and its write log.
extension Command {
  static let caches: [Command] = [
    filterRecords, goBack, goForward, showReferrers, evict, markRecord, sortRecords, reverseSort, editValue,
    showWriteOfField, showWrites, showPayloadOfWrite, undoCacheChange, evictType, removeUnreachable, clearCache,
    clearFilter, refreshRecords, showWritesOfPayload, goToRecord, openCache, openWritableCache, closeCache,
  ]

  package static let filterRecords = Command(
    "filterRecords", "Filter the records",
    .keys(.records, "/", footer: "filter"),
    unless: { $0.reasonInRecords { $0.openedKey == nil ? nil : "A record is open: go back first" } }
  ) { $0.apply($0.cache.filterRecords()) }

  package static let goBack = Command(
    "goBack", "Back",
    .keys(.record, "Backspace", "[", "Left", "h", footer: "back"),
    .keys(.writes, "Backspace", "[", "Left", "h", footer: "back"),
    unless: { $0.reasonAgainstGoingBack }
  ) { $0.apply($0.cache.goBack()) }

  package static let goForward = Command(
    "goForward", "Forward",
    .keys(.records, "]"),
    .keys(.record, "]"),
    unless: { $0.reasonInRecords { $0.forward.isEmpty ? "There is nothing to go forward to" : nil } }
  ) { $0.apply($0.cache.goForward()) }

  package static let showReferrers = Command(
    "showReferrers", "Show referring records",
    .keys(.record, "r", footer: "referrers"),
    unless: { $0.reasonAgainstReferrers }
  ) { $0.apply($0.cache.showReferrers()) }

  package static let evict = Command(
    "evict", "Evict the record or field",
    .keys(.records, "d", "Delete", footer: "evict", help: "Evict the record"),
    .keys(.record, "d", "Delete", footer: "evict field", help: "Evict the field"),
    unless: { $0.reasonAgainstEvicting }
  ) { $0.apply($0.cache.evict()) }

  package static let markRecord = Command(
    "markRecord", "Mark the record",
    .keys(.records, "Space", footer: "mark"),
    unless: { $0.reasonInListOfRecords }
  ) { $0.apply($0.cache.markRecord()) }

  package static let sortRecords = Command(
    "sortRecords", "Sort the records by the next column",
    .keys(.records, "s", footer: "sort"),
    unless: { $0.reasonInListOfRecords }
  ) { $0.apply($0.cache.sortByNextColumn()) }

  package static let reverseSort = Command(
    "reverseSort", "Reverse the order of the records",
    .keys(.records, "S"),
    unless: { $0.reasonInListOfRecords }
  ) { $0.apply($0.cache.reverseSort()) }

  package static let editValue = Command(
    "editValue", "Edit the value",
    .keys(.record, "e", footer: "edit"),
    unless: { $0.reasonAgainstEditingValue }
  ) { $0.apply($0.cache.editValue()) }

  package static let showWriteOfField = Command(
    "showWriteOfField", "Show the write that stored the field",
    .keys(.record, "w", footer: "written by"),
    unless: { $0.reasonInRecords { $0.selectedRow == nil ? "No field is selected" : nil } }
  ) { $0.apply($0.cache.showWriteOfField()) }

  package static let showWrites = Command(
    "showWrites", "Write log",
    .keys(.records, "t", footer: "writes"),
    .keys(.record, "t"),
    .keys(.writes, "t", help: "Return to the records"),
    unless: { $0.reasonOutsideCache }
  ) { $0.apply($0.cache.toggleWrites()) }

  package static let showPayloadOfWrite = Command(
    "showPayloadOfWrite", "Show the response after the payload of this write",
    .keys(.writes, "p", footer: "payload"),
    unless: { $0.reasonAgainstShowingPayload }
  ) { $0.showPayloadOfSelectedWrite() }

  package static let undoCacheChange = Command(
    "undoCacheChange", "Undo the last cache change",
    .keys(.records, "u", footer: "undo"),
    .keys(.record, "u", footer: "undo"),
    .keys(.writes, "u", footer: "undo"),
    unless: { $0.reasonAgainstChangingThePast ?? $0.reasonOutsideCache }
  ) { _ in [.cache(.edit(.undo))] }

  package static let evictType = Command(
    "evictType", "Evict every record of this type",
    .keys(.records, "D"),
    .keys(.record, "D"),
    unless: { state in
      state.reasonAgainstChangingThePast
        ?? state.reasonInRecords { $0.typeToEvict == nil ? "The record has no type" : nil }
    }
  ) { $0.apply($0.cache.evictType()) }

  package static let removeUnreachable = Command(
    "removeUnreachable", "Remove unreachable records",
    .keys(.records, "o"),
    unless: { $0.reasonAgainstEmptying }
  ) { $0.apply($0.cache.confirm(.collect)) }

  package static let clearCache = Command(
    "clearCache", "Clear the cache",
    .keys(.records, "X"),
    unless: { $0.reasonAgainstEmptying }
  ) { $0.apply($0.cache.confirm(.clear)) }

  package static let clearFilter = Command(
    "clearFilter", "Clear the filter",
    .keys(.filter, "Esc", footer: "clear"),
    .keys(.recordEdit, "Esc", footer: "cancel", help: "Cancel the edit"),
    unless: { $0.reasonAgainstClearingFilter }
  ) { $0.clearFilter() }

  package static let refreshRecords = Command(
    "refreshRecords", "Refresh the records",
    .keys(.records, "R"),
    .keys(.record, "R"),
    unless: { $0.reasonInRecords { _ in nil } }
  ) { $0.apply($0.cache.refresh()) }

  package static let showWritesOfPayload = Command(
    "showWritesOfPayload", "Show the cache writes of the fragment's payload",
    .keys(.deferred, "w", footer: "its writes"),
    unless: { $0.reasonAgainstWritesOfPayload }
  ) { $0.showWritesOfSelectedPayload() }

  package static let goToRecord = Command(
    "goToRecord", "Go from the response to the cache record, or back",
    .keys(.response, "Alt-r", help: "Go to the cache record"),
    .keys(.records, "Alt-r", help: "Go to the record in the response"),
    .keys(.record, "Alt-r", footer: "in response", help: "Go to the record in the response"),
    .keys(.writes, "Alt-r", help: "Go to the record in the response"),
    unless: { $0.reasonAgainstGoingBetween }
  ) { $0.goBetweenResponseAndRecord() }

  package static let openCache = Command(
    "openCache", "Open an external cache: SQLite or exported JSON"
  ) { $0.askForCacheFile(isWritable: false) }

  package static let openWritableCache = Command(
    "openWritableCache", "Open an external cache for editing"
  ) { $0.askForCacheFile(isWritable: true) }

  package static let closeCache = Command(
    "closeCache", "Return to the explorer's own cache",
    unless: { $0.cache.external == nil ? "This is the explorer's own cache" : nil }
  ) { $0.closeExternalCache() }
}

extension ExplorerState {
  fileprivate var reasonOutsideCache: String? { screen.focus == .cache ? nil : "Only in the cache" }

  /// Returns the reason for commands on records, which are unavailable in the write log.
  fileprivate func reasonInRecords(_ reason: (CacheFeature) -> String?) -> String? {
    if let reason = reasonOutsideCache { return reason }
    return cache.isShowingWrites ? "The write log is open: go back first" : reason(cache)
  }

  fileprivate var reasonInListOfRecords: String? {
    reasonInRecords {
      if $0.openedKey != nil { return "A record is open: go back first" }
      return $0.reasonForNoRecords
    }
  }

  fileprivate var reasonAgainstGoingBack: String? {
    if let reason = reasonOutsideCache { return reason }
    return cache.isShowingWrites || cache.openedKey != nil ? nil : "The list of all records has no parent"
  }

  fileprivate var reasonAgainstReferrers: String? {
    reasonInRecords {
      guard let opened = $0.opened else { return "No record is open" }
      return opened.referrers.isEmpty ? "No record refers to \(opened.key)" : nil
    }
  }

  /// A snapshot from an earlier payload is read-only.
  fileprivate var reasonAgainstChangingThePast: String? {
    cache.revision == nil || cache.external != nil
      ? nil : "This is an earlier state of the cache: return to the latest payload first"
  }

  fileprivate var reasonAgainstEvicting: String? {
    reasonAgainstChangingThePast
      ?? reasonInRecords {
        if $0.openedKey != nil { return $0.selectedRow == nil ? "No field is selected" : nil }
        return $0.reasonForNoRecords
      }
  }

  fileprivate var reasonAgainstEditingValue: String? {
    reasonAgainstChangingThePast
      ?? reasonInRecords {
        guard let row = $0.selectedRow else { return "No field is selected" }
        guard case .scalar = row.value, row.depth == 0 else { return "Only scalar values can be edited" }
        return nil
      }
  }

  fileprivate var reasonAgainstShowingPayload: String? {
    if let reason = reasonOutsideCache { return reason }
    guard cache.isShowingWrites, let write = cache.selectedWrite, let payload = write.payloadIndex else {
      return "No payload is selected"
    }
    guard write.run == tab.response.run?.id else { return "The payload belongs to another run" }
    return tab.response.payloads.hasPayload(payload) ? nil : "The payload is no longer stored"
  }

  fileprivate var reasonAgainstEmptying: String? {
    reasonAgainstChangingThePast ?? reasonOutsideCache ?? (cache.totalCount == 0 ? "The cache is empty" : nil)
  }

  fileprivate var reasonAgainstClearingFilter: String? {
    if screen.focus == .deferred { return tab.response.hasDeferredFilter ? nil : "There is no filter" }
    return reasonInRecords { cache in
      cache.edit != nil || cache.isFiltering || !cache.filter.isEmpty ? nil : "There is no filter"
    }
  }

  fileprivate var reasonAgainstWritesOfPayload: String? {
    if screen.focus != .deferred { return "Only in the deferred pane" }
    return tab.response.payloadOfSelectedFragment == nil ? "The payload has not arrived yet" : nil
  }
}
