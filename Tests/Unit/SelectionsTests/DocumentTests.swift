import ApusBirdsSelections
import ApusSelections
import Testing

/// The documents and variables sent for selections.
struct DocumentTests {
  private func document<Value: Sendable, Root: RootScope>(
    _ selection: Selection<Value, Root>, name: String? = nil
  ) throws -> String {
    let operation = try SelectionOperation(selection, name: name)
    return operation.compiled.documentText + "\(operation.variables)"
  }

  @Test func `fields are in the order of the closure with key fields added`() throws {
    let station = Selection.Station { (try $0.name(), try $0.country()) }
    let bird = Selection.Bird { fields in
      try fields.name() + fields.station(station).1
    }
    #expect(
      try document(Selection.Query { try $0.bird(id: "b1", bird.nullable) }) == """
        query ($id: ID!) {
          bird(id: $id) {
            id
            name
            station {
              id
              name
              country
            }
          }
        }
        {"id":"b1"}
        """)
  }

  @Test func `a field with different arguments gets an alias`() throws {
    let name = Selection.Bird { try $0.name() }
    let query = Selection.Query { fields in
      (
        try fields.bird(id: "b1", name.nullable), try fields.bird(id: "b2", name.nullable),
        try fields.bird(id: "b1", name.nullable)
      )
    }.map { [$0.0, $0.1, $0.2] }
    #expect(
      try document(query) == """
        query ($id: ID!, $id_2: ID!) {
          bird(id: $id) {
            id
            name
          }
          bird_2: bird(id: $id_2) {
            id
            name
          }
        }
        {"id":"b1","id_2":"b2"}
        """)
  }

  @Test func `conflicting fields in union branches get aliases`() throws {
    let result = Selection.SearchResult {
      try $0.on(
        bird: .init { try $0.weight().map { "\($0)" } ?? "" }, species: .init { try $0.scientificName() },
        station: .init { "\(try $0.founded())" })
    }
    #expect(
      try document(Selection.Query { try $0.search(text: "a", kinds: [.bird], first: .absent(), result.list) }) == """
        query ($text: String!, $kinds: [SearchKind!]) {
          search(text: $text, kinds: $kinds) {
            __typename
            ... on Bird {
              weight
            }
            ... on Species {
              scientificName
            }
            ... on Station {
              founded
            }
          }
        }
        {"text":"a","kinds":["BIRD"]}
        """)
  }

  @Test func `absent arguments are omitted and nulls are sent`() throws {
    let birds = Selection.BirdConnection { try $0.totalCount() }
    let sent = try document(Selection.Query { try $0.birds(first: 3, after: .null(), birds) })
    #expect(
      sent == """
        query ($first: Int, $after: String) {
          birds(first: $first, after: $after) {
            totalCount
          }
        }
        {"first":3,"after":null}
        """)
  }

  @Test func `a deferred fragment has a unique label`() throws {
    let station = Selection.Station { fields in
      try fields.defer(label: "weather", if: true) {
        try $0.weather(Selection.Weather { try $0.summary() })
      }
    }
    let query = Selection.Query { fields in
      [try fields.station(id: "s1", station.nullable), try fields.station(id: "s2", station.nullable)]
    }
    #expect(
      try document(query, name: "Stations") == """
        query Stations($id: ID!, $defer: Boolean!, $id_2: ID!, $defer_2: Boolean!) {
          station(id: $id) {
            id
            ... on Station @defer(label: "weather", if: $defer) {
              weather {
                summary
              }
            }
          }
          station_2: station(id: $id_2) {
            id
            ... on Station @defer(label: "weather_2", if: $defer_2) {
              weather {
                summary
              }
            }
          }
        }
        {"id":"s1","defer":true,"id_2":"s2","defer_2":true}
        """)
  }

  @Test func `selections on the same object are merged`() throws {
    let name = Selection.Species { try $0.scientificName() }
    let species = Selection.Species { fields in
      try fields.selection(name) + fields.selection(name) + fields.scientificName()
    }
    #expect(
      try document(Selection.Query { try $0.allSpecies(species.list) }) == """
        {
          allSpecies {
            id
            scientificName
          }
        }
        {}
        """)
  }

  @Test func `oneOf inputs and input objects are variables`() throws {
    let query = Selection.Query {
      try $0.birdBy(lookup: .ring("R1"), Selection.Bird { try $0.id() }.nullable)
    }
    #expect(
      try document(query) == """
        query ($lookup: BirdLookup!) {
          birdBy(lookup: $lookup) {
            id
          }
        }
        {"lookup":{"ring":"R1"}}
        """)
  }

  @Test func `absent input fields are omitted and nulls are sent`() throws {
    let filter = InputObjects.BirdFilter(nameContains: "a", species: ["p1"], station: .null())
    let birds = Selection.BirdConnection { try $0.totalCount() }
    #expect(
      try document(Selection.Query { try $0.birds(filter: .present(filter), birds) }) == """
        query ($filter: BirdFilter) {
          birds(filter: $filter) {
            totalCount
          }
        }
        {"filter":{"nameContains":"a","species":["p1"],"station":null}}
        """)
  }

  /// The model generated for `input Tree { name: String!  children: [Tree!]  parent: Tree }`.
  private struct Tree: SelectionInputObject {
    let __data: InputData

    init(
      name: String, children: OptionalArgument<[Tree]> = .absent(), parent: OptionalArgument<Tree> = .absent()
    ) {
      __data = InputData(["name": name, "children": children, "parent": parent])
    }
  }

  @Test func `input objects may be recursive`() {
    let tree = Tree(name: "root", children: [Tree(name: "leaf", parent: .present(Tree(name: "other")))], parent: nil)
    #expect(
      tree.inputJSON.map { "\($0)" }
        == #"{"name":"root","children":[{"name":"leaf","parent":{"name":"other"}}],"parent":null}"#)
  }

  @Test func `the document does not depend on argument values`() throws {
    func text(_ id: String) throws -> String {
      let bird = Selection.Bird { try $0.name() }
      return try SelectionOperation(Selection.Query { try $0.bird(id: id, bird.nullable) }).compiled.documentText
    }
    #expect(try text("b1") == text("b2"))
  }

  @Test func `mutations and subscriptions have their operation types`() throws {
    #expect(
      try document(Selection.Subscription { try $0.countdown(from: 3) }, name: "Count") == """
        subscription Count($from: Int!) {
          countdown(from: $from)
        }
        {"from":3}
        """)
  }

  // MARK: Invalid closures

  @Test func `a field selected only for some values is always detected`() {
    for isOther in [false, true] {
      let bird = Selection.Bird { fields in
        try (fields.name() == "1") == isOther ? nil : fields.ring()
      }
      #expect(throws: SelectionError.dependsOnData(type: "Bird", field: "ring")) {
        try SelectionOperation(Selection.Query { try $0.bird(id: "b1", bird.nullable) })
      }
    }
  }

  @Test func `a closure may throw`() throws {
    struct NotABird: Error {}
    let bird = Selection.Bird { fields in
      guard try fields.sex() == .female else { throw NotABird() }
      return try fields.name()
    }
    #expect(try document(Selection.Query { try $0.bird(id: "b1", bird.nullable) }).contains("name"))
  }

  @Test func `a closure with value dependent selections throws before sending`() {
    let bird = Selection.Bird { fields in
      try fields.sex() == .female ? try fields.name() : try fields.ring()
    }
    #expect(throws: SelectionError.dependsOnData(type: "Bird", field: "ring")) {
      try SelectionOperation(Selection.Query { try $0.bird(id: "b1", bird.nullable) })
    }
  }

  @Test func `a selection without fields is an error`() {
    let nothing = Selection.Bird { _ in 1 }
    #expect(throws: SelectionError.empty(type: "Bird")) {
      try SelectionOperation(Selection.Query { try $0.bird(id: "b1", nothing.nullable) })
    }
  }
}
