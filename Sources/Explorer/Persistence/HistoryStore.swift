import ApusClientAPI
import ApusClientRequestChain
import ApusConfiguration
import ApusExplorerCore
import ApusJSON
import ApusSQLite
import ApusSecrets

/// The history of requests, in a SQLite file with full-text search, shared by all explorers of a user.
///
/// Secrets are removed from documents and variables, and headers are not stored. Responses are stored up to a size
/// limit.
package actor HistoryStore {
  static let responseLimit = 1 << 20
  static let entryLimit = 5000

  private let file: String
  private var connection: SQLiteConnection?
  private let secrets: SecretValues?
  private let now: @Sendable () -> Int

  /// Creates a store. The file is created on first use.
  package init(
    folders: UserFolders = UserFolders(), secrets: SecretValues? = nil, now: @escaping @Sendable () -> Int
  ) {
    file = folders.data + "/history.sqlite"
    self.secrets = secrets
    self.now = now
  }

  private func open() throws(SQLiteError) {
    guard connection == nil else { return }
    do throws(ConfigurationError) {
      try UserFile.makePrivateFolder(String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)]))
    } catch {
      throw SQLiteError(path: error.file, message: error.message)
    }
    // SQLite gives its additional files the same mode.
    PrivateFile.prepare(file)
    let opened = try SQLiteConnection(path: file)
    try opened.useWriteAheadLog()
    // A single transaction, because another explorer may create the tables at the same time.
    try opened.execute(
      """
      PRAGMA synchronous = NORMAL;
      BEGIN IMMEDIATE;
      CREATE TABLE IF NOT EXISTS entries (
        id INTEGER PRIMARY KEY, time INTEGER NOT NULL, endpoint TEXT NOT NULL, operation TEXT NOT NULL,
        query TEXT NOT NULL, variables TEXT NOT NULL, status TEXT NOT NULL, errors INTEGER NOT NULL,
        microseconds INTEGER NOT NULL, bytes INTEGER NOT NULL, response BLOB);
      CREATE VIRTUAL TABLE IF NOT EXISTS texts USING fts5(
        operation, query, variables, endpoint, content='entries', content_rowid='id', tokenize='trigram');
      CREATE TRIGGER IF NOT EXISTS added AFTER INSERT ON entries BEGIN
        INSERT INTO texts(rowid, operation, query, variables, endpoint)
        VALUES (new.id, new.operation, new.query, new.variables, new.endpoint); END;
      CREATE TRIGGER IF NOT EXISTS removed AFTER DELETE ON entries BEGIN
        INSERT INTO texts(texts, rowid, operation, query, variables, endpoint)
        VALUES ('delete', old.id, old.operation, old.query, old.variables, old.endpoint); END;
      """)
    // Older files lack these columns.
    var columns: Set<String> = []
    try opened.run("SELECT name FROM pragma_table_info('entries')") { columns.insert($0.text(0)) }
    for column in Self.addedColumns where !columns.contains(column) {
      try opened.execute("ALTER TABLE entries ADD COLUMN \(column) TEXT")
    }
    try opened.execute("COMMIT")
    connection = opened
  }

  private static let addedColumns = ["policy", "profile", "options", "extensions"]

  package func record(_ entry: HistoryEntry) throws(SQLiteError) {
    try open()
    let variables = (try? JSONDocument(parsingRelaxed: entry.variables).root) ?? .null
    let redactor = Redactor(values: secrets, document: entry.query, variables: variables)
    let response = entry.response.flatMap { value -> [UInt8]? in
      guard value.byteSize <= Self.responseLimit else { return nil }
      let shown = VisibleJSON(value, without: entry.hidden).compactBytes
      guard let requested = try? JSONDocument(parsing: shown).root else { return nil }
      let bytes = JSONWriter.compactBytes(redactor.json(requested))
      return bytes.count <= Self.responseLimit ? bytes : nil
    }
    try connection?.run(
      """
      INSERT INTO entries (time, endpoint, operation, query, variables, status, errors, microseconds, bytes, response,
        policy, profile, options, extensions)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .integer(now()), .text(redactor.text(entry.endpoint)), .text(entry.operation),
        .text(redactor.document(entry.query)),
        .text(redactor.variables(entry.variables)), .text(entry.status.rawValue), .integer(entry.errorCount),
        .integer(entry.elapsed.microseconds), .integer(entry.byteCount), response.map { .blob($0) } ?? .null,
        .text(entry.cachePolicy.rawValue), entry.profile.map { .text($0) } ?? .null, .text(entry.options.saved),
        .text(redactor.variables(entry.extensions)),
      ])
    try connection?.run(
      "DELETE FROM entries WHERE id <= (SELECT max(id) FROM entries) - ?", [.integer(Self.entryLimit)])
  }

  private static let columns =
    "entries.id, time, entries.endpoint, entries.operation, entries.query, entries.variables, status, errors, "
    + "microseconds, bytes, " + addedColumns.joined(separator: ", ")

  /// Returns the newest entries that contain all words, without their responses.
  package func search(_ text: String, limit: Int = 200) throws(SQLiteError) -> [HistoryEntry] {
    try open()
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    var values: [SQLiteValue] = []
    var conditions: [String] = []
    // The index supports strings of three or more characters. Shorter words are searched in the rows.
    let indexed = words.filter { $0.unicodeScalars.count >= 3 }
    if !indexed.isEmpty {
      conditions.append("entries.id IN (SELECT rowid FROM texts WHERE texts MATCH ?)")
      values.append(
        .text(
          indexed.map { word in
            // A quote with a combining mark is one character to Swift, but a quote to SQLite.
            let pieces = word.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false).map(String.init)
            return "\"\(pieces.joined(separator: "\"\""))\""
          }
          .joined(separator: " AND ")))
    }
    for word in words where word.unicodeScalars.count < 3 {
      conditions.append("instr(lower(operation || ' ' || query || ' ' || variables || ' ' || endpoint), lower(?)) > 0")
      values.append(.text(word))
    }
    let filter = conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND ")) "
    var entries: [HistoryEntry] = []
    try connection?.run(
      "SELECT \(Self.columns) FROM entries \(filter)ORDER BY entries.id DESC LIMIT \(limit)", values
    ) { entries.append(Self.entry($0)) }
    return entries
  }

  /// Returns the endpoints of past requests, the newest first, each with the time of its newest request in seconds
  /// since 1970. Endpoints at ephemeral ports of the local machine are omitted, because such a server gets another port
  /// each time.
  package func endpoints(limit: Int = 32) throws(SQLiteError) -> [(url: String, time: Int)] {
    try open()
    var endpoints: [(url: String, time: Int)] = []
    try connection?.run(
      "SELECT endpoint, max(time) FROM entries WHERE endpoint LIKE 'http%' GROUP BY endpoint ORDER BY max(id) DESC"
    ) { endpoints.append(($0.text(0), max(0, $0.int(1)))) }
    let lasting = endpoints.lazy.filter { endpoint in
      guard let authority = endpoint.url.split(separator: "/").dropFirst().first, authority.hasPrefix("127.0.0.1:")
      else {
        return true
      }
      // Ports from here on are not for services (RFC 6335, section 6). Linux assigns ephemeral ports from this one.
      return Int(authority.dropFirst(10)).map { $0 < 32_768 } ?? true
    }
    return Array(lasting.prefix(limit))
  }

  /// Returns an entry with its response.
  package func entry(_ id: Int) throws(SQLiteError) -> HistoryEntry? {
    try open()
    var found: HistoryEntry?
    try connection?.run("SELECT \(Self.columns), response FROM entries WHERE id = ?", [.integer(id)]) { row in
      found = Self.entry(row)
      found?.response = row.isNull(14) ? nil : try? JSONDocument(parsing: Array(row.blob(14))).root
    }
    return found
  }

  /// Decodes a row. Counts and durations are at least 0, whatever the file contains.
  private static func entry(_ row: SQLiteStatement) -> HistoryEntry {
    var entry = HistoryEntry(
      id: row.int(0), time: max(0, row.int(1)), endpoint: row.text(2), operation: row.text(3),
      query: row.text(4),
      variables: row.text(5), cachePolicy: CachePolicy(rawValue: row.text(10)) ?? .networkOnly,
      status: HistoryEntry.Status(rawValue: row.text(6)) ?? .complete,
      errorCount: max(0, row.int(7)), elapsed: .microseconds(max(0, row.int(8))),
      byteCount: max(0, row.int(9)))
    entry.profile = row.isNull(11) ? nil : row.text(11)
    entry.options = RunOptions(saved: row.text(12))
    entry.extensions = row.text(13)
    return entry
  }
}

extension RunOptions {
  /// The names of the options that are on, separated by spaces.
  fileprivate var saved: String { Option.allCases.filter { self[$0] }.map(\.rawValue).joined(separator: " ") }

  fileprivate init(saved: String) {
    self.init()
    for name in saved.split(separator: " ") {
      if let option = Option(rawValue: String(name)) { self[option] = true }
    }
  }
}

extension HistoryEntry {
  /// Returns the list item for the entry.
  func item(now: Int) -> PickerItem {
    let line = query.split(whereSeparator: \.isNewline).joined(separator: " ")
    let short = line.split(separator: " ").joined(separator: " ")
    let tone: PickerItem.Tone =
      switch status {
      case .cancelled: .cancelled
      case .failed: .failed
      case .complete: errorCount > 0 ? .failed : .plain
      }
    return PickerItem(
      id: String(id), title: operation, detail: short,
      note: "\(figures)\(RelativeAge.words(since: time, now: now))  \(shownEndpoint)", tone: tone)
  }

  /// The run's duration and the size of its response.
  private var figures: String {
    let figures = [
      elapsed > .zero ? DisplayFormat.duration(elapsed) : "", byteCount > 0 ? DisplayFormat.bytes(byteCount) : "",
    ]
    return figures.filter { !$0.isEmpty }.map { "\($0)  " }.joined()
  }

  /// The name of the profile, or the host.
  private var shownEndpoint: String {
    if let profile { return profile }
    let rest = endpoint.split(separator: "/", omittingEmptySubsequences: true)
    return rest.count > 1 ? String(rest[1]) : endpoint
  }
}

/// A short description of the time since an event.
package enum RelativeAge {
  package static func words(since time: Int, now: Int) -> String {
    let seconds = max(0, now - time)
    switch seconds {
    case ..<60: return "just now"
    case ..<3600: return "\(seconds / 60) min ago"
    case ..<86_400: return "\(seconds / 3600) h ago"
    case ..<172_800: return "1 day ago"
    default: return "\(seconds / 86_400) days ago"
    }
  }
}
