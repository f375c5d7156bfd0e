import ApusBirdsSelections
import ApusSelections
import Testing

/// Decoding of responses into the values that selection closures return.
struct DecodingTests {
  private func decode<Value: Sendable>(
    _ selection: Selection<Value, Operations.Query>, _ json: String
  ) throws -> Value {
    try SelectionOperation(selection).makeData(from: ResponseData(try JSONDocument(parsing: json).root))
  }

  private let name = Selection.Bird { try $0.name() }

  @Test func `lists and nulls are decoded`() throws {
    let query = Selection.Query { try $0.nodes(ids: ["a", "b"], Selection.Node { try $0.id() }.nullable.list) }
    let ids = try decode(query, #"{"nodes": [{"__typename": "Bird", "id": "a"}, null]}"#)
    #expect(ids == ["a", nil])
  }

  @Test func `a selection creates a mock value`() throws {
    let names = Selection.BirdConnection { try $0.edges(Selection.BirdEdge { try $0.node(name) }.list) }
    #expect(try names.mock() == ["1"])
    #expect(try Selection.Query { try $0.bird(id: "1", name.nullable) }.mock() == "1")
    let picky = Selection.Bird { bird in
      guard try bird.name() == "Ada" else { throw SelectionError.null(path: ["name"]) }
      return "Ada"
    }
    #expect(throws: SelectionError.null(path: ["name"])) { try picky.mock() }
  }

  @Test func `a field is read by its alias`() throws {
    let query = Selection.Query { fields in
      [try fields.bird(id: "1", name.nullable), try fields.bird(id: "2", name.nullable)]
    }
    let names = try decode(query, #"{"bird": {"name": "Ada"}, "bird_2": {"name": "Bo"}}"#)
    #expect(names == ["Ada", "Bo"])
  }

  @Test func `an unexpected null throws with its path`() throws {
    let query = Selection.Query { try $0.bird(id: "1", name.nonNullOrFail) }
    #expect(throws: SelectionError.null(path: ["bird"])) { try decode(query, #"{"bird": null}"#) }
  }

  @Test func `a wrong value throws with its path and type`() throws {
    let query = Selection.Query { try $0.bird(id: "1", Selection.Bird { try $0.ringedAt().year }.nullable) }
    #expect(try decode(query, #"{"bird": {"ringedAt": "2024-05-01T10:00:00Z"}}"#) == 2024)
    #expect {
      try decode(query, #"{"bird": {"ringedAt": "never"}}"#)
    } throws: { error in
      guard case SelectionError.wrongValue(path: ["bird", "ringedAt"], expected: "DateTime!", _) = error else {
        return false
      }
      return true
    }
  }

  @Test func `a leaf error contains the actual value`() {
    #expect(throws: LeafValueError(found: "7")) { try Int(json: "7") }
    #expect(throws: LeafValueError(found: .null)) { try String(json: .null) }
    #expect(throws: LeafValueError(found: 1)) { try [Bool](json: [true, 1]) }
    #expect(throws: LeafValueError(found: 1)) { try [Double]?(json: 1) }
    #expect("\(LeafValueError(found: .null))" == "it is null")
  }

  @Test func `an unknown enum value is kept`() throws {
    let query = Selection.Query { try $0.bird(id: "1", Selection.Bird { try $0.sex() }.nullable) }
    #expect(try decode(query, #"{"bird": {"sex": "BOTH"}}"#) == .unrecognized("BOTH"))
    #expect(try decode(query, #"{"bird": {"sex": "MALE"}}"#) == .male)
  }

  private let result = #"{"search": [{"__typename": "Bird", "name": "Ada"}, {"__typename": "Comet"}]}"#

  @Test func `an unknown type throws if there is no default`() throws {
    let found = Selection.SearchResult {
      try $0.on(bird: name, species: .init { try $0.family() }, station: .init { try $0.name() })
    }
    #expect(throws: SelectionError.unknownType("Comet", path: ["search", 1])) {
      try decode(Selection.Query { try $0.search(text: "", found.list) }, result)
    }
  }

  @Test func `an unknown type uses the default`() throws {
    let found = Selection.SearchResult { try $0.on(bird: name, otherwise: "something else") }
    #expect(try decode(Selection.Query { try $0.search(text: "", found.list) }, result) == ["Ada", "something else"])
  }

  @Test func `a closure with value dependent selections throws when decoding`() throws {
    let bird = Selection.Bird { fields in
      try fields.weight() == nil ? try fields.name() : "heavy"
    }
    let query = Selection.Query { try $0.bird(id: "1", bird.nullable) }
    #expect(throws: SelectionError.dependsOnData(type: "Bird", field: "name")) {
      try decode(query, #"{"bird": {"weight": null, "name": "Ada"}}"#)
    }
  }

  @Test func `a mapped selection transforms each value`() throws {
    let query = Selection.Query { try $0.bird(id: "1", name.map { $0.count }.optional.nullable) }
    #expect(try decode(query, #"{"bird": {"name": "Ada"}}"#) == .some(3))
  }

  // MARK: Interfaces

  private let nodes =
    #"{"nodes": [{"__typename": "Bird", "id": "b", "name": "Ada"}, {"__typename": "Comet", "id": "c"}]}"#

  @Test func `interface fields are read for unknown types`() throws {
    let node = Selection.Node { node in
      try node.id() + ":" + node.on(bird: name, otherwise: node.__typename())
    }
    let query = Selection.Query { try $0.nodes(ids: ["b", "c"], node.nonNullOrFail.list) }
    #expect(try decode(query, nodes) == ["b:Ada", "c:Comet"])
  }

  @Test func `an unknown type of an interface throws if there is no default`() throws {
    let node = Selection.Node {
      try $0.on(
        bird: name, flight: .init { try $0.id() }, observation: .init { try $0.id() },
        species: .init { try $0.family() }, station: .init { try $0.name() })
    }
    let query = Selection.Query { try $0.nodes(ids: ["b", "c"], node.nonNullOrFail.list) }
    #expect(throws: SelectionError.unknownType("Comet", path: ["nodes", 1])) { try decode(query, nodes) }
  }
}
