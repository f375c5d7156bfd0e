import ApusSecrets
import FuzzHarness

@testable import ApusClientImports

/// For any file of another program, the imported files stay in their folder. The first byte selects the file name.
@main enum ImportTarget: FuzzTarget {
  static let names = [
    "a.json", "a.http", "b/a.bru", "environments/a.bru", "a.env.json", "collection.bru", "a.sh", "a.ps1", "a.js",
    "a.txt", "a.md",
    "b/a.yml", "collection.yml",
  ]

  static func check(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
    var collection = ImportedCollection()
    guard (try? collection.add(UntrustedText(text), named: names[Int(first) % names.count])) != nil else { return }
    let folder = ImportedFolder(collection, from: "them")
    for (path, _) in folder.files {
      let parts = path.split(separator: "/", omittingEmptySubsequences: false)
      expect(!path.hasPrefix("/") && !parts.contains { $0.isEmpty || $0 == ".." || $0 == "." }, "outside: \(path)")
      expect(!path.unicodeScalars.contains { $0.value < 0x20 }, "a control character: \(path)")
    }
    expect(Set(folder.files.map(\.path)).count == folder.files.count, "two files have the same path")
    // Two dollar signs are an escaped dollar sign.
    let live = folder.files[0].text.replacing("$$", with: "")
    expect(!live.contains("$("), "a command: \(folder.files[0].text)")
  }
}
