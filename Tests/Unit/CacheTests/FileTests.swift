import ApusClientOperation
import ApusJSON
import ApusPlatform
import ApusSQLite
import ApusTestSupport
import Testing

@testable import ApusClientCache

/// The cache on disk: persistence, damage, and other processes.
@Suite struct FileTests {
  private static let flock = "{ flock { __typename id name } }"

  private func response(_ names: [String]) -> String {
    let birds = names.enumerated().map { #"{"__typename":"Bird","id":"\#($0.offset)","name":"\#($0.element)"}"# }
    return #"{"flock":[\#(birds.joined(separator: ","))]}"#
  }

  @Test func aReopenedFileContainsAllRecords() async throws {
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

  @Test func aRefreshPublishesWritesOfAnotherProcess() async throws {
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

  @Test func writesOfAnotherProcessArePublishedAutomatically() async throws {
    let folder = try TemporaryFolder()
    let store = CacheStore(cache: try CacheKind.file.cache(in: folder))
    var changes = await store.changes().makeAsyncIterator()
    let other = CacheStore(cache: try CacheKind.file.cache(in: folder))
    try await other.write(response(["A"]), try operation(Self.flock))
    let change = try #require(await changes.next())
    #expect(change.cause == .external)
  }

  /// The kernel reports the write to the log before it can be read. A process that reads only then would miss it.
  @Test func aWriteChangesTheModificationTimeWhenItCanBeRead() async throws {
    let folder = try TemporaryFolder()
    let cache = try SQLiteNormalizedCache(path: folder.path("c"))
    func time() throws -> Int {
      var status = stat()
      try #require(stat(folder.path("c"), &status) == 0)
      return status.modificationTime.tv_sec
    }
    try #require(utimensat(AT_FDCWD, folder.path("c"), [timespec(), timespec()], 0) == 0)
    try #require(try time() == 0)
    _ = try await cache.snapshot()
    #expect(try time() == 0, "nothing was written")
    try await CacheStore(cache: cache).write(response(["A"]), try operation(Self.flock))
    #expect(try time() > 0)
  }

  @Test(arguments: [false, true])
  func clearingTheFileInAnotherProcessIsPublished(isWrittenAgain: Bool) async throws {
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

  @Test func aWriteOfAnotherProcessIsNoticedAfterAFailedWrite() async throws {
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

  @Test func theTypeOfARecordIsSavedEvenIfNoFieldChanged() async throws {
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
  func aDamagedFileIsRenamedAndReplaced(content: String) async throws {
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

  @Test func anUnrelatedDatabaseIsNotChanged() async throws {
    let folder = try TemporaryFolder()
    let connection = try SQLiteConnection(path: folder.path("c"), isReadOnly: false)
    try connection.execute("CREATE TABLE theirs(a); INSERT INTO theirs VALUES(1)")
    #expect(throws: CacheFileError.self) { try SQLiteNormalizedCache(path: folder.path("c")) }
    #expect(try connection.number("SELECT a FROM theirs") == 1)
  }

  /// SQLite does not wait for a lock when it changes a file to write-ahead logging.
  @Test func aNewFileLockedByAnotherProcessIsOpenedWhenItIsUnlocked() async throws {
    let folder = try TemporaryFolder()
    try await withCheckedThrowingContinuation { locked in
      startThread {
        let other = Result {
          let other = try SQLiteConnection(path: folder.path("c"), isReadOnly: false)
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

  @Test func aFileOfANewerVersionIsRejected() async throws {
    let folder = try TemporaryFolder()
    _ = try SQLiteNormalizedCache(path: folder.path("c"))
    let connection = try SQLiteConnection(path: folder.path("c"), isReadOnly: false)
    try connection.execute("PRAGMA user_version = 99")
    #expect(throws: CacheFileError.self) { try SQLiteNormalizedCache(path: folder.path("c")) }
  }

  @Test(arguments: CacheKind.allCases)
  func anExportIsImportedWithoutLoss(kind: CacheKind) async throws {
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
  }

  @Test func anExportListsErrorsByNameInAnyOrderOfWrites() async throws {
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

  @Test func anInvalidExportIsRejected() async throws {
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
