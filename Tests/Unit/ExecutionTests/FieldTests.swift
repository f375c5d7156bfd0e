import ApusGraphQLExecution
import ApusJSON
import Testing

/// Sections 6.2 and 6.3 of the specification: operations and the collection of fields.
@Suite(.timeLimit(.minutes(1))) struct FieldTests {
  let zoo = """
    type Query { a: String b: String deep: Deep pet: Pet pets: [Pet] node: Named search: [Either] }
    type Deep { a: String b: String deeper: [Deep] }
    interface Named { name: String }
    type Dog implements Named { name: String barks: Boolean }
    type Cat implements Named { name: String meows: Boolean }
    union Either = Dog | Cat
    union Pet = Dog | Cat
    """
  let data = """
    {"a": "A", "b": "B", "deep": {"a": "x", "b": "y", "deeper": [{"a": "1"}, null, {"a": "2"}]},
    "pets": [{"__typename": "Dog", "name": "Rex", "barks": true}, {"__typename": "Cat", "name": "Tom", "meows": false}],
    "node": {"__typename": "Cat", "name": "Tom", "meows": false}, "pet": {"name": "nobody"}}
    """

  func run(_ query: String, variables: String? = nil, operation: String? = nil) async throws -> String {
    try await Bench(zoo, data: data).run(query, variables: variables, operation: operation)
  }

  @Test func `Fields are in document order, with their aliases`() async throws {
    #expect(try await run("{ second: b a }") == #"{"data":{"second":"B","a":"A"}}"#)
  }

  @Test func `A field selected several times is executed once with merged selections`() async throws {
    let query = "{ deep { a } ...F a } fragment F on Query { a deep { b } }"
    #expect(try await run(query) == #"{"data":{"deep":{"a":"x","b":"y"},"a":"A"}}"#)
  }

  @Test func `Lists keep their nulls`() async throws {
    #expect(
      try await run("{ deep { deeper { a } } }") == #"{"data":{"deep":{"deeper":[{"a":"1"},null,{"a":"2"}]}}}"#)
  }

  @Test func `Type conditions are checked against the object's type`() async throws {
    let query = "{ pets { __typename ... on Dog { barks } ... on Cat { meows } ... on Named { name } } }"
    #expect(
      try await run(query) == #"{"data":{"pets":[{"__typename":"Dog","barks":true,"name":"Rex"},"#
        + #"{"__typename":"Cat","meows":false,"name":"Tom"}]}}"#)
  }

  @Test func `Fields are skipped or included, and skip takes precedence`() async throws {
    let query = """
      query ($yes: Boolean!, $no: Boolean!) {
        a @skip(if: $yes) b @include(if: $yes) c: a @include(if: $no) d: a @skip(if: $yes) @include(if: $yes)
        ... @include(if: $no) { e: a } ...F @skip(if: $no)
      }
      fragment F on Query { f: a }
      """
    #expect(try await run(query, variables: #"{"yes": true, "no": false}"#) == #"{"data":{"b":"B","f":"A"}}"#)
  }

  @Test func `An operation is selected by name`() async throws {
    let document = "query One { a } query Two { b }"
    #expect(try await run(document, operation: "Two") == #"{"data":{"b":"B"}}"#)
    #expect(
      try await run(document, operation: "Three") == #"{"errors":[{"message":"Unknown operation named \"Three\"."}]}"#)
    #expect(
      try await run(document)
        == #"{"errors":[{"message":"Must provide operation name if query contains multiple operations."}]}"#)
    #expect(
      try await run("fragment F on Query { a }") == #"{"errors":[{"message":"Must provide an operation."}]}"#)
  }

  @Test func `A syntax error is a request error with a location`() async throws {
    let response = try JSONDocument(parsing: try await run("{ a")).root
    #expect(response["data"] == nil)
    #expect(response["errors"]?[0]?["message"]?.string?.hasPrefix("Syntax Error: ") == true)
    #expect(response["errors"]?[0]?["locations"]?[0]?["line"]?.int == 1)
  }

  @Test func `An unresolved abstract type is a field error`() async throws {
    #expect(
      try await run("{ pet { __typename } a }")
        == #"{"errors":[{"message":"Abstract type \"Pet\" must resolve to an object type for field \"Query.pet\".","#
        + #""locations":[{"line":1,"column":3}],"path":["pet"]}],"data":{"pet":null,"a":"A"}}"#)
  }

  @Test func `A mutation against a schema without mutations is an error`() async throws {
    #expect(
      try await run("mutation { a }")
        == #"{"errors":[{"message":"This schema has no type for a mutation operation.","#
        + #""locations":[{"line":1,"column":1}]}],"data":null}"#)
  }

  @Test func `A fragment that spreads itself is executed once`() async throws {
    #expect(try await run("{ ...F } fragment F on Query { a ...F }") == #"{"data":{"a":"A"}}"#)
    let deferred = try await Bench(zoo, data: data).format2022("{ ...F } fragment F on Query { a ...F @defer }")
    #expect(deferred == [#"{"data":{"a":"A"}}"#])
  }
}
