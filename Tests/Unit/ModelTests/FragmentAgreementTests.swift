import Apus
import ApusTestSupport
import Testing

@Suite("The deferred fragments of a result do not depend on how the operation is known, nor on where its data is from")
struct FragmentAgreementTests {
  private let query = PersonQuery(personId: "1")
  private let friends = #"{"friends":[{"__typename":"Bot","id":"2","firstName":"R2"}]}"#
  private let profile = #"{"__typename":"User","birthday":"1815-12-10","address":{"city":"London"}}"#

  private func base(_ type: String) -> String {
    #""person":{"__typename":"\#(type)","id":"1","firstName":"Ada","lastName":null,"avatar":null,"email":"a@b.c"}"#
  }

  private func lines<Data>(_ result: GraphQLResult<Data>?) -> [String] {
    (result?.fragments ?? []).map { fragment in
      "\(fragment.label ?? "") \(fragment.path) \(fragment.typeCondition ?? "no type") \(fragment.name ?? "inline") "
        + fragment.state.name
    }
  }

  private func check(_ answer: ScriptedAnswer, _ expected: [String]) async throws {
    let server = try ScriptedServer([answer])
    let store = CacheStore(resolver: CacheKeyResolver(schema: PeopleAPI.Metadata.self))
    let client = GraphQLClient(url: server.url, store: store)
    let text = PersonQuery.operationDocument.definition.text
    let dynamic = try DynamicOperation(text: text, variables: ["personId": "1"])
    var options = RequestOptions(cachePolicy: .networkOnly)
    options.cacheWrites = .incremental
    func last<Query: QueryOperation>(_ query: Query, _ options: RequestOptions) async throws -> [String] {
      var last: GraphQLResult<Query.Data>?
      for try await result in client.fetch(query: query, options: options) { last = result }
      return lines(last)
    }
    #expect(try await last(query, options) == expected)
    #expect(try await last(dynamic, options) == expected)
    options.cachePolicy = .cacheOnly
    options.allowsPartialReads = true
    #expect(try await last(query, options) == expected)
    #expect(try await last(dynamic, options) == expected)
  }

  @Test("Fulfilled")
  func fulfilled() async throws {
    let answer = ScriptedAnswer.multipart([
      .text(#"{"data":{\#(base("User"))},"hasNext":true}"#),
      .text(#"{"incremental":[{"path":["person"],"label":"profile","data":\#(profile)}],"hasNext":true}"#),
      .text(#"{"incremental":[{"path":["person"],"label":"deferredFriends","data":\#(friends)}],"hasNext":false}"#),
    ])
    try await check(
      answer, ["deferredFriends person User inline fulfilled", "profile person User Profile fulfilled"])
  }

  @Test("Failed")
  func failed() async throws {
    let answer = ScriptedAnswer.multipart([
      .text(#"{"data":{\#(base("User"))},"hasNext":true}"#),
      .text(
        #"""
        {"incremental":[{"path":["person"],"label":"deferredFriends","data":null,"errors":[{"message":"no"}]},
        {"path":["person"],"label":"profile","data":\#(profile)}],"hasNext":false}
        """#),
    ])
    try await check(answer, ["deferredFriends person User inline failed", "profile person User Profile fulfilled"])
  }
}
