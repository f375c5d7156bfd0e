import ApusGraphQLAnalysis
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusTestSupport
import Testing

/// Lint fixes must not change the meaning of a schema.
@Suite(.enabled(if: Corpus.folder != nil, Comment(rawValue: Corpus.absence)))
struct LintFixTests {
  @Test(arguments: Corpus.files("schema.graphql"), ["block", "inline"])
  func `fixes only remove unreachable types`(file: String, style: String) throws {
    let document = Document(parsing: try Corpus.bytes(file), name: file)
    let schema = Schema.load(sdl: [document])
    let settings = ["description-style": SchemaLinter.Setting(options: ["style": [style]])]
    let findings = SchemaLinter.lint(schema, settings: settings)
    guard let text = SchemaLinter.fixed(document, findings) else { return }
    let after = Document(parsing: text, name: file)
    #expect(after.diagnostics == [])
    let fixed = Schema.load(sdl: [after])
    let unreachable = Set(findings.filter { $0.rule == "no-unreachable-types" }.compactMap(\.coordinate))
    let changes = SchemaDiff(from: schema, to: fixed, comparesAppliedDirectives: true).changes
    // A scalar that only unreachable types use is removed with them.
    let others = changes.filter { change in
      change.kind != .typeRemoved || !unreachable.contains(change.coordinate ?? .type(""))
    }
    #expect(others.filter { !$0.message.hasPrefix("Standard scalar") }.map(\.message) == [])
    let again = SchemaLinter.lint(fixed, settings: settings)
    #expect(again.filter { !$0.fix.isEmpty }.map(\.message) == [])
  }
}
