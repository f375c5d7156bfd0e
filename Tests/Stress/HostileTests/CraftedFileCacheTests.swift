import ApusJSON
import ApusRawDatabase
import ApusTestSupport
import Testing

@testable import ApusClientCache

/// Files that claim to be caches of Apus and were crafted by others. They are rejected without crashing the reader.
@Suite(.timeLimit(.minutes(5))) struct CraftedFileCacheTests {
  /// A file with one record, modified by SQL statements.
  private func file(_ statements: String) async throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let cache = try SQLiteNormalizedCache(path: folder.path("c"))
    let records = try CacheImport.records(
      JSONDocument(
        parsing: """
          {"format":"\(CacheExport.format)","version":\(CacheExport.version),
           "records":{"QUERY_ROOT":{"$type":"Query","a":[1,[2]],"b":"c"}}}
          """
      ).root)
    _ = try await cache.apply([.merge(records)], at: 1)
    let database = try RawDatabase(folder.path("c"))
    try database.execute("PRAGMA trusted_schema = ON; PRAGMA writable_schema = ON")
    try database.execute(statements)
    return folder
  }

  /// Expects errors from reading and writing the file, both as its owner and as a reader.
  private func expectDamage(_ statements: String) async throws {
    let folder = try await file(statements)
    await #expect(throws: CacheFileError.self) {
      _ = try await SQLiteNormalizedCache(path: folder.path("c"), isReadOnly: true).snapshot()
    }
    let cache = try SQLiteNormalizedCache(path: folder.path("c"))
    _ = try await cache.snapshot()
    _ = try await cache.apply([.removeRecord(CacheKey("QUERY_ROOT"), cascading: true)], at: 2)
    #expect(await cache.notices.count == 1)
  }

  private func row(_ hexadecimal: String) -> String { "UPDATE records SET fields = x'\(hexadecimal)'" }

  /// A row with one field (`01`), whose name is the first one (`01`).
  private func field(_ value: String) -> String { row("0101\(value)0000") }

  @Test func `deeply nested lists are rejected`() async throws {
    // 200,000 nested lists (`05`) of one item, and a null.
    try await expectDamage(field(String(repeating: "0501", count: 200_000) + "00"))
  }

  @Test func `a list longer than its row is rejected`() async throws {
    try await expectDamage(field("05FFFFFFFF7F"))
  }

  @Test func `excessive numbers are rejected`() async throws {
    for value in ["9223372036854775807", "-9223372036854775808", "4294967295", "-1"] {
      try await expectDamage("UPDATE state SET change = \(value)")
      try await expectDamage("UPDATE state SET count = \(value)")
    }
    try await expectDamage("UPDATE state SET bytes = 9223372036854775807")
  }

  @Test func `an endless view is rejected`() async throws {
    let endless =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, 0, 1, 1, 0, x'000000' FROM n"
    let columns = "key, type, stamp, written, expires, fields"
    try await expectDamage(
      "DROP TABLE records; CREATE VIEW records(\(columns)) AS \(endless)")
    try await expectDamage(
      "ALTER TABLE names RENAME TO other; CREATE VIEW names(number, name) AS "
        + "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, 'name' || i FROM n")
  }

  @Test func `a view in place of a table is rejected`() async throws {
    try await expectDamage(
      "DROP TABLE records; CREATE VIEW records(key, type, stamp, written, expires, fields) AS "
        + "SELECT 'a', 0, 1, 1, 0, x'000000'; UPDATE sqlite_schema SET type = 'table' WHERE name = 'records'")
  }

  @Test func `triggers are rejected`() async throws {
    try await expectDamage(
      "CREATE TRIGGER t AFTER DELETE ON records BEGIN INSERT INTO names SELECT NULL, hex(randomblob(1000000)); END")
    try await expectDamage("CREATE INDEX i ON records(length(hex(zeroblob(1000000))))")
    try await expectDamage(
      "ALTER TABLE state ADD COLUMN more TEXT GENERATED ALWAYS AS (hex(zeroblob(100000000))) VIRTUAL")
    try await expectDamage("CREATE VIRTUAL TABLE v USING fts5(a)")
  }

  @Test func `keys with too many components are rejected`() async throws {
    try await expectDamage("UPDATE records SET key = 'a' || replace(hex(zeroblob(100000)), '0', char(31) || 'b')")
  }

  @Test func `deeply embedded records are read in linear time`() async throws {
    // Nested lists up to the limit, with many records in the innermost. Each record's path is found from that of the
    // list, not from the root.
    let depth = 1000
    let items = 20_000
    let count = String(format(items))
    let value = String(repeating: "0501", count: depth) + "05" + count + String(repeating: "04", count: items)
    let folder = try await file(field(value))
    let records = try await SQLiteNormalizedCache(path: folder.path("c"), isReadOnly: true).snapshot()
    #expect(records.count == 1)
  }

  /// Encodes a number in groups of seven bits as hexadecimal.
  private func format(_ number: Int) -> String {
    var rest = number
    var text = ""
    while true {
      let byte = rest & 0x7F | (rest >= 0x80 ? 0x80 : 0)
      text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
      rest >>= 7
      if rest == 0 { return text }
    }
  }

  @Test func `invalid rows are rejected`() async throws {
    for value in ["", "01", "0105", "010201020000", "FFFFFFFFFFFFFFFFFFFF", "01FF7F00"] {
      try await expectDamage(row(value))
    }
    try await expectDamage("UPDATE records SET type = 77")
    try await expectDamage("UPDATE names SET number = number + 5")
    try await expectDamage("DELETE FROM state")
  }

  @Test func `excessive numbers of a record are read`() async throws {
    let folder = try await file(
      "UPDATE records SET stamp = -1, written = 9223372036854775807, expires = -9223372036854775808")
    let cache = try SQLiteNormalizedCache(path: folder.path("c"))
    #expect(try await cache.snapshot().count == 1)
    _ = try await cache.apply([.removeRecord(CacheKey("QUERY_ROOT"), cascading: true)], at: 2)
    #expect(try await cache.snapshot().count == 0)
  }

  @Test func `an export with an excessive path is rejected`() throws {
    let path = (0..<3000).map { "\"a\($0)\"" }.joined(separator: ",")
    let text = """
      {"format":"\(CacheExport.format)","version":\(CacheExport.version),
       "records":{"QUERY_ROOT":{"a":{"$path":[\(path)]}}}}
      """
    #expect(throws: CacheImportError.self) { try CacheImport.records(JSONDocument(parsing: text).root) }
  }

  @Test func `an unknown version is rejected`() async throws {
    for version in [-1, -5, -2_147_483_648] { try await expectDamage("PRAGMA user_version = \(version)") }
  }
}
