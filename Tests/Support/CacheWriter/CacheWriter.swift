import ApusClientCache
import ApusClientOperation
import ApusGraphQLLanguage
import ApusJSON
import ApusPlatform

/// A separate process that writes to a cache file.
///
///     ApusCacheWriter FILE NUMBER        makes changes from NUMBER on until it is killed (by the kill test)
///     ApusCacheWriter FILE count N       increments the age of the only bird N times, in updates
@main
enum CacheWriter {
  static func main() async throws {
    let arguments = CommandLine.arguments
    let store = CacheStore(cache: try SQLiteNormalizedCache(path: arguments[1], memoryLimit: 1 << 20))
    if arguments[2] == "count" {
      try await count(in: store, Int(arguments[3]) ?? 0)
    } else {
      try await keepWriting(into: store, from: Int(arguments[2]) ?? 0)
    }
  }

  private static func say(_ line: String) { _ = write(STDOUT_FILENO, line + "\n", line.utf8.count + 1) }

  /// Makes changes. Change n sets ten records to n, so that a file with only complete changes has a single value.
  private static func keepWriting(into store: CacheStore, from start: Int) async throws {
    var number = start
    while true {
      number += 1
      let value = JSONValue(number)
      try await store.apply(
        (0..<10).map { record in
          .modify(CacheKey("Count:\(record)")) { draft in
            draft["value"] = .scalar(value)
            draft["text"] = .scalar(JSONValue(String(repeating: "\(value)", count: 40)))
            draft["next"] = .reference(CacheReference(CacheKey("Count:\((record + 1) % 10)")))
          }
        })
      if number == start + 1 { say("ready") }
    }
  }

  private static func count(in store: CacheStore, _ times: Int) async throws {
    let query = try CompiledOperation.compile(Document(parsing: "{ bird(id: \"1\") { __typename id age } }"))
    say("ready")
    for _ in 0..<times {
      try await store.update(query) { data in
        let age = data.value(at: ["bird", "age"])?.int ?? 0
        data = try data.replacing(at: ["bird", "age"], with: JSONValue(age + 1))
      }
    }
  }
}
