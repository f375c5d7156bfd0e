import ApusClientRecords
import ApusJSON
import FuzzHarness

@testable import ApusClientCache

/// A row of a cache file is a record or corrupt. Writing a record again does not change it.
@main enum CacheRowTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) {
    var instructions = Instructions(bytes)
    let key = instructions.bytes(instructions.number(below: 24))
    let type = UInt32(instructions.byte())
    let row = instructions.remainder()
    var names = FileNames()
    for name in ["__typename", "id", "name", "birds({\"first\":2})", "Bird", "Query"] { names.add(name) }
    guard let set = decoded(key, type, row, names) else { return }
    let text = CacheExport.json(CacheSnapshot(set, number: 1)).description

    let written = ByteBuffer(capacity: 256)
    var encoder = RowEncoder(set.storage, into: written) { name in
      if let number = names.number(of: name) { return number }
      names.add(name)
      return UInt32(names.count)
    }
    // A decoded row has one record. A fuzzer reports a failure by ending.
    guard let id = set.storage.existing.first else { fatalError("the decoded row has no record: \(text)") }
    do { try encoder.append(id) } catch { fatalError("the record cannot be written: \(error)") }
    let again = written.withBytes { decoded(key, type, Array($0), names) }
    let other = again.map { CacheExport.json(CacheSnapshot($0, number: 1)).description }
    expect(other == text, "written again it is another record: \(text) \(other ?? "damaged")")
  }

  private static func decoded(_ key: [UInt8], _ type: UInt32, _ row: [UInt8], _ names: FileNames) -> RecordSet? {
    var set = RecordSet()
    var decoder = RowDecoder()
    do {
      try key.withUnsafeBufferPointer { key in
        try row.withUnsafeBytes { row in
          try decoder.add(
            .init(key: key, type: type, stamp: 1, written: 1, expires: 0, bytes: row), names, to: &set.storage)
        }
      }
      return set
    } catch {
      return nil
    }
  }
}
