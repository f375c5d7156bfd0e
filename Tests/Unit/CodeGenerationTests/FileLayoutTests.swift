import ApusCodeGeneration
import Testing

/// The distribution of code to files: large files compile faster, while one file per operation is easier to read.
struct FileLayoutTests {
  /// Generates operations with these names, each with an alias of this length.
  private func files(_ names: [String], padding: Int = 0) throws -> [GeneratedFile] {
    let alias = String(repeating: "x", count: padding)
    let text = names.map { "query \($0) { name \(padding > 0 ? "\(alias): name" : "") }" }.joined(separator: "\n")
    let schema = "type Query { name: String }"
    return try CodeGenerator(schema: schema, documents: [("all.graphql", text)]).generate()
      .filter { $0.path.hasPrefix("Operations/") }
  }

  private func structs(in file: GeneratedFile) -> [String] {
    let start = "nonisolated public struct "
    return file.text.split(separator: "\n").compactMap { line in
      line.hasPrefix(start) ? line.dropFirst(start.count).prefix { $0 != ":" }.description : nil
    }
  }

  @Test func `up to a hundred operations have a file each`() throws {
    let names = (0..<100).map { "Q\($0)" }
    let files = try files(names)
    #expect(files.map(\.path).sorted() == names.map { "Operations/\($0)Query.swift" }.sorted())
    #expect(files.allSatisfy { structs(in: $0).count == 1 })
  }

  @Test func `file names are unique on case-insensitive file systems`() throws {
    let files = try files(["Names", "NAMES", "names2", "Names2"])
    #expect(
      files.map(\.path).sorted() == [
        "Operations/NAMESQuery.swift", "Operations/Names2Query.swift", "Operations/Names2Query_.swift",
        "Operations/NamesQuery-2.swift",
      ])
    #expect(Set(files.flatMap(structs)).count == 4)
  }

  @Test func `more than a hundred operations share a file`() throws {
    let files = try files((0...100).map { "Q\($0)" })
    #expect(files.map(\.path) == ["Operations/Operations.swift"])
    #expect(files.flatMap(structs) == (0...100).map { "Q\($0)Query" }.sorted())
  }

  @Test func `operations too large for one file are grouped by first letters`() throws {
    // About 10 kB each. The operations with A and those with B need more than one file; the others do not.
    let names = (0..<30).map { "Apple\($0)" } + (0..<40).map { "Ba\($0)" } + (0..<20).map { "Be\($0)" }
    let all = names + (0..<20).map { "C\($0)" } + ["Other", "other2"]
    let files = try files(all, padding: 1500)
    #expect(files.count < 12)
    #expect(
      files.flatMap(structs).sorted() == all.map { $0.prefix(1).uppercased() + $0.dropFirst() + "Query" }.sorted())
    #expect(Set(files.map(\.path)).count == files.count)
    for file in files {
      #expect(file.text.utf8.count < 260_000)
      let letters = file.path.dropFirst("Operations/Operations".count).dropLast(".swift".count).drop { $0 == "-" }
      #expect(structs(in: file).allSatisfy { $0.uppercased().hasPrefix(letters) })
    }
  }

  @Test func `a large operation is not split`() throws {
    let files = try files((0...100).map { "Q\($0)" } + ["Large"], padding: 40_000)
    #expect(files.flatMap(structs).count == 102)
  }
}
