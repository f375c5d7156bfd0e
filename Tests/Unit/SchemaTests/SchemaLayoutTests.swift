import ApusGraphQLLanguage
import ApusGraphQLSchema
import Testing

/// Printed schemas have the layout of the formatter, so that they pass `apus format --check`.
struct SchemaLayoutTests {
  /// Values between the quotes of a block string.
  static let bodies = [
    "x", "a \"quoted\" word", "It ends in \"q\" ", "It ends in a \\\n", "a \\\"\"\" b", "\\\"\"\"", "a\n\nb", "  lead",
    "  lead\nb", "a\n  b\n c", "", " ", "\n\n   a\n     b\n\n", "\n\ta\n\t\tb\n", "a\n \t \nb", "a\n  \"b\"\n",
    "\\n \\u00e9",
    "# no comment", "{ [ ( , ) ] }", "é🐦\né", "a\r\n  b\r\n", String(repeating: "x", count: 71),
    String(repeating: "é", count: 70), "a\n" + String(repeating: "y", count: 90),
  ]

  /// A schema with a value at each place where a description or a constant can be.
  private static func schema(_ literal: String) -> String {
    let list = "[\(Array(repeating: literal, count: 3).joined(separator: ", "))]"
    return """
      \(literal) directive @d(\(literal) a: String = \(literal), b: [String] = \(list)) repeatable on OBJECT
      directive @e(a: String = \(literal) b: Int = 1) on OBJECT | FIELD
      \(literal) schema { query: Root }
      \(literal) type Root implements Node {
        \(literal) a(x: String = \(literal), y: Int = 2): Int
        b(y: Int, x: [String] = \(list), z: Int = 1 @deprecated(reason: \(literal))): Int @deprecated(reason: \(literal))
        c(\(literal) w: In = { x: \(literal), y: { x: \(literal), list: \(list) } }): Int
        d(w: [In!] = [{ x: \(literal) }, {}]): Int
        id: ID
      }
      \(literal) interface Node { \(literal) id: ID }
      \(literal) enum E { \(literal) A B @deprecated(reason: \(literal)) }
      \(literal) input In { \(literal) x: String = \(literal) y: In = { x: \(literal) } list: [String!] = \(list) }
      \(literal) scalar S @specifiedBy(url: \(literal))
      \(literal) union U = Root
      """
  }

  @Test(arguments: bodies) func `a printed schema is left unchanged by the formatter`(_ body: String) throws {
    let schema = Schema.load(sdl: Self.schema("\"\"\"\(body)\"\"\""))
    let printed = schema.printSDL()
    #expect(Formatter.format(Document(parsing: printed)) == printed)
    let again = Schema.load(sdl: printed)
    #expect(again.printSDL() == printed)
    let arguments = [schema, again].map { $0.queryType?.field(named: "a")?.arguments.first }
    let value = try #require(arguments[0]?.defaultValue?.stringValue)
    #expect(value == arguments[1]?.defaultValue?.stringValue)
    let descriptions = [schema, again].map { $0.queryType?.field(named: "c")?.arguments.first?.description }
    #expect(descriptions == [value, value])
  }

  @Test func `a default value with several lines is indented`() {
    let printed = """
      type Query {
        a(
          x: String = \"""
          one
            two
          \"""
          y: Int = 1
        ): Int
      }

      input In {
        x: [String] = [\"""
        one
        two
        \"""]
      }

      """
    #expect(Schema.load(sdl: printed).printSDL() == printed)
    #expect(Formatter.format(Document(parsing: printed)) == printed)
  }
}
