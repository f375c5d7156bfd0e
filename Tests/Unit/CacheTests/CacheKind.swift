import ApusTestSupport

@testable import ApusClientCache

/// The caches that must all be one and the same to those who use them.
enum CacheKind: String, CaseIterable, CustomStringConvertible {
  case memory, file
  /// A file with some records in memory before it, fewer than there are, so that they come and go.
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
