import ApusClientAPI
import ApusClientCore
import ApusClientOperation
import ApusClientRequestChain
import ApusGraphQLLanguage
import ApusGraphQLMediaTypes
import ApusGraphQLSchema
import ApusJSON
import ApusTestSupport
import Testing

/// The `onError` parameter of requests, and the nulls that servers then send in non-null fields.
@Suite(.timeLimit(.minutes(1))) struct ErrorBehaviorTests {
  @Test(arguments: [nil] + ErrorBehavior.allCases, [false, true])
  func `the parameter is sent as the request says`(behavior: ErrorBehavior?, usesGET: Bool) async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
    var features = RequestFeatures()
    features.usesGET = usesGET
    var options = RequestOptions(cachePolicy: .networkOnly)
    options.onError = behavior
    _ = await read(
      GraphQLClient(url: server.url, features: features).fetch(query: try operation("{ a }"), options: options))
    let request = try #require(server.requests.first)
    if usesGET {
      #expect(request.target.contains("onError") == (behavior != nil))
      #expect(behavior.map { request.target.contains("onError=\($0.rawValue)") } != false)
    } else {
      let body = try JSONDocument(parsing: request.bodyText).root
      #expect(body["onError"]?.string == behavior?.rawValue)
    }
  }

  /// The rows: the parameter, the response, and the errors of the result.
  @Test(arguments: [
    (ErrorBehavior?.none, #"{"data":{"a":null},"errors":[{"message":"no","path":["a"]}]}"#, 2),
    (.propagate, #"{"data":{"a":null},"errors":[{"message":"no","path":["a"]}]}"#, 2),
    (.halt, #"{"data":{"a":null},"errors":[{"message":"no","path":["a"]}]}"#, 2),
    (.null, #"{"data":{"a":null},"errors":[{"message":"no","path":["a"]}]}"#, 1),
    (.null, #"{"data":{"a":null},"errors":[{"message":"no","path":["b"]}]}"#, 2),
    (.null, #"{"data":{"a":null},"errors":[{"message":"no"}]}"#, 2),
    (.null, #"{"data":{"a":null}}"#, 1),
    (.null, #"{"data":{"a":[]},"errors":[{"message":"no","path":["a"]}]}"#, 2),
    (.halt, #"{"data":null,"errors":[{"message":"no","path":["a"]}]}"#, 1),
  ])
  func `a null in a non-null field is expected only with NULL and an error at its path`(
    behavior: ErrorBehavior?, response: String, errorCount: Int
  ) async throws {
    let server = try ScriptedServer([.json(response)])
    let schema = Schema.load(sdl: "type Query { a: Int! b: Int }")
    let compiled = try CompiledOperation.compile(Document(parsing: "{ a }"), schema: schema)
    var options = RequestOptions(cachePolicy: .networkOnly)
    options.onError = behavior
    let query = DynamicOperation(compiled: compiled, resultChecking: .reportErrors)
    let run = await read(GraphQLClient(url: server.url).fetch(query: query, options: options))
    #expect(run.error == nil)
    #expect(run.results.last?.errors.count == errorCount, "\(run.lines)")
  }
}
