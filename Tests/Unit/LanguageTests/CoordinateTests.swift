import ApusGraphQLLanguage
import Testing

/// Schema coordinates (GraphQL specification, September 2025, section 3.13).
@Suite struct CoordinateTests {
  @Test(
    arguments: [
      ("Bird", .type("Bird")), ("_", .type("_")), ("Bird.name", .member("name", of: "Bird")),
      ("Query.birds(first:)", .argument("first", field: "birds", type: "Query")), ("@cost", .directive("cost")),
      ("@cost(weight:)", .directiveArgument("weight", directive: "cost")),
    ] as [(String, SchemaCoordinate)])
  func `a coordinate is read and printed`(text: String, coordinate: SchemaCoordinate) throws {
    #expect(try SchemaCoordinate(text) == coordinate)
    #expect(coordinate.description == text)
  }

  @Test(arguments: [
    "", "1", ".", "@", "Bird.", ".name", "Bird.name.", "Bird name", "Bird .name", "Bird. name", " Bird", "Bird ",
    "Bird#", "Bird.1",
    "Bird(a:)", "Bird.name()", "Bird.name(a)", "Bird.name(a:", "Bird.name(:)", "Bird.name(a:) ", "Bird.name(a: )",
    "Bird.name(a:)(b:)", "Bird.name(a:b:)", "@@a", "@a.b", "@a(", "@a(b)", "@a(b:", "@a(b:)(c:)", "Bird.name)", "Bird:",
  ])
  func `anything else is an error`(text: String) {
    #expect(throws: SyntaxDiagnostic.self) { try SchemaCoordinate(text) }
  }
}
