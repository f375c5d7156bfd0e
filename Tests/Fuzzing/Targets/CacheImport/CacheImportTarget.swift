import ApusJSON
import FuzzHarness

@testable import ApusClientCache

/// An exported cache is imported or rejected. Exporting it again does not change it.
@main enum CacheImportTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) {
    guard let json = try? JSONDocument(parsing: bytes).root, let records = try? CacheImport.records(json)
    else { return }
    let written = CacheExport.json(CacheSnapshot(records, number: 1))
    guard let again = try? CacheImport.records(written) else { fatalError("the written cache is invalid: \(written)") }
    let twice = CacheExport.json(CacheSnapshot(again, number: 1))
    expect(twice.description == written.description, "exporting again changes the cache: \(written)\n\(twice)")
  }
}
