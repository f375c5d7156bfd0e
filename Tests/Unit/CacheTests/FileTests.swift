import ApusClientOperation
import ApusJSON
import ApusPlatform
import ApusRawDatabase
import ApusSQLite
import ApusTestSupport
import Testing

@testable import ApusClientCache

/// The cache on disk: persistence, damage, and other processes.
@Suite(.timeLimit(.minutes(1))) struct FileTests {
  private static let flock = "{ flock { __typename id name } }"

  private func response(_ names: [String]) -> String {
    let birds = names.enumerated().map { #"{"__typename":"Bird","id":"\#($0.offset)","name":"\#($0.element)"}"# }
    return #"{"flock":[\#(birds.joined(separator: ","))]}"#
  }

  @Test func `a reopened file contains all records`() async throws {
    let folder = try TemporaryFolder()
    let text =
      #"{"bird":{"__typename":"Bird","id":"x\u001f.1","tracks":[[{"__typename":"Nest","eggs":1},null]],"#
      + #""nest":{"__typename":"Nest","material":"日本語 🐦 \" \\ \n"}},"settings":1e999}"#
    let query = try operation(
      "{ bird(id: 1) { __typename id tracks { __typename eggs } nest { __typename material } } settings }")
    try await CacheStore(cache: try SQLiteNormalizedCache(path: folder.path("c"))).write(text, query)
    let store = CacheStore(cache: try SQLiteNormalizedCache(path: folder.path("c")))
    #expect(try await store.look(query).data == (try json(text)))
    #expect(try await store.snapshot().count == 4)
  }

  @Test func `a refresh publishes writes of another process`() async throws {
    let folder = try TemporaryFolder()
    let one = CacheStore(cache: try SQLiteNormalizedCache(path: folder.path("c"), memoryLimit: 1 << 20))
    let other = CacheStore(cache: try SQLiteNormalizedCache(path: folder.path("c")))
    let query = try operation(Self.flock)
    try await one.write(response(["A", "B"]), query)
    let read = try await one.look(query)
    var changes = await one.changes().makeAsyncIterator()
    try await other.write(response(["A", "C"]), query)
    try await one.refresh()
    let change = try #require(await changes.next())
    #expect(change.cause == .external)
    #expect(read.dependentKeys.intersects(change.changedKeys))
    #expect(try await one.look(query).data?.description == response(["A", "C"]))
  }

  @Test func `writes of another process are published automatically`() async throws {
    let folder = try TemporaryFolder()
    let store = CacheStore(cache: try CacheKind.file.cache(in: folder))
    var changes = await store.changes().makeAsyncIterator()
    let other = CacheStore(cache: try CacheKind.file.cache(in: folder))
    try await other.write(response(["A"]), try operation(Self.flock))
    let change = try #require(await changes.next())
    #expect(change.cause == .external)
  }

  @Test func `writes beside the target of a link are published`() async throws {
    let folder = try TemporaryFolder()
    try folder.make("elsewhere")
    let other = CacheStore(cache: try SQLiteNormalizedCache(path: folder.path("elsewhere/target")))
    #expect(symlink("elsewhere/target", folder.path("c")) == 0)
    let store = CacheStore(cache: try SQLiteNormalizedCache(path: folder.path("c")))
    var changes = await store.changes().makeAsyncIterator()
    try await other.write(response(["A"]), try operation(Self.flock))
    #expect(await changes.next()?.cause == .external)
  }

  /// The kernel reports the write to the log before it can be read. A process that reads only then would miss it.
  @Test func `a write changes the modification time when it can be read`() async throws {
    let folder = try TemporaryFolder()
    let cache = try SQLiteNormalizedCache(path: folder.path("c"))
    func time() throws -> Int {
      var status = stat()
      try #require(stat(folder.path("c"), &status) == 0)
      return modificationTime(of: status).tv_sec
    }
    try #require(utimensat(AT_FDCWD, folder.path("c"), [timespec(), timespec()], 0) == 0)
    try #require(try time() == 0)
    _ = try await cache.snapshot()
    #expect(try time() == 0, "nothing was written")
    try await CacheStore(cache: cache).write(response(["A"]), try operation(Self.flock))
    #expect(try time() > 0)
  }

  @Test(arguments: [false, true])
  func `clearing the file in another process is published`(isWrittenAgain: Bool) async throws {
    let folder = try TemporaryFolder()
    let one = CacheStore(cache: try SQLiteNormalizedCache(path: folder.path("c"), memoryLimit: 1 << 20))
    let other = CacheStore(cache: try SQLiteNormalizedCache(path: folder.path("c")))
    let query = try operation(Self.flock)
    try await one.write(response(["A", "B"]), query)
    #expect(try await one.look(query).isComplete)
    let reported = await one.lastChange
    let records = other.records(of: try json(#"{"version":"1"}"#), try operation("{ version }"), [:], .complete)
    try await other.apply(isWrittenAgain ? [.removeAll, .merge(records)] : [.removeAll])
    try await one.refresh()
    #expect(await one.lastChange == reported + 1)
    #expect(try await one.look(query).data == nil)
  }

  @Test func `a write of another process is noticed after a failed write`() async throws {
    let folder = try TemporaryFolder()
    let other = CacheStore(cache: try SQLiteNormalizedCache(path: folder.path("c")))
    let query = try operation(Self.flock)
    try await other.write(response(["A"]), query)
    let one = CacheStore(cache: try SQLiteNormalizedCache(path: folder.path("c"), isReadOnly: true))
    #expect(try await one.look(query).data?.description == response(["A"]))
    try await other.write(response(["B"]), query)
    await #expect(throws: CacheFileError.self) { try await one.modify("Bird:0") { $0["name"] = .scalar("C") } }
    #expect(try await one.look(query).data?.description == response(["B"]))
  }

  @Test func `the type of a record is saved even if no field changed`() async throws {
    let folder = try TemporaryFolder()
    let store = CacheStore(cache: try SQLiteNormalizedCache(path: folder.path("c")))
    try await store.modify("Bird:1") { $0["tags"] = .scalar(["t"]) }
    try await store.write(
      #"{"bird":{"__typename":"Bird","id":"1","tags":["t"]}}"#, try operation("{ bird(id: 1) { __typename id tags } }"),
      options: CacheWriteOptions(paths: [["bird", "tags"]]))
    let again = CacheStore(cache: try SQLiteNormalizedCache(path: folder.path("c")))
    #expect(try await again.record("Bird:1")?.typename == "Bird")
  }

  @Test(arguments: ["no database at all", ""])
  func `a damaged file is renamed and replaced`(content: String) async throws {
    let folder = try TemporaryFolder()
    if content.isEmpty {
      let store = CacheStore(cache: try SQLiteNormalizedCache(path: folder.path("c")))
      try await store.write(response((0..<2000).map { "name \($0)" }), try operation(Self.flock))
      try folder.overwriteMiddle(of: "c")
    } else {
      try folder.write("c", String(repeating: content, count: 100))
    }
    let cache = try SQLiteNormalizedCache(path: folder.path("c"))
    let store = CacheStore(cache: cache)
    _ = try await store.snapshot()
    #expect(
      await cache.notices == [
        "the cache file \(folder.path("c")) was damaged; it was renamed to \(folder.path("c")).damaged and replaced"
      ])
    let query = try operation(Self.flock)
    try await store.write(response(["A"]), query)
    #expect(try await store.look(query).isComplete)
  }

  @Test func `an unrelated database is not changed`() async throws {
    let folder = try TemporaryFolder()
    try RawDatabase(folder.path("c")).execute("CREATE TABLE theirs(a); INSERT INTO theirs VALUES(1)")
    #expect(throws: CacheFileError.self) { try SQLiteNormalizedCache(path: folder.path("c")) }
    #expect(try SQLiteConnection(path: folder.path("c")).number("SELECT a FROM theirs") == 1)
  }

  /// SQLite does not wait for a lock when it changes a file to write-ahead logging.
  @Test func `a file without a log that another process locked is opened when it is unlocked`() async throws {
    let folder = try TemporaryFolder()
    _ = try SQLiteNormalizedCache(path: folder.path("c"))
    try RawDatabase(folder.path("c")).execute("PRAGMA journal_mode = DELETE")
    try await withCheckedThrowingContinuation { locked in
      startThread {
        let other = Result {
          let other = try RawDatabase(folder.path("c"))
          try other.execute("BEGIN IMMEDIATE")
          return other
        }
        locked.resume(with: other.map { _ in })
        // A statement that takes a while.
        try? other.get().execute(
          """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000000) SELECT count(*) FROM n;
          COMMIT
          """)
      }
    }
    let cache = try SQLiteNormalizedCache(path: folder.path("c"))
    #expect(try await cache.byteCount() == 0)
  }

  @Test(arguments: [0, 1, 2, 3, 5, 99], [false, true])
  func `a file of another format version is refused and left alone`(version: Int, isReadOnly: Bool) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("c")
    do { _ = try SQLiteNormalizedCache(path: path) }
    try SQLiteConnection(path: path, isReadOnly: false).execute(
      "PRAGMA user_version = \(version); PRAGMA wal_checkpoint(TRUNCATE)")
    let before = try folder.bytes("c")
    let error = #expect(throws: CacheFileError.self) { try SQLiteNormalizedCache(path: path, isReadOnly: isReadOnly) }
    #expect(error?.kind == .unsupportedVersion)
    let message =
      version > 4
      ? "\(path) was written by a newer version of Apus (format \(version)); update Apus, or use another file"
      : "\(path) was written by an older version of Apus (format \(version)); use another file"
    #expect(error?.description == message)
    #expect(try folder.bytes("c") == before)
    #expect(try !folder.files(in: ".").contains { $0.contains("damaged") })
  }

  @Test func `an empty database of another program is not made a cache`() throws {
    let folder = try TemporaryFolder()
    try RawDatabase(folder.path("c")).execute("PRAGMA user_version = 7")
    let error = #expect(throws: CacheFileError.self) { try SQLiteNormalizedCache(path: folder.path("c")) }
    #expect(error?.kind == .unrecognized)
  }

  @Test(arguments: CacheKind.allCases)
  func `an export is imported without loss`(kind: CacheKind) async throws {
    let folder = try TemporaryFolder()
    let store = CacheStore(
      cache: try kind.cache(in: folder),
      policies: CachePolicies(timeToLive: ["Station": 1000]), clock: { 1_700_000_000 })
    let query = try operation(
      "{ search { __typename ... on Station { id name visitors { __typename id tracks { __typename eggs } } } } settings }"
    )
    try await store.write(
      #"{"search":[{"__typename":"Station","id":"1","name":"N","visitors":[{"__typename":"Bird","id":"2","tracks":[[{"__typename":"Nest","eggs":1}]]},null]}],"settings":{"$ref":"x"}}"#,
      query)
    let exported = CacheExport.json(try await store.snapshot())
    let other = CacheStore(clock: { 1_700_000_000 })
    try await other.importRecords(exported)
    #expect(CacheExport.json(try await other.snapshot()).description == exported.description)
    #expect(try await other.look(query).data == (try await store.look(query).data))
    let cache = try InMemoryNormalizedCache(importing: exported)
    #expect(await CacheExport.json(cache.snapshot()).description == exported.description)
    #expect(await cache.snapshot().number == 1)
  }

  @Test func `the time of a write that an export lacks is unknown`() async throws {
    let export = try json(
      #"{"format":"apus-cache","version":1,"records":{"A":{"x":1},"B":{"x":1,"$written":7}}}"#)
    let snapshot = await (try InMemoryNormalizedCache(importing: export)).snapshot()
    #expect(snapshot.summaries(matching: RecordPattern()).map { "\($0.key.text) \($0.written)" } == ["A 0", "B 7"])
  }

  @Test func `an export lists errors by name in any order of writes`() async throws {
    let store = CacheStore(clock: { 1_700_000_000 })
    try await store.importRecords(
      try json(#"{"format":"apus-cache","version":1,"records":{"A":{"$errors":{"n":[{"message":"x"}]}}}}"#))
    try await store.importRecords(
      try json(#"{"format":"apus-cache","version":1,"records":{"A":{"$errors":{"m":[{"message":"x"}]}}}}"#))
    let exported = CacheExport.json(try await store.snapshot())
    #expect(exported["records"]?["A"]?["$errors"]?.members.map(\.0) == ["m", "n"])
    let other = CacheStore(clock: { 1_700_000_000 })
    try await other.importRecords(exported)
    #expect(CacheExport.json(try await other.snapshot()).description == exported.description)
  }

  @Test func `an invalid export is rejected`() async throws {
    for text in [
      "{}", #"{"format":"apus-cache","version":7,"records":{}}"#,
      #"{"format":"apus-cache","version":1,"records":{"A":{"x":{"y":1}}}}"#,
    ] {
      await #expect(throws: CacheImportError.self) { try await CacheStore().importRecords(try json(text)) }
    }
  }
}

extension TemporaryFolder {
  /// Overwrites the second half of a file with random bytes.
  func overwriteMiddle(of name: String) throws {
    let connection = try SQLiteConnection(path: path(name), isReadOnly: false)
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try damage(name)
  }
}
