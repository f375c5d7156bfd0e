import ApusGraphQLSchema
import ApusJSON
import FuzzHarness

/// An introspection result is a schema or an error. The printed schema parses to the same schema.
@main enum IntrospectionTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) {
    guard let json = try? JSONDocument(parsing: bytes).root, let schema = try? Schema.load(introspection: json)
    else { return }
    let text = schema.printSDL()
    let written = schema.introspectionJSON()
    guard let again = try? Schema.load(introspection: written) else {
      fatalError("the written data is invalid: \(written)")
    }
    expect(again.printSDL() == text, "writing changes the schema: \(text)\n---\n\(again.printSDL())")
  }
}
