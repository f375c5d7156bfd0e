import ApusJSON
import ApusTestSupport
import Testing

/// Every command and the language server see the same project in a folder.
struct ProjectLayoutTests {
  private func folder(_ layout: ProjectLayout) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (name, text) in layout.files { try folder.write(name, text) }
    return folder
  }

  private func apus(_ folder: TemporaryFolder, _ words: [String]) async throws -> ChildProcess.Outcome {
    try await ChildProcess.run(
      "/usr/bin/env", ["-C", folder.root, Checkout.apus] + words, environment: folder.asHome)
  }

  private func json(_ folder: TemporaryFolder, _ words: [String]) async throws -> JSONValue {
    let outcome = try await apus(folder, words)
    return try #require(try? JSONDocument(parsing: outcome.output).root, "\(outcome)")
  }

  /// The errors that `apus validate` finds, a line each. One about names that are there twice is one in each of its places.
  private func errors(_ folder: TemporaryFolder, _ words: [String]) async throws -> [String] {
    let report = try await json(folder, ["validate", "--output", "json"] + words)
    return (report["errors"] ?? .null).elements.flatMap { error -> [String] in
      let rule = error["rule"]?.string ?? ""
      let places = (error["locations"] ?? .null).elements.map { place in
        "\((place["file"] ?? error["file"])?.string ?? ""):\(place["line"]?.int ?? 0):\(place["column"]?.int ?? 0) \(rule)"
      }
      return rule.hasPrefix("UniqueOperation") ? places : Array(places.prefix(1))
    }.sorted()
  }

  private static let endings = [".graphql", ".graphqls", ".ts", ".js", ".vue", ".svelte", ".py", ".swift", ".md"]

  @Test func theTableIsLarge() { #expect(ProjectLayout.all.count >= 40) }

  @Test(.timeLimit(.minutes(5)), arguments: ProjectLayout.all)
  func commandAndServerFindTheSameErrors(layout: ProjectLayout) async throws {
    let folder = try folder(layout)
    #expect(try await errors(folder, layout.words) == layout.errors.sorted())
    var editor = try await EditorProcess(in: folder)
    for (name, text) in layout.files.sorted(by: { $0.key < $1.key })
    where Self.endings.contains(where: name.hasSuffix) && !layout.untouched.contains(name) {
      editor.open(name, text)
    }
    #expect(try await editor.errors() == layout.errors.sorted())
    await editor.close()
  }

  @Test(.timeLimit(.minutes(5)), arguments: ProjectLayout.all)
  func formattingAndBundlesTakeTheSameDocuments(layout: ProjectLayout) async throws {
    let folder = try folder(layout)
    let format = try await apus(folder, ["format", "--check"] + layout.words)
    #expect(format.output.split(separator: "\n").map(String.init).sorted() == layout.unformatted)
    _ = try await apus(folder, ["format"] + layout.words)
    for name in layout.untouched { #expect(try folder.read(name) == layout.files[name]) }
    guard let operations = layout.operations else { return }
    let bundle = try await json(folder, ["bundle"] + layout.words)
    let manifests = bundle["projects"].map { $0.elements.compactMap { $0["manifest"] } } ?? [bundle]
    let names = manifests.flatMap { ($0["operations"] ?? .null).elements.compactMap { $0["name"]?.string } }
    #expect(names.sorted() == operations)
  }

  @Test(.timeLimit(.minutes(5)), arguments: ProjectLayout.all.filter { $0.operations != nil && $0.errors.isEmpty })
  func coverageCountsTheSameDocuments(layout: ProjectLayout) async throws {
    let folder = try folder(layout)
    let outcome = try await apus(folder, ["coverage", "--output", "json"] + layout.words)
    // Only a graphql-config file or an option says which schema is counted.
    if outcome.exitCode == 2, outcome.errors.contains("--schema is missing") { return }
    let report = try #require(try? JSONDocument(parsing: outcome.output).root, "\(outcome)")
    let reports = report["projects"].map { $0.elements.compactMap { $0["coverage"] } } ?? [report]
    let fields = reports.flatMap { ($0["types"] ?? .null).elements }.flatMap { ($0["fields"] ?? .null).elements }
    let operations = fields.flatMap { ($0["operations"] ?? .null).elements.compactMap(\.string) }
    #expect(Set(operations) == Set(layout.operations ?? []))
  }

  @Test(.timeLimit(.minutes(5)), arguments: ProjectLayout.all.filter { $0.probe != nil })
  func completionAndHoverAnswerAsTheServerDoes(layout: ProjectLayout) async throws {
    let folder = try folder(layout)
    let probe = try #require(layout.probe)
    let place = ["--at", "\(probe.line):\(probe.column)", probe.file]
    var editor = try await EditorProcess(in: folder)
    editor.open(probe.file, layout.files[probe.file] ?? "")
    let position = editor.place(probe.file, probe.line, probe.column)
    let items = try await json(folder, ["complete"] + place)["items"] ?? .null
    let labels = items.elements.compactMap { $0["label"]?.string }
    #expect(labels.contains(probe.label))
    let answer = try await editor.ask("textDocument/completion", position)
    let shown = (answer["items"] ?? answer).elements.compactMap { $0["label"]?.string }
    #expect(shown.sorted() == labels.sorted())
    let hover = try await json(folder, ["hover"] + place)
    #expect(hover.isNull == (try await editor.ask("textDocument/hover", position)).isNull)
    await editor.close()
  }
}
