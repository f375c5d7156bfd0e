import ApusGraphQLLanguage
import ApusGraphQLSchema
import FuzzHarness

/// Any type definitions result in a schema. The printed schema parses to the same schema.
@main enum SchemaTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) {
    let document = Document(parsing: bytes)
    guard document.isTypeSystem else { return }
    let schema = Schema.load(sdl: [document])
    let text = schema.printSDL()
    guard document.diagnostics.isEmpty else { return }
    let printed = Document(parsing: text)
    expect(printed.diagnostics.isEmpty, "the printed document is invalid: \(text)")
    let again = Schema.load(sdl: [printed]).printSDL()
    expect(again == text, "printing changes the schema: \(text)\n---\n\(again)")
  }
}
