import ApusPlatform
import CApusSQLite

/// The steps that SQLite may take for a statement, in proportion to the size of the file.
///
/// In a crafted file many pages can refer to one, so that reading a table with a few pages never ends.
final class WorkBudget {
  /// The steps between two checks.
  static let interval: Int32 = 100
  /// The steps for reading the schema: the tables of Apus need fewer than 200.
  private static let schemaSteps = 10_000
  /// The steps for which no size is needed. A transaction may hold this many bytes that are not in the file yet.
  private static let freeSteps = 4_000_000
  /// The steps for each byte of the file. A row takes at least 6 bytes and about 12 steps.
  private static let stepsPerByte = 2

  /// The size up to which a file may consist of holes, and the maximum ratio of a larger size to what is on disk. Holes
  /// take no work to make; a file system that compresses has less on disk, and one that writes later has nothing yet.
  private static let emptySize = 32 << 20
  private static let sparseness = 1000

  private let path: String
  private var used = 0
  /// Whether only the schema is read.
  var isForSchema = true
  /// Whether a statement was stopped.
  private(set) var isExceeded = false

  init(path: String) { self.path = path }

  /// Begins another statement.
  func restart() { (used, isExceeded) = (0, false) }

  /// Counts the steps of an interval. Returns false if there are too many.
  func consume() -> Bool {
    used += Int(Self.interval)
    guard used > (isForSchema ? Self.schemaSteps : Self.freeSteps) else { return true }
    isExceeded = isForSchema || used > Self.freeSteps + Self.stepsPerByte * byteCount
    return !isExceeded
  }

  /// Measures the file and its log.
  var byteCount: Int {
    [path, path + "-wal"].reduce(0) { sum, path in
      var status = stat()
      guard lstat(path, &status) == 0 else { return sum }
      let stored = Int(status.st_blocks) * 512
      return sum + min(Int(status.st_size), max(Self.emptySize, stored * Self.sparseness))
    }
  }
}
