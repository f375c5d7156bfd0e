import ApusGraphQLLanguage
import ApusGraphQLSchema
import Testing

@Suite struct SchemaTests {
  static let birds = """
    "All about birds."
    schema { query: Query }
    type Query { bird(id: ID!, year: Int = 2024): Bird, animals: [Animal!]! search: [Found] }
    interface Node { id: ID! }
    interface Animal implements Node { id: ID! name: String }
    type Bird implements Node & Animal { id: ID! name: String wings: Int @deprecated(reason: "All have two.") }
    type Fish implements Node & Animal { id: ID! name: String fins: Int @deprecated }
    type Stone { weight: Float }
    union Found = Bird | Stone
    extend type Bird { colour: Colour! }
    enum Colour { RED GREEN @deprecated(reason: "Use RED.") }
    input Where @oneOf { name: String colour: [Colour!] }
    scalar Date @specifiedBy(url: "https://example.com/date")
    directive @cost(weight: Int! = 1) repeatable on FIELD_DEFINITION | FIELD
    """

  @Test func `types and their members are loaded`() throws {
    let schema = Schema.load(sdl: Self.birds)
    #expect(schema.description == "All about birds.")
    #expect(schema.queryType?.name == "Query")
    #expect(schema.mutationType == nil)
    let bird = try #require(schema.type(named: "Bird"))
    #expect(bird.kind == .object)
    #expect(
      bird.fields.map { "\($0.name): \($0.type)" } == ["id: ID!", "name: String", "wings: Int", "colour: Colour!"])
    #expect(bird.interfaces.map(\.name) == ["Node", "Animal"])
    #expect(bird.field(named: "wings")?.deprecationReason == "All have two.")
    #expect(schema.type(named: "Fish")?.field(named: "fins")?.deprecationReason == "No longer supported")
    let field = try #require(schema.queryType?.field(named: "bird"))
    #expect(field.arguments.map(\.name) == ["id", "year"])
    #expect(field.argument(named: "year")?.defaultValueText == "2024")
    #expect(field.arguments.map(\.isRequired) == [true, false])
    #expect(schema.type(named: "Where")?.isOneOf == true)
    #expect(schema.type(named: "Date")?.specifiedByURL == "https://example.com/date")
    #expect(schema.type(named: "Colour")?.enumValues.map(\.deprecationReason) == [nil, "Use RED."])
  }

  @Test func `type references are unwrapped`() throws {
    let schema = Schema.load(sdl: "type Query { a: [[Int!]]! }")
    let type = try #require(schema.queryType?.field(named: "a")?.type)
    #expect(type.description == "[[Int!]]!")
    #expect(type.isNonNull && type.isList)
    #expect(type.nullable.description == "[[Int!]]")
    #expect(type.elementType?.description == "[Int!]")
    #expect(type.elementType?.elementType?.description == "Int!")
    #expect(type.elementType?.elementType?.elementType == nil)
    #expect(type.definition?.isBuiltIn == true)
  }

  @Test func `possible types include implementations and members`() throws {
    let schema = Schema.load(sdl: Self.birds)
    func type(_ name: String) throws -> TypeDefinition { try #require(schema.type(named: name)) }
    #expect(try type("Node").possibleTypes.map(\.name) == ["Bird", "Fish"])
    #expect(try type("Found").possibleTypes.map(\.name) == ["Bird", "Stone"])
    #expect(try schema.isPossibleType(type("Bird"), of: type("Found")))
    #expect(try !schema.isPossibleType(type("Fish"), of: type("Found")))
    #expect(try schema.overlaps(type("Node"), type("Found")))
    #expect(try schema.overlaps(type("Bird"), type("Animal")))
    #expect(try !schema.overlaps(type("Stone"), type("Animal")))
    #expect(try !schema.overlaps(type("Stone"), type("Bird")))
  }

  @Test func `every schema has built in types directives and meta fields`() throws {
    let schema = Schema.load(sdl: "type Query { a: Int }")
    #expect(schema.type(named: "__Type")?.field(named: "fields")?.type.description == "[__Field!]")
    #expect(schema.type(named: "__MetaFields") == nil)
    #expect(schema.queryType?.field(named: "__schema")?.type.description == "__Schema!")
    #expect(schema.queryType?.field(named: "__typename")?.type.description == "String!")
    #expect(schema.type(named: "__Type")?.field(named: "__schema") == nil)
    #expect(
      schema.directives.map(\.name).sorted() == [
        "defer", "deprecated", "include", "oneOf", "skip", "specifiedBy", "stream",
      ])
  }

  @Test func `an invalid schema loads`() throws {
    let schema = Schema.load(
      sdl: """
        type Query { a: Int a: String b: Nothing c(i: Query, i: Int): In }
        type Query { z: Int }
        extend type Gone { x: Int }
        input In { a: Int, a: Int }
        union U = Query | In
        enum E { A A }
        """)
    #expect(schema.queryType?.fields.map(\.name) == ["a", "b", "c"])
    #expect(schema.queryType?.field(named: "a")?.type.description == "Int")
    #expect(schema.queryType?.field(named: "c")?.arguments.count == 1)
  }

  @Test func `huge definitions load quickly`() {
    let names = (0..<50_000).map { "v\($0)" }
    let schema = Schema.load(
      sdl:
        "type Query { a(\(names.map { $0 + ": Int" }.joined(separator: " "))): E } enum E { \(names.joined(separator: " ")) }"
    )
    #expect(schema.queryType?.field(named: "a")?.arguments.count == 50_000)
    #expect(schema.type(named: "E")?.enumValues.count == 50_000)
  }

  /// Short lists of members are searched, and long ones have an index.
  @Test(arguments: [1, 2, 15, 16, 17, 40]) func `members of lists of every length are found by name`(count: Int) throws
  {
    let names = (0..<count).map { "m\($0)" }
    let schema = Schema.load(
      sdl: """
        type Query { \(names.map { "\($0): Int" }.joined(separator: " ")) other(\(names.map { "\($0): Int" }.joined(separator: " "))): Int }
        enum E { \(names.joined(separator: " ")) }
        input I { \(names.map { "\($0): Int" }.joined(separator: " ")) }
        """)
    let query = try #require(schema.type(named: "Query"))
    let other = try #require(query.field(named: "other"))
    for name in names {
      #expect(query.field(named: name)?.name == name)
      #expect(other.argument(named: name)?.name == name)
      #expect(schema.type(named: "E")?.enumValue(named: name)?.name == name)
      #expect(schema.type(named: "I")?.inputField(named: name)?.name == name)
    }
    #expect(query.field(named: "m\(count)") == nil && other.argument(named: "other") == nil)
    #expect(schema.type(named: "E")?.enumValue(named: "m\(count)") == nil)
    #expect(schema.type(named: "I")?.inputField(named: "other") == nil)
  }
}
