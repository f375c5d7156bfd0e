import ClientCache
import JSON

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The victim of the kill test: writes one change after the other into the file that it is given, until it is killed.
///
/// Change n gives ten records the value n, so that a file which holds a whole number of changes has one value in all.
@main
enum CacheWriter {
  static func main() async throws {
    let cache = try SQLiteNormalizedCache(path: CommandLine.arguments[1], memoryLimit: 1 << 20)
    let store = CacheStore(cache: cache)
    var number = Int(CommandLine.arguments[2]) ?? 0
    var line = "ready\n"
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
      if !line.isEmpty {
        _ = write(STDOUT_FILENO, line, line.utf8.count)
        line = ""
      }
    }
  }
}
