import ApusCodeGeneration
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusJSON
import ApusTestSupport
import Foundation
import Testing

/// A schema from a server may contain any text in descriptions, reasons, defaults and names. The generated code must
/// contain only the schema's declarations.
@Suite(.timeLimit(.minutes(5))) struct HostileServerSchemaTests {
  /// Characters that end a line, a comment or a literal for some reader of source code.
  static let breaks: [(name: String, text: String)] = [
    ("line feed", "\n"), ("carriage return", "\r"), ("both", "\r\n"), ("next line", "\u{85}"),
    ("line separator", "\u{2028}"), ("paragraph separator", "\u{2029}"), ("form feed", "\u{C}"),
    ("vertical tab", "\u{B}"), ("null", "\u{0}"), ("end of a comment", "*/"), ("quote", "\""),
    ("triple quotes", "\"\"\"\n"), ("raw quotes", "\"\"\"#\n"), ("backslash", "\\"), ("interpolation", "\\(stolen())"),
    ("raw interpolation", "\\#(stolen())"), ("turned around", "\u{202E}"), ("joined mark", "\r\u{301}"),
    ("string end", "\")"),
  ]

  private static let attack = "public func stolen() { print(1) }; //"

  /// Returns text with the separator before, between and after lines that would be declarations.
  private static func hostile(_ sep: String) -> String { "a\(sep)\(attack)\(sep)}\(sep)\(attack)\(sep)" }

  /// Returns an introspection result in which every string is this text.
  private static func schema(_ text: String) throws -> Schema {
    let quoted = String(decoding: JSONWriter.compact(JSONValue(text)).utf8, as: UTF8.self)
    func scalar(_ name: String) -> [String: Any] { ["kind": "SCALAR", "name": name] }
    func named(_ kind: String, _ name: String) -> [String: Any] { ["kind": kind, "name": name] }
    func member(_ name: String, _ type: [String: Any], _ more: [String: Any] = [:]) -> [String: Any] {
      ["name": name, "description": text, "isDeprecated": true, "deprecationReason": text, "type": type]
        .merging(more) { $1 }
    }
    func type(_ kind: String, _ name: String, _ more: [String: Any]) -> [String: Any] {
      ["kind": kind, "name": name, "description": text, "specifiedByURL": text].merging(more) { $1 }
    }
    let nameArgument = member("name", scalar("String"), ["defaultValue": quoted])
    let bird = member(
      "bird", named("OBJECT", "Bird"),
      [
        "args": [
          nameArgument,
          // The default is not a valid value, so the argument counts as one without a default.
          member("size", scalar("Int"), ["defaultValue": "1) { a }\n\(text)"]),
          member("count", scalar("Long"), ["defaultValue": "99999999999999999999999"]),
          member("weight", scalar("Float"), ["defaultValue": "1e999"]),
          member("filter", named("INPUT_OBJECT", "Filter")), member("choice", named("INPUT_OBJECT", "Choice")),
        ]
      ])
    let leaf = member("name", scalar("String"), ["args": [nameArgument]])
    let object: [String: Any] = [
      "description": text, "queryType": ["name": "Query"],
      "types": [
        type(
          "OBJECT", "Query",
          ["fields": [bird, member("found", named("UNION", "Found")), member("any", named("INTERFACE", "Any"))]]),
        type(
          "OBJECT", "Bird",
          ["fields": [leaf, member("kind", named("ENUM", "Kind"))], "interfaces": [named("INTERFACE", "Any")]]),
        type(
          "INTERFACE", "Any",
          ["fields": [leaf, member("_", scalar("Date"))], "possibleTypes": [named("OBJECT", "Bird")]]),
        type("UNION", "Found", ["possibleTypes": [named("OBJECT", "Bird")]]),
        type("ENUM", "Kind", ["enumValues": [member("SMALL", [:]), member("case", [:]), member("_", [:])]]),
        type("INPUT_OBJECT", "Filter", ["inputFields": [member("name", scalar("String"), ["defaultValue": quoted])]]),
        type("INPUT_OBJECT", "Choice", ["isOneOf": true, "inputFields": [member("name", scalar("String"))]]),
        type("SCALAR", "Date", [:]), type("SCALAR", "Long", [:]), type("SCALAR", "_", [:]),
      ],
    ]
    let data = try JSONSerialization.data(withJSONObject: ["data": ["__schema": object]])
    return try Schema.load(introspection: JSONDocument(parsing: Array(data)).root)
  }

  private static func source(_ text: String) throws -> String {
    let document = Document(
      parsing: """
        query Birds($filter: Filter, $choice: Choice, $name: String = \(JSONWriter.compact(JSONValue(text)))) {
          bird(filter: $filter, choice: $choice) { name kind }
          found { ... on Bird { name(name: $name) } }
          any { name(name: \(JSONWriter.compact(JSONValue(text)))) _ }
        }
        """, name: "birds.graphql")
    var settings = GenerationSettings()
    settings.selections = .all
    settings.mocks = true
    let output = try CodeGenerator(schema: try schema(text), documents: [document], settings: settings).output()
    #expect(output.warnings.isEmpty, "\(output.warnings)")
    return output.files.map(\.text).joined(separator: "\n")
  }

  /// Returns the declarations that the Swift parser finds, with their kinds and names.
  private static func declarations(in source: String) async throws -> [String] {
    let folder = try TemporaryFolder()
    try Data(source.utf8).write(to: URL(fileURLWithPath: folder.path("Source.swift")))
    let outcome = try await ChildProcess.run(
      "/usr/bin/env", ["swiftc", "-frontend", "-dump-parse", folder.path("Source.swift")])
    #expect(outcome.exitCode == 0, "\(outcome.errors.prefix(2000))")
    #expect(!outcome.errors.contains("warning:"), "\(outcome.errors.prefix(2000))")
    return outcome.output.split(separator: "\n").compactMap { line in
      guard let kind = line.firstMatch(of: #/\(([a-z_]+(_decl|alias)|protocol|parameter) /#) else { return nil }
      let name = line.firstMatch(of: #/"([^"]*)"/#)?.1 ?? ""
      return "\(kind.1) \(name)"
    }
  }

  @Test(arguments: breaks.indices)
  func `a schema adds no declaration`(_ index: Int) async throws {
    let plain = try await Self.declarations(in: Self.source("a"))
    #expect(plain.contains("struct_decl BirdsQuery"))
    #expect(plain.contains("enum_element_decl small"))
    let found = try await Self.declarations(in: Self.source(Self.hostile(Self.breaks[index].text)))
    #expect(found == plain, "\(Self.breaks[index].name)")
  }

  @Test func `invalid names are rejected`() throws {
    for name in ["A {}\nfunc stolen() {}", "a b", "", "`a`", "a\u{0}", "é"] {
      let text = """
        {"__schema": {"queryType": {"name": "Query"}, "types": [{"kind": "OBJECT", "name": "Query", "fields": [
          {"name": \(JSONWriter.compact(JSONValue(name))), "type": {"kind": "SCALAR", "name": "Int"}}]}]}}
        """
      let document = try JSONDocument(parsing: Array(text.utf8))
      #expect(throws: IntrospectionError.self) { try Schema.load(introspection: document.root) }
    }
  }

  @Test func `invalid key fields of a schema are ignored`() throws {
    let schema = Schema.load(
      sdl: """
        directive @typePolicy(keyFields: String!) on OBJECT
        type Query { bird: Bird }
        type Bird @typePolicy(keyFields: "name }\\n}\\nfragment Stolen on Bird { name") { name: String }
        """)
    let document = Document(parsing: "query Bird { bird { name } }", name: "bird.graphql")
    let files = try CodeGenerator(schema: schema, documents: [document]).generate()
    #expect(!files.contains { $0.text.contains("Stolen on") || $0.text.contains("}\\n}") })
  }
}
