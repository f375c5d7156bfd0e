import ApusGraphQLExecution
import ApusJSON
import Testing

/// Section 4 of the specification.
@Suite(.timeLimit(.minutes(1))) struct IntrospectionTests {
  let sdl = #"""
    "All there is." schema { query: Root }
    "The root." type Root implements Named {
      name: String
      old(size: Int = 3, gone: Int @deprecated(reason: "unused")): [Kind!]! @deprecated(reason: "Use name.")
    }
    interface Named { name: String }
    enum Kind { SMALL LARGE @deprecated }
    union Thing = Root
    scalar Time @specifiedBy(url: "https://time.example")
    input Choice @oneOf { a: Int = 1 b: String }
    """#

  func run(_ query: String) async throws -> String {
    let response = try await Bench(sdl).run(query)
    return try JSONDocument(parsing: response).root["data"]?.description ?? response
  }

  @Test func `__schema contains the root types and all types`() async throws {
    #expect(
      try await run("{ __schema { description queryType { name } mutationType { name } subscriptionType { name } } }")
        == #"{"__schema":{"description":"All there is.","queryType":{"name":"Root"},"mutationType":null,"#
        + #""subscriptionType":null}}"#)
    #expect(try await run("{ __schema { types { name } } }").contains(#"{"name":"__Schema"}"#))
  }

  @Test func `__type contains only the members of its kind`() async throws {
    let query = """
      query { __type(name: "NAME") { kind name description interfaces { name } possibleTypes { name } ofType { name }
      enumValues { name } inputFields { name defaultValue } specifiedByURL isOneOf } }
      """
    func type(_ name: String) async throws -> String { try await run(query.replacing("NAME", with: name)) }
    #expect(
      try await type("Root") == #"{"__type":{"kind":"OBJECT","name":"Root","description":"The root.","#
        + #""interfaces":[{"name":"Named"}],"possibleTypes":null,"ofType":null,"enumValues":null,"inputFields":null,"#
        + #""specifiedByURL":null,"isOneOf":null}}"#)
    #expect(try await type("Named").contains(#""kind":"INTERFACE""#))
    #expect(try await type("Thing").contains(#""possibleTypes":[{"name":"Root"}]"#))
    #expect(try await type("Time").contains(#""specifiedByURL":"https://time.example""#))
    #expect(
      try await type("Choice").contains(
        #""inputFields":[{"name":"a","defaultValue":"1"},{"name":"b","defaultValue":null}]"#))
    #expect(try await type("Choice").contains(#""isOneOf":true"#))
    #expect(try await type("Nothing") == #"{"__type":null}"#)
  }

  @Test func `Deprecated members are listed with includeDeprecated`() async throws {
    #expect(
      try await run(#"{ __type(name: "Root") { fields { name } } }"#) == #"{"__type":{"fields":[{"name":"name"}]}}"#)
    #expect(
      try await run(
        #"{ __type(name: "Root") { fields(includeDeprecated: true) { name isDeprecated deprecationReason } } }"#)
        == #"{"__type":{"fields":[{"name":"name","isDeprecated":false,"deprecationReason":null},"#
        + #"{"name":"old","isDeprecated":true,"deprecationReason":"Use name."}]}}"#)
    #expect(
      try await run(#"{ __type(name: "Kind") { enumValues(includeDeprecated: true) { name deprecationReason } } }"#)
        == #"{"__type":{"enumValues":[{"name":"SMALL","deprecationReason":null},"#
        + #"{"name":"LARGE","deprecationReason":"No longer supported"}]}}"#)
    #expect(
      try await run(#"{ __type(name: "Root") { fields(includeDeprecated: true) { args { name defaultValue } } } }"#)
        .contains(#""args":[{"name":"size","defaultValue":"3"}]"#))
  }

  @Test func `List and non-null types have an ofType`() async throws {
    let query = """
      { __type(name: "Root") { fields(includeDeprecated: true) { type { kind name ofType { kind ofType { kind
      ofType { kind name } } } } } } }
      """
    #expect(
      try await run(query).hasSuffix(
        #"{"type":{"kind":"NON_NULL","name":null,"ofType":{"kind":"LIST","ofType":{"kind":"NON_NULL","#
          + #""ofType":{"kind":"ENUM","name":"Kind"}}}}}]}}"#))
  }

  @Test func `Directives have their locations`() async throws {
    let response = try await run("{ __schema { directives { name locations isRepeatable args { name } } } }")
    #expect(
      response.contains(
        #"{"name":"skip","locations":["FIELD","FRAGMENT_SPREAD","INLINE_FRAGMENT"],"isRepeatable":false,"#
          + #""args":[{"name":"if"}]}"#))
  }
}
