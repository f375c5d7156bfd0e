import ApusGraphQLExecution
import ApusGraphQLLanguage
import ApusGraphQLMediaTypes
import ApusGraphQLSchema
import ApusJSON
import ApusTestSupport
import Testing

/// Execution of deferred fields together with the others, instead of after the initial result.
@Suite(.timeLimit(.minutes(1))) struct EarlyExecutionTests {
  static let sdl = "type Query { a: String b: String inner: Inner } type Inner { c: String d: String! }"

  private func payloads(_ query: String, _ format: IncrementalFormat, _ configure: (inout Resolvers) -> Void)
    async throws -> [String]
  {
    var resolvers = Resolvers()
    configure(&resolvers)
    let executor = Executor(schema: Schema.load(sdl: Self.sdl), resolvers: resolvers)
    let request = ExecutionRequest(Document(parsing: query), incremental: format, executesEarly: true)
    switch await executor.execute(request) {
    case .refused(let errors): return [errors.response.description]
    case .single(let response): return [response.description]
    case .incremental(let initial, let rest):
      var payloads = [initial.description]
      for await payload in rest { payloads.append(payload.description) }
      return payloads
    }
  }

  @Test func `Fragments that are ready are sent with the initial payload`() async throws {
    let configure: @Sendable (inout Resolvers) -> Void = { resolvers in
      resolvers.field("Query", "a") { _ in .string("A") }
      resolvers.field("Query", "b") { _ in .string("B") }
    }
    #expect(
      try await payloads("{ a ... @defer(label: \"l\") { b } }", .incrementalV02, configure) == [
        #"{"data":{"a":"A"},"pending":[{"id":"0","path":[],"label":"l"}],"incremental":[{"id":"0","data":{"b":"B"}}],"#
          + #""completed":[{"id":"0"}],"hasNext":false}"#
      ])
    #expect(
      try await payloads("{ a ... @defer(label: \"l\") { b } }", .defer20220824, configure) == [
        #"{"data":{"a":"A"},"incremental":[{"data":{"b":"B"},"path":[],"label":"l"}],"hasNext":false}"#
      ])
  }

  @Test func `A deferred resolver starts before the initial result`() async throws {
    let begun = Signal()
    let answers = try await payloads("{ a ... @defer { b } }", .incrementalV02) { resolvers in
      // Without early execution this would wait forever.
      resolvers.asyncField("Query", "a") { _ in
        await begun.wait()
        return .string("A")
      }
      resolvers.asyncField("Query", "b") { _ in
        begun.open()
        return .string("B")
      }
    }
    #expect(answers.joined().contains(#""data":{"a":"A"}"#) && answers.joined().contains(#"{"b":"B"}"#))
  }

  @Test func `Deferred fields of an object that became null do not delay the result`() async throws {
    let never = Signal()
    let answers = try await payloads("{ a inner { d ... @defer { c } } }", .incrementalV02) { resolvers in
      resolvers.field("Query", "a") { _ in .string("A") }
      resolvers.field("Query", "inner") { _ in .object(JSONValue.object([])) }
      resolvers.asyncField("Inner", "d") { _ in .null }
      resolvers.asyncField("Inner", "c") { _ in
        await never.wait()
        return .string("C")
      }
    }
    #expect(answers.count == 1)
    #expect(answers.first?.contains(#""data":{"a":"A","inner":null}"#) == true)
    never.open()
  }
}
