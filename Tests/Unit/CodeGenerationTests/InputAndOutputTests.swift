import ApusGraphQLProjects
import ApusGraphQLSchema
import Foundation
import Testing

@testable import ApusCodeGeneration

/// The configuration, the output folder, digests and names.
struct InputAndOutputTests {
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  private func write(_ text: String, to path: String) throws {
    let folder = (path as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }

  // MARK: The output folder

  @Test func `only changed files are written and obsolete ones removed`() throws {
    try withFolder { folder in
      let output = OutputFolder(folder)
      let one = GeneratedFile(path: "A/One.swift", text: CodeGenerator.mark + "\n// 1\n")
      let two = GeneratedFile(path: "Two.swift", text: CodeGenerator.mark + "\n// 2\n")
      let other = GeneratedFile(path: "Two.swift", text: CodeGenerator.mark + "\n// 3\n")
      try write("// mine\n", to: folder + "/Mine.swift")
      #expect(try output.update([one, two]) == .init(written: ["A/One.swift", "Two.swift"]))
      #expect(try output.update([one, two]) == .init(unchanged: ["A/One.swift", "Two.swift"]))
      #expect(try output.update([other]) == .init(written: ["Two.swift"], removed: ["A/One.swift"]))
      #expect(FileManager.default.fileExists(atPath: folder + "/Mine.swift"))
    }
  }

  @Test func `files of the user are not overwritten`() throws {
    try withFolder { folder in
      try write("// mine\n", to: folder + "/Mine.swift")
      #expect(throws: GenerationError.self) {
        try OutputFolder(folder).update([GeneratedFile(path: "Mine.swift", text: CodeGenerator.mark)])
      }
    }
  }

  /// Each reason why files cannot be written, and the error. `f` is a project, and `f/link` leads out of it.
  @Test(arguments: [
    ("f/out/Mine.swift", "f/out", false, "f/out/Mine.swift: error: it was not generated, and is not overwritten: "),
    ("f/out/Mine.swift/x", "f/out", false, "f/out/Mine.swift: error: it is not a regular file"),
    ("f/out", "f/out", false, "f/out: error: cannot create the directory: "),
    ("g/x", "f/../g", true, "f/../g: error: it is outside the project ("),
    ("g/x", "f/link", true, "f/link: error: it is outside the project ("),
    ("g/x", "f", true, "f/link/Mine.swift: error: a link leads out of the project ("),
  ])
  func `an output error names the file and the reason`(
    existing: String, output: String, isWithinProject: Bool, expected: String
  ) throws {
    try withFolder { folder in
      try FileManager.default.createDirectory(atPath: folder + "/f", withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(atPath: folder + "/f/link", withDestinationPath: "../g")
      try write("// mine\n", to: "\(folder)/\(existing)")
      let name = expected.hasPrefix("f/link/") ? "link/Mine.swift" : "Mine.swift"
      let error = try #require(throws: GenerationError.self) {
        let path = "\(folder)/\(output)"
        let target =
          isWithinProject
          ? try OutputFolder(path, within: try #require(ProjectRoot.folder(folder + "/f"))) : OutputFolder(path)
        _ = try target.update([GeneratedFile(path: name, text: CodeGenerator.mark)])
      }
      #expect(error.description.hasPrefix("\(folder)/\(expected)"), "\(error)")
    }
  }

  // MARK: The input

  /// The schema of the plan, and the fields of the query type or the error.
  @Test(arguments: [
    (["a.graphql"], "a"), (["b.json"], "b"), (["a.graphql", "c.graphql"], "a c"), (["b.json", "c.graphql"], "b c"),
    (["*.graphql"], "a c"), (["https://birds.example"], "url"), (["https://birds.example", "c.graphql"], "url c"),
    (["d.json"], "d.json: error: "), (["none.graphql"], "none.graphql: error: No such file or directory"),
    (["none*.graphql"], "error: no file matches the schema 'none*.graphql'"),
    (["https://birds.example", "https://bees.example"], "error: the schema is at https://bees.example, which is not "),
  ])
  func `a schema is read from SDL, introspection results and addresses`(schema: [String], expected: String) throws {
    try withFolder { folder in
      try write("type Query { a: Int }", to: folder + "/a.graphql")
      try write(
        """
        {"data": {"__schema": {"queryType": {"name": "Query"}, "directives": [], "types": [
          {"kind": "OBJECT", "name": "Query", "interfaces": [],
            "fields": [{"name": "b", "args": [], "type": {"kind": "SCALAR", "name": "Int"}}]}]}}}
        """, to: folder + "/b.json")
      try write("extend type Query { c: Int }", to: folder + "/c.graphql")
      try write("{}", to: folder + "/d.json")
      var plan = GenerationPlan()
      plan.folder = folder
      plan.schema = schema
      do {
        let input = try GenerationInput.read(plan, fetched: [Schema.load(sdl: "type Query { url: Int }")])
        #expect(input.schema.type(named: "Query")?.fields.map(\.name).joined(separator: " ") == expected)
      } catch {
        let text = "\(error)".replacing("\(folder)/", with: "")
        #expect(expected.contains("error: ") && text.hasPrefix(expected), "\(text)")
      }
    }
  }

  @Test func `schema files among the documents are ignored`() throws {
    try withFolder { folder in
      try write("type Query { name: String }", to: folder + "/schema.graphql")
      try write("query Name { name }", to: folder + "/name.graphql")
      var plan = GenerationPlan()
      plan.folder = folder
      plan.schema = ["schema.graphql"]
      plan.documents = ["**/*.graphql"]
      let input = try GenerationInput.read(plan)
      #expect(input.documents.map(\.source.name) == [folder + "/name.graphql"])
      let files = try CodeGenerator(schema: input.schema, documents: input.documents).generate()
      #expect(files.map(\.path) == ["Operations/NameQuery.swift", "Schema/Schema.swift"])
    }
  }

  // MARK: Configurations

  @Test func `all configuration keys are read`() throws {
    let plan = try GenerationPlan(
      reading: """
        schema: [a.graphql, b.graphql]
        documents: "**/*.graphql"
        output: Out
        access: internal
        files: one
        module: Birds
        scalars: {Date: Day}
        selections: [Bird, Query.station]
        keyFields: {Seat: row number}
        minify: true
        """, file: "folder/apus-generate.yml")
    #expect(plan.schema == ["a.graphql", "b.graphql"])
    #expect(plan.outputPath == "folder/Out")
    #expect(plan.settings.access == .internal)
    #expect(plan.settings.files == .one)
    #expect(plan.settings.selections == .some(["Bird", "Query.station"]))
    #expect(plan.settings.keyFields == ["Seat": ["row", "number"]])
    #expect(plan.settings.minifiesDocuments)
  }

  @Test func `a GraphQL config file is read`() throws {
    let plan = try GenerationPlan(
      reading: """
        schema:
          - https://birds.example/graphql:
              headers: {Authorization: $TOKEN}
        documents: src/*.graphql
        extensions:
          codegen: {output: Out, module: Birds}
        """, file: ".graphqlrc.yml")
    #expect(plan.schema == ["https://birds.example/graphql"])
    #expect(plan.requests.map { $0.headers.map(\.name) } == [["Authorization"]])
    #expect(plan.settings.module == "Birds")
  }

  @Test func `configuration errors have locations`() {
    func message(_ text: String) -> String {
      do {
        _ = try GenerationPlan(reading: text, file: "apus-generate.yml")
        return ""
      } catch {
        return error.description
      }
    }
    #expect(message("schema: a\noutput: b\nacces: public").hasPrefix("apus-generate.yml:3:1: error: "))
    #expect(
      message("schema: a\noutput: b\naccess: open").hasPrefix("apus-generate.yml:3:9: error: access must be one of"))
    #expect(message("output: b") == "apus-generate.yml: error: it names no schema ('schema: …')")
  }

  // MARK: Digests

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `SHA-256 matches the standard`(text: String, digest: String) {
    #expect(SHA256.hexadecimal(text) == digest)
  }

  // MARK: Literals

  @Test(
    arguments: [
      ("", "#"), ("{ a }\n\tb", "#"), ("# a", "#"), ("a\r", nil), ("a\u{202E}", nil),
      // Three quotes with as many signs end the literal.
      ("{ a(b: \"c\") }", "#"), ("\"\"#", "#"), ("\"\"\"", "#"), ("\"\"\"#", "##"), ("\"\"\"##", "###"),
      // A backslash with as many signs starts an escape.
      ("a\\b", "#"), ("\\#", "##"), ("\\##", "###"),
      ("\"\\\"", "#"), ("\"\\#\"", "##"), ("\\# \"\"\"##", "###"), ("\\## \"\"\"#", "###"),
    ] as [(String, String?)])
  func `a multiline literal has more number signs than its text`(text: String, signs: String?) {
    #expect(SwiftLiteral.signs(around: text) == signs)
  }

  // MARK: Key fields

  @Test(
    arguments: [
      ("id: ID! name: String", ["id"]), ("_id: ID! name: String", ["_id"]), ("nodeId: ID! name: String", ["nodeId"]),
      ("nodeId: ID! _id: ID! id: ID!", ["id"]), ("nodeId: ID! _id: ID!", ["_id"]), ("name: String", nil),
      ("id: [ID!] nodeId: ID!", ["nodeId"]), ("id(of: Int!): ID nodeId: ID!", ["nodeId"]), ("id(of: Int): ID", ["id"]),
      ("id: Bird _id: ID!", ["_id"]), ("id: Bird", nil),
    ] as [(String, [String]?)])
  func `the key field of a type is the first candidate with one value`(fields: String, keys: [String]?) {
    let schema = Schema.load(sdl: "type Query { bird: Bird } type Bird { \(fields) } union Birds = Bird")
    let rule = KeyFields(schema: schema, settings: GenerationSettings())
    #expect(schema.type(named: "Bird").flatMap(rule.fields) == keys)
    #expect(schema.type(named: "Birds").flatMap(rule.fields) == nil)
  }

  @Test(
    arguments: [
      (nil, nil, ["id"]), ("row seat", nil, ["row", "seat"]), ("row none", nil, ["row"]), ("none", nil, nil),
      ("row", ["seat"], ["seat"]), (nil, ["seat", "row"], ["seat", "row"]), (nil, ["none"], nil), ("row", [], nil),
    ] as [(String?, [String]?, [String]?)])
  func `settings replace the key fields of the schema, which replace the candidates`(
    ofSchema: String?, ofSettings: [String]?, keys: [String]?
  ) {
    let directive = ofSchema.map { "@typePolicy(keyFields: \"\($0)\")" } ?? ""
    let schema = Schema.load(sdl: "type Query { seat: Seat } type Seat \(directive) { id: ID! row: Int seat: Int }")
    var settings = GenerationSettings()
    settings.keyFields["Seat"] = ofSettings
    #expect(schema.type(named: "Seat").flatMap(KeyFields(schema: schema, settings: settings).fields) == keys)
  }

  // MARK: Names

  @Test(arguments: [
    ("NEW_HOPE", "newHope"), ("newHope", "newHope"), ("new_hope", "newHope"), ("URL", "url"), ("_x", "_x"),
    ("default", "default"), ("URLSession", "urlSession"), ("ASC", "asc"),
  ])
  func `enum values become Swift cases`(name: String, expected: String) {
    #expect(SwiftName.enumCase(name) == expected)
  }

  @Test(arguments: [
    ("birds", "bird"), ("categories", "category"), ("movies", "movie"), ("cookies", "cookie"),
    ("activities", "activity"),
    ("statuses", "status"), ("userStatuses", "userStatus"), ("user_aliases", "user_alias"), ("houses", "house"),
    ("databases", "database"), ("caches", "cache"), ("branches", "branch"), ("sizes", "size"), ("quizzes", "quiz"),
    ("waltzes", "waltz"), ("boxes", "box"), ("classes", "class"), ("wishes", "wish"), ("series", "series"),
    ("species", "species"), ("status", "status"), ("address", "address"), ("analysis", "analysis"), ("news", "news"),
    ("ids", "ids"), ("people", "people"), ("ties", "tie"),
  ])
  func `the struct of a list's elements has a singular name`(plural: String, singular: String) {
    #expect(Singular.of(plural) == singular)
  }
}
