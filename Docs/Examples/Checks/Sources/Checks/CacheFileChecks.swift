import FoundationEssentials
import PeopleAPI

/// Checks that a cache file can be read again and shared, is private, and is rejected if it is not a cache.
func checkCacheFiles(_ report: Report) async throws {
  let folder = FileManager.default.temporaryDirectory.appending(path: "apus-checks-\(UInt64.random(in: 0 ... .max))")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let path = folder.appending(path: "cache.sqlite").path
  let query = PersonQuery(id: "1", later: false)

  let file = try SQLiteNormalizedCache(path: path)
  let store = Scripted.store(file)
  try await store.write(ada, for: query)
  report.check("a file is read", try await store.read(query), is: ada)
  let again = Scripted.store(try SQLiteNormalizedCache(path: path, memoryLimit: 1 << 20))
  report.check("and read again after it was reopened", try await again.read(query), is: ada)
  try await store.modify("User:1") { $0["name"] = .scalar("Eve") }
  report.check("another store with the file sees the change", try await again.read(query)?.person?.name, is: "Eve")
  let reader = Scripted.store(try SQLiteNormalizedCache(path: path, isReadOnly: true))
  report.check("a reader reads", try await reader.read(query) != nil)
  do {
    try await reader.clear()
    report.check("a reader does not write", false)
  } catch {
    report.check("a reader does not write", (error as? CacheFileError)?.kind, is: CacheFileError.Kind.unusable)
  }
  let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
  report.check("a file is readable by its owner only", mode.map { "\($0)" }, is: "\(0o600)")
  report.check("nothing was damaged", await file.notices.isEmpty)

  for value: JSONValue in [7, .null, ["x"], "text"] {
    try await store.modify("User:1") { $0["tags"] = .scalar(value) }
    _ = try await again.read(query)
  }
  report.check("no content of a cache crashes the program", true)

  let text = folder.appending(path: "text").path
  try Data("no database, whatever its name".utf8).write(to: URL(filePath: text))
  let begun = try SQLiteNormalizedCache(path: text)
  report.check("a file that is not a database is moved aside", await begun.notices.count, is: 1)

  let cache: any NormalizedCache = InMemoryNormalizedCache()
  report.check("memory is not shared", !cache.isShared)
  let wrapped = Scripted.store(CountingCache())
  try await wrapped.write(ada, for: query)
  report.check("a custom cache is used", try await wrapped.read(query), is: ada)
  let plain = PlainCache()
  let own = Scripted.store(plain)
  try await own.write(ada, for: query)
  report.check("a cache over its records as well", try await own.read(query), is: ada)
  report.check("which is requested", await plain.readCount > 0)
  report.check("and can be inspected", await plain.snapshot().count > 0)
}

/// A cache that counts its reads: any actor can be one.
actor CountingCache: NormalizedCache {
  private let inner = InMemoryNormalizedCache()
  private(set) var count = 0

  func records(for request: RecordRequest) async throws -> RecordSet {
    count += 1
    return await inner.records(for: request)
  }

  func snapshot() async throws -> CacheSnapshot { await inner.snapshot() }

  func apply(_ mutations: [CacheMutation], at time: UInt32) async throws -> ChangedKeys {
    count += 1
    return await inner.apply(mutations, at: time)
  }

  func update(
    at time: UInt32, _ body: @Sendable (_ records: RecordLookup) throws -> [CacheMutation]
  ) async throws -> ChangedKeys {
    count += 1
    return try await inner.update(at: time, body)
  }

  func byteCount() async throws -> Int { await inner.byteCount() }
  func recordUse(_ use: RecordUse) async { await inner.recordUse(use) }
  func trim(to limit: Int, keeping requests: [RecordRequest]) async throws -> ChangedKeys {
    await inner.trim(to: limit, keeping: requests)
  }
  func externalChanges() async throws -> [ChangedKeys] { await inner.externalChanges() }
}
