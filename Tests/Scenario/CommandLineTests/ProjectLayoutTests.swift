import ApusJSON
import ApusTestSupport
import Testing

/// Every command and the language server see the same project in a folder.
@Suite(.timeLimit(.minutes(5))) struct ProjectLayoutTests {
  private static let server = Result { try ScriptedServer([.json(ProjectLayout.introspection)]) }

  /// Writes the files of a layout. Trusts those that name the endpoint.
  private func folder(_ layout: ProjectLayout) async throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in layout.files.keys { try await write(name, of: layout, to: folder) }
    return folder
  }

  private func write(_ name: String, of layout: ProjectLayout, to folder: TemporaryFolder) async throws {
    let text = layout.files[name] ?? ""
    guard text.contains(ProjectLayout.endpoint) else { return try folder.write(name, text) }
    try folder.write(name, text.replacing(ProjectLayout.endpoint, with: try Self.server.get().url))
    #expect(try await apus(folder, ["trust", "--yes"]).exitCode == 0)
  }

  private func apus(_ folder: TemporaryFolder, _ words: [String]) async throws -> ChildProcess.Outcome {
    try await ChildProcess.run(
      "/usr/bin/env", ["-C", folder.root, Checkout.apus] + words, environment: folder.asHome)
  }

  private func json(_ folder: TemporaryFolder, _ words: [String]) async throws -> JSONValue {
    let outcome = try await apus(folder, words)
    return try #require(try? JSONDocument(parsing: outcome.output).root, "\(outcome)")
  }

  /// Returns the errors of `apus validate`, one per line. A duplicate name is an error at each of its locations.
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

  /// Returns the errors of the server once it has the schema of an endpoint.
  private func errors(_ editor: inout EditorProcess, _ layout: ProjectLayout) async throws -> [String] {
    var found = try await editor.errors()
    for _ in 0..<5_000 where layout.hasEndpoint && found != layout.errors.sorted() {
      // While part of the schema is missing, errors that depend on it are not reported.
      #expect(found == [])
      found = try await editor.errors()
    }
    return found
  }

  private static let endings = [".graphql", ".graphqls", ".ts", ".js", ".vue", ".svelte", ".py", ".swift", ".md"]

  @Test func `the table has many layouts`() { #expect(ProjectLayout.all.count >= 40) }

  @Test(arguments: ProjectLayout.all)
  func `validate and the language server report the same errors`(layout: ProjectLayout) async throws {
    let folder = try await folder(layout)
    #expect(try await errors(folder, layout.words) == layout.errors.sorted())
    var editor = try await EditorProcess(in: folder)
    for (name, text) in layout.files.sorted(by: { $0.key < $1.key })
    where Self.endings.contains(where: name.hasSuffix) && !layout.untouched.contains(name) {
      editor.open(name, text)
    }
    let found = try await errors(&editor, layout)
    #expect(found == layout.errors.sorted())
    await editor.close()
  }

  /// The configuration exists before the server starts, or is created last.
  @Test(arguments: ProjectLayout.all, [true, false])
  func `the language server reads files that are created later`(
    layout: ProjectLayout, configurationIsThere: Bool
  ) async throws {
    let folder = try TemporaryFolder()
    let names = layout.files.keys.sorted()
    let isLate = { (name: String) in
      Self.endings.contains(where: name.hasSuffix) || name.hasSuffix(".json") || name.hasSuffix(".sdl")
    }
    for name in names where configurationIsThere && !isLate(name) { try await write(name, of: layout, to: folder) }
    var editor = try await EditorProcess(in: folder)
    _ = try await editor.errors()
    for name in names where isLate(name) || !configurationIsThere {
      try await write(name, of: layout, to: folder)
      editor.changed(name)
      _ = try await editor.errors()
    }
    for name in names where Self.endings.contains(where: name.hasSuffix) && !layout.untouched.contains(name) {
      editor.open(name, layout.files[name] ?? "")
    }
    let found = try await errors(&editor, layout)
    #expect(found == layout.errors.sorted())
    await editor.close()
  }

  @Test(arguments: ProjectLayout.all.filter(\.isConfigured))
  func `generate uses the same project`(layout: ProjectLayout) async throws {
    let folder = try await folder(layout)
    let outcome = try await apus(folder, ["generate", "--output", "Out"])
    let errors = outcome.errors.split(separator: "\n").compactMap { line -> String? in
      guard let match = line.wholeMatch(of: /(.+:\d+:\d+): error: (.*)/) else { return nil }
      let rule = match.2.wholeMatch(of: /.*\[(\w+)\]/)?.1 ?? "SyntaxError"
      return "\(match.1) \(rule)"
    }
    #expect(
      errors.sorted() == layout.errors.filter { !layout.hasProjects || $0.hasPrefix("one/") }.sorted(), "\(outcome)")
    #expect(outcome.exitCode == (errors.isEmpty ? 0 : 1), "\(outcome)")
    guard errors.isEmpty, !layout.hasProjects, let operations = layout.operations else { return }
    let files = try folder.files(in: "Out/Operations")
    #expect(files == operations.map { "\($0)Query.swift" })
  }

  @Test(arguments: ProjectLayout.all)
  func `format and bundle use the same documents`(layout: ProjectLayout) async throws {
    let folder = try await folder(layout)
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

  @Test(arguments: ProjectLayout.all.filter { $0.operations != nil && $0.errors.isEmpty })
  func `coverage counts the same documents`(layout: ProjectLayout) async throws {
    let folder = try await folder(layout)
    let outcome = try await apus(folder, ["coverage", "--output", "json"] + layout.words)
    // The schema must be set by a graphql-config file or an option.
    if outcome.exitCode == 2, outcome.errors.contains("--schema is missing") { return }
    let report = try #require(try? JSONDocument(parsing: outcome.output).root, "\(outcome)")
    let reports = report["projects"].map { $0.elements.compactMap { $0["coverage"] } } ?? [report]
    let fields = reports.flatMap { ($0["types"] ?? .null).elements }.flatMap { ($0["fields"] ?? .null).elements }
    let operations = fields.flatMap { ($0["operations"] ?? .null).elements.compactMap(\.string) }
    #expect(Set(operations) == Set(layout.operations ?? []))
  }

  @Test(arguments: ProjectLayout.all.filter { $0.probe != nil })
  func `complete and hover agree with the language server`(layout: ProjectLayout) async throws {
    let folder = try await folder(layout)
    let probe = try #require(layout.probe)
    let place = ["--at", "\(probe.line):\(probe.column)", probe.file]
    var editor = try await EditorProcess(in: folder)
    editor.open(probe.file, layout.files[probe.file] ?? "")
    _ = try await errors(&editor, layout)
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
