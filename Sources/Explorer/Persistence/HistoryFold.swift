import ApusClientRequests
import ApusExplorerCore

/// Equal runs in the history, combined into one row: the newest run and the number of runs. Their requests, outcomes
/// and response sizes are the same.
struct HistoryFold: Equatable {
  var newest: HistoryEntry
  var count = 1

  /// The maximum number of entries to search.
  static let searchLimit = 2000
  private static let rowLimit = 200

  private struct Key: Hashable {
    let endpoint: String
    let query: String
    let variables: String
    let extensions: String
    let policy: String
    let profile: String?
    let options: RunOptions
    let status: String
    let errorCount: Int
    let byteCount: Int

    init(_ entry: HistoryEntry) {
      endpoint = entry.endpoint
      query = entry.request.query.text
      variables = entry.request.variables.text
      extensions = entry.request.extensions.text
      policy = entry.request.cachePolicy.rawValue
      profile = entry.profile
      options = entry.request.options
      status = entry.status.rawValue
      errorCount = entry.errorCount
      byteCount = entry.byteCount
    }
  }

  /// Returns the rows for entries that are sorted newest first. The best matches for a text come first: operations with
  /// that name, then names that start with it, names that contain it, and queries that contain it.
  static func folds(of entries: [HistoryEntry], matching text: String) -> [HistoryFold] {
    var folds: [HistoryFold] = []
    var indexes: [Key: Int] = [:]
    for entry in entries {
      let key = Key(entry)
      if let index = indexes[key] {
        folds[index].count += 1
      } else {
        indexes[key] = folds.count
        folds.append(HistoryFold(newest: entry))
      }
    }
    let searchedText = text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !searchedText.isEmpty else { return Array(folds.prefix(rowLimit)) }
    let ranked = folds.enumerated().map {
      (rank: rank(of: $0.element.newest, for: searchedText), $0.offset, $0.element)
    }
    return ranked.sorted { ($0.rank, $0.1) < ($1.rank, $1.1) }.prefix(rowLimit).map(\.2)
  }

  private static func rank(of entry: HistoryEntry, for searchedText: String) -> Int {
    let title = entry.operation.lowercased()
    let name = title.split(separator: " ").last.map(String.init) ?? title
    if name == searchedText || title == searchedText { return 0 }
    if name.hasPrefix(searchedText) { return 1 }
    if title.contains(searchedText) { return 2 }
    return entry.request.query.text.lowercased().contains(searchedText) ? 3 : 4
  }

  /// A row of the history's list.
  func item(now: Int) -> PickerItem {
    var item = newest.item(now: now)
    if count > 1 { item.title += " ×\(count)" }
    return item
  }
}
