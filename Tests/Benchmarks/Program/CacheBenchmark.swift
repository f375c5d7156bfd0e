import ApusClientCache
import ApusClientOperation
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusJSON
import CApusBaselines
import FoundationEssentials

extension Benchmark {
  /// Writes a response to caches and reads it back, compared with simdjson parsing the same bytes in the same run.
  static let cache = Benchmark(
    name: "cache", summary: "a response of 20,001 records into caches and out again, against simdjson's bare parse",
    task: { arguments in
      // `--task cache FILE memory 200` runs only one work item, for a profiler.
      guard let path = arguments.first, let bytes = FileManager.default.contents(atPath: path) else { return }
      let work = try CacheWork(bytes: Array(bytes))
      if arguments.dropFirst().first == "memory" {
        for _ in 0..<(Int(arguments.dropFirst(2).first ?? "") ?? 1) { try await work.once() }
      }
      print("peak \(try Cost.peakMemory()) MB")
    },
    run: {
      let work = try CacheWork(bytes: ItemsResponse.data())
      try await work.contest()
      try work.peak()
      try await work.large()
    })
}

/// The work measured for the caches.
private struct CacheWork: Sendable {
  private let bytes: [UInt8]
  private let operation: CompiledOperation

  init(bytes: [UInt8]) throws {
    self.bytes = bytes
    operation = try CompiledOperation.compile(
      Document(parsing: ItemsResponse.query), schema: Schema.load(sdl: ItemsResponse.schema),
      options: CompileOptions(addTypename: true))
  }

  private func parse() throws -> JSONValue { try JSONDocument(parsing: bytes).root }

  /// Writes to the in-memory cache and reads back, to measure the peak memory of a process that does nothing else.
  func once() async throws {
    let store = CacheStore()
    try await store.write(try parse(), operation: operation)
    try check(try await store.read(operation))
  }

  /// Measures the peak memory of two processes: one that only reads the response's bytes from a file, and one that
  /// caches them. The processes report it themselves, because the kernel's figure for a child includes the parent's
  /// size at the start.
  func peak() throws {
    let file = FileManager.default.temporaryDirectory.appending(
      path: "apus-benchmark-\(UInt64.random(in: 0 ... .max)).json")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    var table = Table(["whole processes", "peak MB"])
    let costs = try [[], ["memory"]].map { arguments in
      let process = try TerminalProcess([CommandLine.arguments[0], "--task", "cache", file.path] + arguments)
      defer { process.end() }
      try process.wait(for: "peak ")
      return Double(try process.line().prefix { $0 != " " }) ?? .nan
    }
    table.add(["with the response's bytes", Table.number(costs[0])])
    table.add(["bytes into memory, and read back", Table.number(costs[1])])
    table.add(["above the bare one", Table.number(costs[1] - costs[0])])
    table.print()
  }

  func contest() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "apus-benchmark-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let names = [
      "simdjson's bare parse", "parse", "bytes into memory", "read back from memory", "read again unchanged",
      "bytes into SQLite", "read from a fresh connection",
    ]
    var costs = [[Cost]](repeating: [], count: names.count)
    for round in 0..<12 {
      let path = folder.appending(path: "\(round).sqlite").path
      let memory = CacheStore()
      let file = CacheStore(cache: try SQLiteNormalizedCache(path: path))
      let fresh = CacheStore(cache: try SQLiteNormalizedCache(path: path, isReadOnly: false))
      let works: [() async throws -> Void] = [
        { _ = bytes.withUnsafeBufferPointer { yardstick_simdjson_parse($0.baseAddress, $0.count) } },
        { _ = try parse() },
        { try await memory.write(try parse(), operation: operation) },
        { try check(try await memory.read(operation)) },
        { try check(try await memory.read(operation)) },
        { try await file.write(try parse(), operation: operation) },
        { try check(try await fresh.read(operation)) },
      ]
      for (index, work) in works.enumerated() {
        let cost = try await Cost.measure(work)
        if round > 1 { costs[index].append(cost) }
      }
      for name in [path, path + "-wal", path + "-shm"] { try? FileManager.default.removeItem(atPath: name) }
    }
    // The ratio of processor times is not affected by other programs.
    var table = Table(["20,001 records", "min ms", "median ms", "CPU ms", "times the yardstick", "by CPU"])
    func least(_ own: [Cost], _ value: (Cost) -> Double) -> Double { own.map(value).min() ?? .nan }
    for (name, own) in zip(names, costs) {
      let (wall, processor) = (least(own, \.wall), least(own, \.processor))
      table.add([
        name, Table.number(wall), Table.number(own.map(\.wall).median), Table.number(processor),
        Table.number(wall / least(costs[0], \.wall)), Table.number(processor / least(costs[0], \.processor)),
      ])
    }
    table.print()
  }

  private func check(_ read: CacheRead) throws {
    guard read.isComplete else { throw BenchmarkError("the read is not whole") }
  }

  /// Measures a million records: evicts one, then removes all in two halves by garbage collection.
  func large() async throws {
    let store = CacheStore()
    try await MillionRecords.write(into: store)
    var table = Table(["\(try await store.snapshot().count) records", "ms"])
    let evict = try await Cost.measure {
      let changed = try await store.evict("User:user-25-5000")
      guard try await store.referrers(of: "User:user-25-5000").count == 1, !changed.isEmpty else {
        throw BenchmarkError("its referrer is not known")
      }
    }
    let collect = try await Cost.measure { _ = try await store.collectGarbage() }
    let lists = try await Cost.measure {
      for part in 0..<25 { try await store.evict("QUERY_ROOT", field: "items({\"part\":\(part)})") }
    }
    let half = try await Cost.measure { _ = try await store.collectGarbage() }
    try await store.evict("QUERY_ROOT")
    let rest = try await Cost.measure { _ = try await store.collectGarbage() }
    guard try await store.snapshot().count == 0 else { throw BenchmarkError("not all of it was collected") }
    table.add(["evict one, and who refers to it", Table.number(evict.wall)])
    table.add(["collect, nothing to remove", Table.number(collect.wall)])
    table.add(["evict 25 lists of 10,000", Table.number(lists.wall)])
    table.add(["collect half of them", Table.number(half.wall)])
    table.add(["collect the other half", Table.number(rest.wall)])
    table.print()
  }
}
