import ApusClientCache
import ApusConfiguration
import ApusExplorerCore
import ApusJSON
import ApusPlatform

/// An external cache that the inspector shows.
struct ExternalCacheSession: Sendable {
  let store: CacheStore
  /// Reports changes while the cache is open.
  var observation: CacheObservation?
  /// The reason why the cache cannot be changed; `nil` if it can.
  let refusal: EnvironmentError?
}

extension LiveEnvironment {
  /// Opens a cache file (SQLite or exported JSON) in the inspector; `nil` returns to the explorer's own cache.
  func openCache(_ cache: ExternalCache?) async -> Action {
    guard let cache else {
      inspect(at: nil)
      return .cache(.opened(nil))
    }
    do {
      var opened = try Self.open(cache)
      opened.observation = observe(external: opened.store)
      inspect(at: opened)
      return .cache(.opened(cache))
    } catch {
      return .operationFailed("\(error)")
    }
  }

  /// Returns the contents of a file that starts with `{`, as an export does; `nil` for any other file.
  private static func exported(_ path: String) throws(EnvironmentError) -> [UInt8]? {
    guard let head = UserFile.head(of: path, count: 1) else {
      let reason = errno == EINVAL ? "it is a pipe, socket or device; open a file" : String(cString: strerror(errno))
      throw EnvironmentError("Cannot read \(path): \(reason)")
    }
    guard head == [UInt8(ascii: "{")] else { return nil }
    do throws(ConfigurationError) {
      return try UserFile.read(path, limit: .max)
    } catch {
      throw EnvironmentError("\(error)")
    }
  }

  private static func open(_ cache: ExternalCache) throws -> ExternalCacheSession {
    if let bytes = try exported(cache.path) {
      do {
        let store = CacheStore(cache: try InMemoryNormalizedCache(importing: try JSONDocument(parsing: bytes).root))
        return ExternalCacheSession(store: store, refusal: EnvironmentError("An exported cache is read-only"))
      } catch {
        throw EnvironmentError("\(cache.path): \(error)")
      }
    }
    let file = try SQLiteNormalizedCache(path: cache.path, memoryLimit: 256 << 20, isReadOnly: !cache.isWritable)
    return ExternalCacheSession(
      store: CacheStore(cache: file),
      refusal: cache.isWritable
        ? nil : EnvironmentError("This cache is open read-only: use 'Open an external cache for editing' to change it"))
  }
}
