import ApusClientCache
import ApusConfiguration
import ApusExplorerCore
import ApusJSON
import ApusPlatform

/// Another program's cache, while it is looked at.
struct OpenedCache: Sendable {
  let store: CacheStore
  /// Tells of its changes as long as it is looked at.
  var observation: CacheObservation?
  /// Why it cannot be changed; `nil` when it can.
  let refusal: WorldFailure?
}

extension LiveWorld {
  /// Looks at the cache in a file, one of SQLite or an exported JSON; at the explorer's own again for `nil`.
  func openCache(_ cache: ForeignCache?) async -> Action {
    guard let cache else {
      look(at: nil)
      return .cache(.opened(nil))
    }
    do {
      var opened = try Self.open(cache)
      opened.observation = observe(foreign: opened.store)
      look(at: opened)
      return .cache(.opened(cache))
    } catch {
      return .operationFailed("\(error)")
    }
  }

  /// The bytes of a file that begins as an export does; `nil` for any other.
  private static func exported(_ path: String) throws(WorldFailure) -> [UInt8]? {
    guard let head = UserFile.head(of: path, count: 1) else {
      throw WorldFailure("\(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    guard head == [UInt8(ascii: "{")] else { return nil }
    do throws(ConfigurationError) {
      return try UserFile.read(path, limit: .max)
    } catch {
      throw WorldFailure("\(error)")
    }
  }

  private static func open(_ cache: ForeignCache) throws -> OpenedCache {
    if let bytes = try exported(cache.path) {
      do {
        let store = CacheStore(cache: try InMemoryNormalizedCache(importing: try JSONDocument(parsing: bytes).root))
        return OpenedCache(store: store, refusal: WorldFailure("An exported cache is only looked at"))
      } catch {
        throw WorldFailure("\(cache.path): \(error)")
      }
    }
    let file = try SQLiteNormalizedCache(path: cache.path, memoryLimit: 256 << 20, isReadOnly: !cache.isWritable)
    return OpenedCache(
      store: CacheStore(cache: file),
      refusal: cache.isWritable
        ? nil : WorldFailure("This cache was opened to be read only: 'Open a cache to change it' opens it for more"))
  }
}
