import ApusTestSupport

@testable import ApusClientCache

/// The kinds of caches, which must all behave alike.
enum CacheKind: String, CaseIterable, CustomStringConvertible {
  case memory, file
  /// A file with some of its records in memory; the limit is so low that records are loaded and discarded.
  case chain

  var description: String { rawValue }

  func cache(in folder: TemporaryFolder) throws -> any NormalizedCache {
    let path = folder.path("cache.sqlite")
    return switch self {
    case .memory: InMemoryNormalizedCache()
    case .file: try SQLiteNormalizedCache(path: path)
    case .chain: try SQLiteNormalizedCache(path: path, memoryLimit: 600)
    }
  }
}
