/// The current view of the cache inspector. Each view has one list that movement, clicks and scrolling apply to.
package enum CacheView: Equatable, Sendable {
  case records
  /// One record, its referrers, and its path from a root.
  case record
  /// The write log.
  case writes
  /// One write with its changes.
  case write
}

extension CacheFeature {
  package var view: CacheView {
    if isShowingWrites { return openedWrite == nil ? .writes : .write }
    return openedKey == nil ? .records : .record
  }

  package var shownList: ListCursor {
    get {
      switch view {
      case .records: list
      case .record: recordList
      case .writes, .write: writeList
      }
    }
    set {
      switch view {
      case .records: list = newValue
      case .record: recordList = newValue
      case .writes, .write: writeList = newValue
      }
    }
  }

  package var shownRowCount: Int {
    switch view {
    case .records: records.count
    case .record: opened?.rowCount ?? 0
    case .writes: writes.count
    case .write: openedWrite?.rows.count ?? 0
    }
  }
}
