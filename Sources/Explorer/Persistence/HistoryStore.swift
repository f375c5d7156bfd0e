import ApusASCII
import ApusFormatting
import ApusClientAPI
import ApusClientRequestChain
import ApusClientRequests
import ApusConfiguration
import ApusExplorerCore
import ApusGraphQLMediaTypes
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
      try UserFile.checkOwn(file)
    } catch {
      throw SQLiteError(path: error.file, message: error.message)
    }
    let databaseFile = try DatabaseFile(file)
    // Only the user can have written the file, so its triggers are those of this program.
    try databaseFile.createIfMissing(trustsSchema: true, Self.makeTables(in:))
    let opened = try SQLiteConnection(path: file, trustsSchema: true)
    databaseFile.restrict()
    try checkVersion(of: opened)
    try opened.useWriteAheadLog()
    try opened.execute("PRAGMA synchronous = NORMAL")
    try Self.makeTables(in: opened)
    connection = opened
  }

  /// Creates the tables that the file does not have.
  private static func makeTables(in connection: SQLiteConnection) throws(SQLiteError) {
    // A single transaction, because another explorer may do the same.
    try connection.execute(
      """
      BEGIN IMMEDIATE;
      CREATE TABLE IF NOT EXISTS entries (
        id INTEGER PRIMARY KEY, time INTEGER NOT NULL, endpoint TEXT NOT NULL, operation TEXT NOT NULL,
        query TEXT NOT NULL, variables TEXT NOT NULL, status TEXT NOT NULL, errors INTEGER NOT NULL,
        microseconds INTEGER NOT NULL, bytes INTEGER NOT NULL, response BLOB,
        policy TEXT, profile TEXT, options TEXT, extensions TEXT);
      CREATE VIRTUAL TABLE IF NOT EXISTS texts USING fts5(
        operation, query, variables, endpoint, content='entries', content_rowid='id', tokenize='trigram');
      CREATE TRIGGER IF NOT EXISTS added AFTER INSERT ON entries BEGIN
        INSERT INTO texts(rowid, operation, query, variables, endpoint)
        VALUES (new.id, new.operation, new.query, new.variables, new.endpoint); END;
      CREATE TRIGGER IF NOT EXISTS removed AFTER DELETE ON entries BEGIN
        INSERT INTO texts(texts, rowid, operation, query, variables, endpoint)
        VALUES ('delete', old.id, old.operation, old.query, old.variables, old.endpoint); END;
      """)
    // A file that was written before requests had references in place of secrets lacks their places, and one that was
    // written before errors were stored lacks the outcomes.
    let present = try columnNames(in: connection)
    for name in ["secretPlaces", "outcome"] where !present.contains(name) {
      try connection.execute("ALTER TABLE entries ADD COLUMN \(name) TEXT")
    }
    try connection.execute("COMMIT")
  }

  /// Throws if the file has a table of entries with other columns, before anything is changed.
  private func checkVersion(of connection: SQLiteConnection) throws(SQLiteError) {
    let found = try Self.columnNames(in: connection)
    let required = Set(Self.columnNames + ["response"]).subtracting(["secretPlaces"])
    guard !found.isEmpty, !found.isSuperset(of: required) else { return }
    throw SQLiteError(path: file, message: "another version of Apus wrote it; move it away")
  }

  private static func columnNames(in connection: SQLiteConnection) throws(SQLiteError) -> Set<String> {
    var names: Set<String> = []
    try connection.run("SELECT name FROM pragma_table_info('entries')") { names.insert($0.text(0)) }
    return names
  }

  package func record(_ entry: HistoryEntry) throws(SQLiteError) {
    try open()
    let sent = entry.request
    let redactor = Redactor(
      values: secrets, document: sent.query.text,
      variables: (try? JSONDocument(parsingRelaxed: sent.variables.text).root) ?? .null,
      extensions: (try? JSONDocument(parsingRelaxed: sent.extensions.text).root) ?? .null,
      references: sent.declaredNames)
    let (query, given) = (redactor.draft(document: sent.query), redactor.draft(variables: sent.variables))
    let extensions = redactor.draft(variables: sent.extensions)
    var options = sent.options.storing(sent.plainValues(redactor))
    options.subscriptionURL = redactor.url(options.subscriptionURL)
    let isComplete = query.isComplete && given.isComplete && extensions.isComplete
    let references = JSONValue.object([
      ("query", query.json), ("variables", given.json), ("extensions", extensions.json),
    ])
    let response = entry.response.flatMap { Self.bytes(VisibleJSON($0, without: entry.hidden), redactor) }
    let outcome = ResponseOutcome(errors: entry.errors, extensions: entry.extensions, failure: entry.failure)
    let rest = outcome.isEmpty ? nil : Self.bytes(VisibleJSON(.object(outcome.members)), redactor)
    try connection?.run(
      """
      INSERT INTO entries (time, endpoint, operation, query, variables, status, errors, microseconds, bytes, response,
        policy, profile, options, extensions, secretPlaces, outcome)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .integer(now()), .text(redactor.text(entry.endpoint)), .text(redactor.name(entry.operation)),
        .text(query.text), .text(given.text), .text(entry.status.rawValue), .integer(entry.errorCount),
        .integer(entry.elapsed.microseconds), .integer(entry.byteCount), response.map { .blob($0) } ?? .null,
        .text(sent.cachePolicy.rawValue), entry.profile.map { .text($0) } ?? .null, .text(options.saved),
        .text(extensions.text), isComplete ? .null : .text(JSONWriter.compact(references)),
        rest.map { .text(String(decoding: $0, as: UTF8.self)) } ?? .null,
      ])
    try connection?.run(
      "DELETE FROM entries WHERE id <= (SELECT max(id) FROM entries) - ?", [.integer(Self.entryLimit)])
  }

  /// Returns part of a response without its secrets; nil if it is too large, or if a secret cannot be removed.
  private static func bytes(_ part: VisibleJSON, _ redactor: Redactor) -> [UInt8]? {
    guard part.value.byteSize <= responseLimit, let requested = try? JSONDocument(parsing: part.compactBytes).root,
      let bytes = redactor.written(JSONWriter.compactBytes(redactor.json(requested))), bytes.count <= responseLimit
    else { return nil }
    return bytes
  }

  /// Removes all entries, also from the bytes of the file, and returns their number.
  package func clear() throws(SQLiteError) -> Int {
    try open()
    var count = 0
    try connection?.run("SELECT count(*) FROM entries") { count = $0.int(0) }
    try connection?.execute(
      """
      PRAGMA secure_delete = ON; DELETE FROM entries; INSERT INTO texts(texts) VALUES ('rebuild'); VACUUM;
      PRAGMA wal_checkpoint(TRUNCATE);
      """)
    return count
  }

  /// The columns that a search reads.
  private static let columnNames = [
    "id", "time", "endpoint", "operation", "query", "variables", "status", "errors", "microseconds", "bytes", "policy",
    "profile", "options", "extensions", "secretPlaces",
  ]
  private static let columns = columnNames.map { "entries.\($0)" }.joined(separator: ", ")

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
    try connection?.run("SELECT \(Self.columns), response, outcome FROM entries WHERE id = ?", [.integer(id)]) { row in
      found = Self.entry(row)
      found?.response = row.isNull(15) ? nil : try? JSONDocument(parsing: Array(row.blob(15))).root
      guard !row.isNull(16), let json = try? JSONDocument(parsing: row.text(16)).root else { return }
      let outcome = ResponseOutcome(json)
      found?.errors = outcome.errors
      found?.extensions = outcome.extensions
      found?.failure = outcome.failure
    }
    return found
  }

  /// Decodes a row. Counts and durations are at least 0, whatever the file contains.
  private static func entry(_ row: SQLiteStatement) -> HistoryEntry {
    var entry = HistoryEntry(
      id: row.int(0), time: max(0, row.int(1)), operation: row.text(3), request: request(row),
      status: HistoryEntry.Status(rawValue: row.text(6)) ?? .complete,
      errorCount: max(0, row.int(7)), elapsed: .microseconds(max(0, row.int(8))),
      byteCount: max(0, row.int(9)))
    entry.profile = row.isNull(11) ? nil : row.text(11)
    return entry
  }

  /// Decodes the request. In a row without the places of its secrets, marks at places that count as secret are
  /// references.
  private static func request(_ row: SQLiteStatement) -> RequestDraft {
    let (query, variables, extensions) = (row.text(4), row.text(5), row.text(13))
    let redactor = Redactor(document: query)
    let references = row.isNull(14) ? nil : try? JSONDocument(parsing: row.text(14)).root
    var request = RequestDraft(
      url: row.text(2),
      query: references.map { DraftText(query, json: $0["query"]) } ?? redactor.stored(document: query),
      variables: references.map { DraftText(variables, json: $0["variables"]) } ?? redactor.stored(variables: variables)
    )
    request.extensions =
      references.map { DraftText(extensions, json: $0["extensions"]) } ?? redactor.stored(variables: extensions)
    request.cachePolicy = CachePolicy(rawValue: row.text(10)) ?? .networkOnly
    request.options = RunOptions(saved: row.text(12))
    if !request.options.subscriptionURL.isEmpty { request.options.subscriptionOrigin = Origin(url: request.url) }
    return request
  }
}

extension RunOptions {
  /// The names of the options that are on, and the values of the others: `get onError=NULL reference=word value=north%20bay`.
  fileprivate var saved: String {
    var words = Option.allCases.filter { self[$0] }.map(\.rawValue)
    if let onError { words.append("onError=\(onError.rawValue)") }
    if !subscriptionURL.isEmpty { words.append("subscriptionURL=\(subscriptionURL)") }
    if let timeLimit { words.append("timeLimit=\(timeLimit)") }
    for reference in references {
      words.append("reference=\(PercentEncoding.encoded(reference.name))")
      if let value = reference.value { words.append("value=\(PercentEncoding.encoded(value))") }
    }
    return words.joined(separator: " ")
  }

  fileprivate init(saved: String) {
    self.init()
    for word in saved.split(separator: " ") {
      let name = word.prefix { $0 != "=" }
      let value = String(word.dropFirst(name.count + 1))
      if let option = Option(rawValue: String(word)) { self[option] = true }
      if name == "onError" { onError = ErrorBehavior(rawValue: value) }
      if name == "subscriptionURL" { subscriptionURL = value }
      if name == "timeLimit" { timeLimit = Int(value).flatMap { $0 > 0 ? $0 : nil } }
      if name == "reference" { references.append(Reference(name: PercentEncoding.decoded(value))) }
      if name == "value", !references.isEmpty {
        references[references.count - 1].value = PercentEncoding.decoded(value)
        references[references.count - 1].source = .file
      }
    }
  }
}

extension HistoryEntry {
  /// Returns the list item for the entry.
  func item(now: Int) -> PickerItem {
    let line = request.query.text.split(whereSeparator: \.isNewline).joined(separator: " ")
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

/// A short description of the time since an event: `just now`, `5 min ago`, `1 day ago`.
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
