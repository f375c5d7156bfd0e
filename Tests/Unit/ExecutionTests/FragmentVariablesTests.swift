import ApusGraphQLExecution
import ApusGraphQLLanguage
import ApusGraphQLMediaTypes
import ApusGraphQLSchema
import ApusJSON
import Testing

@Suite(.timeLimit(.minutes(1))) struct FragmentVariablesTests {
  private func run(_ query: String, variables: String? = nil) async throws -> String {
    try await Bench("type Query { echo(text: String, count: Int! = 1): String me: Query }") { resolvers in
      resolvers.field("Query", "me") { _ in .object(JSONValue.object([])) }
      resolvers.field("Query", "echo") { context in .string("\(context.arguments)") }
    }.run(query, variables: variables)
  }

  @Test func `a spread passes arguments to its fragment`() async throws {
    #expect(
      try await run(
        "{ ...F(text: \"a\") } fragment F($text: String, $n: Int! = 3) on Query { echo(text: $text, count: $n) }")
        == ##"{"data":{"echo":"{\"text\":\"a\",\"count\":3}"}}"##)
  }

  @Test func `fragment variables shadow operation variables`() async throws {
    let query = """
      query ($text: String, $n: Int! = 7) { echo(text: $text) me { ...F(text: $text) } }
      fragment F($text: String, $other: String) on Query { a: echo(text: $other, count: $n) me { ...G(n: 2) } }
      fragment G($n: Int!) on Query { b: echo(text: $text, count: $n) @skip(if: false) }
      """
    #expect(
      try await run(query, variables: #"{"text": "x"}"#)
        == ##"{"data":{"echo":"{\"text\":\"x\",\"count\":1}","me":{"a":"{\"count\":7}","##
        + ##""me":{"b":"{\"text\":\"x\",\"count\":2}"}}}}"##)
  }

  @Test func `a missing required fragment argument is an error`() async throws {
    let response = try await run("{ me { ...F } } fragment F($n: Int!) on Query { echo(count: $n) }")
    #expect(
      response.contains("Argument \\\"n\\\" of required type \\\"Int!\\\" was not provided to the fragment \\\"F\\\"."))
  }
}

@Suite(.timeLimit(.minutes(1))) struct ErrorBehaviorTests {
  private func response(_ behavior: ErrorBehavior) async throws -> JSONValue {
    let bench = try Bench(
      "type Query { a: Int! b: B } type B { c: Int! d: [Int!]! }", data: #"{"a": null, "b": {"c": 1, "d": [1, null]}}"#)
    let request = ExecutionRequest(Document(parsing: "{ a b { c d } }"), onError: behavior)
    guard case .single(let response) = await bench.executor.execute(request, on: bench.data) else { return .null }
    return response
  }

  @Test func `onError selects the error handling`() async throws {
    #expect(try await response(.propagate)["data"]?.description == "null")
    #expect(try await response(.null)["data"]?.description == #"{"a":null,"b":{"c":1,"d":[1,null]}}"#)
    #expect(try await Array(#require(response(.null)["errors"]).elements).count == 2)
    #expect(try await response(.halt)["data"]?.description == "null")
    #expect(try await Array(#require(response(.halt)["errors"]).elements).count == 1)
  }
}
