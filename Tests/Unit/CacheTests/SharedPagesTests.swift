import ApusPlatform
import ApusTestSupport
import Foundation
import Testing

@testable import ApusClientCache

/// Files of a few pages whose trees refer to the same page again and again, so that they seem to have 200^6 rows.
@Suite(.timeLimit(.minutes(2))) struct SharedPagesTests {
  private static let pageSize = 4096
  private static let breadth = 200
  private static let levels = 6

  /// The bytes of a tree page of cells in the given order (SQLite, "Database File Format", 1.6).
  private static func page(
    _ kind: UInt8, _ cells: [[UInt8]], last child: Int? = nil, offset: Int = 0
  ) -> [UInt8] {
    var page = [UInt8](repeating: 0, count: pageSize)
    var end = pageSize
    var pointer = offset + (child == nil ? 8 : 12)
    for cell in cells {
      end -= cell.count
      page.replaceSubrange(end..<(end + cell.count), with: cell)
      (page[pointer], page[pointer + 1]) = (UInt8(end >> 8), UInt8(end & 0xFF))
      pointer += 2
    }
    page[offset] = kind
    (page[offset + 3], page[offset + 4]) = (UInt8(cells.count >> 8), UInt8(cells.count & 0xFF))
    (page[offset + 5], page[offset + 6]) = (UInt8(end >> 8), UInt8(end & 0xFF))
    if let child { page.replaceSubrange((offset + 8)..<(offset + 12), with: bytes(child)) }
    return page
  }

  private static func bytes(_ number: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(number >> ($0 * 8) & 0xFF) } }

  /// Replaces a table by one whose interior pages all refer to the page after them; the last one to the leaf of a row.
  private static func share(tableAt root: Int, in file: inout [UInt8], leaf cells: [[UInt8]], rows: [[UInt8]] = []) {
    let first = file.count / pageSize + 1
    func interior(_ child: Int, before: [Int] = [], offset: Int = 0) -> [UInt8] {
      let children = before + [Int](repeating: child, count: breadth)
      return page(0x05, children.map { bytes($0) + [0x01] }, last: child, offset: offset)
    }
    // The first page of the chain is `first`, the leaf of the rows that stay the one before it.
    file += page(0x0D, rows.isEmpty ? cells : rows)
    for level in 0..<levels { file += interior(first + 2 + level) }
    file += page(0x0D, cells)
    let start = (root - 1) * pageSize
    let offset = root == 1 ? 100 : 0
    let top = interior(first + 1, before: rows.isEmpty ? [] : [first], offset: offset)
    file.replaceSubrange((start + offset)..<(start + pageSize), with: top[offset...])
    file.replaceSubrange(28..<32, with: bytes(file.count / pageSize))
  }

  /// Returns the cells of a leaf page.
  private static func cells(ofPage number: Int, in file: [UInt8]) -> [[UInt8]] {
    let start = (number - 1) * pageSize
    let offset = number == 1 ? 100 : 0
    let count = Int(file[start + offset + 3]) << 8 | Int(file[start + offset + 4])
    return (0..<count).map { index in
      let pointer = start + offset + 8 + 2 * index
      let cell = Int(file[pointer]) << 8 | Int(file[pointer + 1])
      // A payload of fewer than 8,192 bytes has a length of one or two bytes.
      let first = file[start + cell]
      let length = first < 0x80 ? Int(first) : Int(first & 0x7F) << 7 | Int(file[start + cell + 1])
      return Array(file[(start + cell)..<(start + cell + length + (first < 0x80 ? 2 : 3))])
    }
  }

  private func cache(_ change: (inout [UInt8]) throws -> Void) async throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    do {
      let cache = try SQLiteNormalizedCache(path: folder.path("c"))
      let text = #"{"format":"apus-cache","version":1,"records":{"QUERY_ROOT":{"a":1}}}"#
      _ = try await cache.apply([.merge(try CacheImport.records(try json(text)))], at: 1)
    }
    var file = try folder.bytes("c")
    try change(&file)
    try Data(file).write(to: URL(fileURLWithPath: folder.path("c")))
    return folder
  }

  /// The page of a table in the schema, by the second byte from the end of its record's header.
  private func rootPage(of table: String, in file: [UInt8]) throws -> Int {
    for cell in Self.cells(ofPage: 1, in: file) {
      let name = "table\(table)\(table)"
      guard let range = cell.firstRange(of: Array(name.utf8)) else { continue }
      return Int(cell[range.upperBound])
    }
    throw CocoaError(.fileReadCorruptFile)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a schema of shared pages is damage`() async throws {
    let folder = try await cache { file in
      let rows = Self.cells(ofPage: 1, in: file)
      // The row of an index has no definition, so that SQLite accepts it any number of times.
      let index = try #require(rows.first { $0.firstRange(of: Array("sqlite_autoindex".utf8)) != nil })
      Self.share(tableAt: 1, in: &file, leaf: [index], rows: rows)
    }
    let error = #expect(throws: CacheFileError.self) {
      try SQLiteNormalizedCache(path: folder.path("c"), isReadOnly: true)
    }
    #expect(error?.kind == .corrupt && error?.description.contains("steps") == true, "\(error as Any)")
    let cache = try SQLiteNormalizedCache(path: folder.path("c"))
    #expect(await cache.notices.count == 1)
  }

  @Test(arguments: ["records", "names", "changes", "state"])
  func `a table of shared pages is damage`(table: String) async throws {
    let folder = try await cache { file in
      let root = try rootPage(of: table, in: file)
      Self.share(tableAt: root, in: &file, leaf: Self.cells(ofPage: root, in: file))
    }
    func attempt(_ isReadOnly: Bool, _ mutations: [CacheMutation]) async {
      guard let cache = try? SQLiteNormalizedCache(path: folder.path("c"), isReadOnly: isReadOnly) else { return }
      _ = try? await cache.snapshot()
      _ = try? await cache.apply(mutations, at: 2)
    }
    await attempt(true, [])
    let copy = try folder.bytes("c")
    for mutations in [[.removeAll], [CacheMutation.removeRecord(CacheKey("QUERY_ROOT"), cascading: true)]] {
      try Data(copy).write(to: URL(fileURLWithPath: folder.path("c")))
      await attempt(false, mutations)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `several states are damage`() async throws {
    let folder = try await cache { file in
      let root = try rootPage(of: "state", in: file)
      Self.share(tableAt: root, in: &file, leaf: Self.cells(ofPage: root, in: file))
    }
    let error = #expect(throws: CacheFileError.self) {
      try SQLiteNormalizedCache(path: folder.path("c"), isReadOnly: true)
    }
    #expect(error?.kind == .corrupt)
  }

  @Test(.timeLimit(.minutes(1)))
  func `removing everything from shared pages ends`() async throws {
    let folder = try await cache { file in
      let root = try rootPage(of: "records", in: file)
      Self.share(tableAt: root, in: &file, leaf: Self.cells(ofPage: root, in: file))
    }
    let file = try RecordFile(path: folder.path("c"), isReadOnly: false)
    try file.beginWriting()
    #expect(throws: (any Error).self) { try file.removeAll() }
    file.rollback()
  }
}
