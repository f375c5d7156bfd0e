import Apus
import ApusTestSupport
import Testing

@Suite("Deferred fragments of models, dynamic operations and cache reads agree", .timeLimit(.minutes(1)))
struct FragmentAgreementTests {
  private let query = PersonQuery(personId: "1")
  private let friends = #"{"friends":[{"__typename":"Bot","id":"2","firstName":"R2"}]}"#
  private let profile = #"{"__typename":"User","birthday":"1815-12-10","address":{"city":"London"}}"#

  private func base(_ type: String) -> String {
    #""person":{"__typename":"\#(type)","id":"1","firstName":"Ada","lastName":null,"avatar":null,"email":"a@b.c"}"#
  }

  private func lines<Data>(_ result: GraphQLResult<Data>?) -> [String] {
    (result?.fragments ?? []).map { fragment in
      (fragment.label.map { $0 + " " } ?? "")
        + "\(fragment.path) \(fragment.typeCondition ?? "no type") \(fragment.name ?? "inline") "
        + fragment.state.name
    }
  }

  private func check(_ answer: ScriptedAnswer, _ expected: [String]) async throws {
    try await check(query, PersonQuery.operationDocument.definition.text, answer, expected)
  }

  private func check<Model: GraphQLQuery>(
    _ query: Model, _ text: String, _ answer: ScriptedAnswer, _ expected: [String]
  ) async throws {
    let server = try ScriptedServer([answer])
    let store = CacheStore(resolver: CacheKeyResolver(schema: PeopleAPI.Metadata.self))
    let client = GraphQLClient(url: server.url, store: store)
    let dynamic = try DynamicOperation(text: text, variables: ["personId": "1"])
    var options = RequestOptions(cachePolicy: .networkOnly)
    options.cacheWrites = .incremental
    func last<Query: QueryOperation>(_ query: Query, _ options: RequestOptions) async throws -> [String] {
      var last: GraphQLResult<Query.Data>?
      for try await result in client.fetch(query: query, options: options) { last = result }
      return lines(last)
    }
    let sent = [try await last(query, options), try await last(dynamic, options)]
    options.cachePolicy = .cacheOnly
    options.allowsPartialReads = true
    let cached = [try await last(query, options), try await last(dynamic, options)]
    #expect(sent == [expected, expected])
    #expect(cached == [expected, expected])
  }

  @Test
  func `fulfilled fragments agree`() async throws {
    let answer = ScriptedAnswer.multipart([
      .text(#"{"data":{\#(base("User"))},"hasNext":true}"#),
      .text(#"{"incremental":[{"path":["person"],"label":"profile","data":\#(profile)}],"hasNext":true}"#),
      .text(#"{"incremental":[{"path":["person"],"label":"deferredFriends","data":\#(friends)}],"hasNext":false}"#),
    ])
    try await check(
      answer, ["deferredFriends person User inline fulfilled", "profile person User Profile fulfilled"])
  }

  @Test
  func `failed fragments agree`() async throws {
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

  @Test(arguments: [
    (#"{"__typename":"Bot","id":"1"}"#, nil, "notExecuted"), ("null", nil, "notExecuted"),
    (#"{"__typename":"User","id":"1"}"#, #"{"email":"a@b.c"}"#, "fulfilled"),
    (#"{"__typename":"User","id":"1"}"#, nil, "failed"),
  ])
  func `a deferred fragment with a type condition agrees`(
    _ person: String, _ mail: String?, _ state: String
  ) async throws {
    let part = mail.map { #""incremental":[{"path":["person"],"label":"mail","data":\#($0)}],"# } ?? ""
    let answer = ScriptedAnswer.multipart([
      .text(#"{"data":{"person":\#(person)},"hasNext":true}"#), .text("{\(part)\"hasNext\":false}"),
    ])
    let query = TypeCaseQuery()
    try await check(
      query, TypeCaseQuery.operationDocument.definition.text, answer, ["mail person User inline \(state)"])
    let server = try ScriptedServer([answer])
    let data = try await GraphQLClient(url: server.url).fetch(query).data
    #expect((data?.person?.asUser != nil) == person.contains("User"))
    #expect(data?.person?.asUser?.fragments.mail?.email == (mail == nil ? nil : "a@b.c"))
  }

  /// A deferred fragment beside a type case is not executed on another type; one inside it is not listed there.
  @Test(arguments: [
    (#"{"__typename":"Bot","id":"1"}"#, nil, "notExecuted"), ("null", nil, "notExecuted"),
    (#"{"__typename":"User","id":"1","firstName":"Ada"}"#, #"{"email":"a@b.c"}"#, "fulfilled"),
    (#"{"__typename":"User","id":"1","firstName":"Ada"}"#, nil, "failed"),
  ])
  func `a deferred fragment beside or in a type case agrees`(
    _ person: String, _ mail: String?, _ state: String
  ) async throws {
    func answer(_ person: String) -> ScriptedAnswer {
      let part = mail.map { #""incremental":[{"path":["person"],"label":"mail","data":\#($0)}],"# } ?? ""
      return .multipart([.text(#"{"data":{"person":\#(person)},"hasNext":true}"#), .text("{\(part)\"hasNext\":false}")])
    }
    try await check(
      MergedTypeCaseQuery(), MergedTypeCaseQuery.operationDocument.definition.text, answer(person),
      ["mail person User inline \(state)"])
    let data = try await last(MergedTypeCaseQuery(), answer(person))?.data
    #expect(data?.person?.asUser?.firstName == (person.contains("User") ? "Ada" : nil))
    #expect(data?.person?.asUser?.fragments.mail?.email == (mail == nil ? nil : "a@b.c"))
    guard person != "null" else { return }
    // The schema of the models shows that only a User has the fragment.
    let nested = try await lines(
      last(NestedDeferralQuery(), answer(person.replacing(#","firstName":"Ada""#, with: ""))))
    #expect(nested.map { $0.hasSuffix(state) } == (person.contains("User") ? [true] : []))
  }

  private func last<Query: GraphQLQuery>(_ query: Query, _ answer: ScriptedAnswer) async throws -> GraphQLResult<
    Query.Data
  >? {
    let server = try ScriptedServer([answer])
    var last: GraphQLResult<Query.Data>?
    for try await result in GraphQLClient(url: server.url).fetch(query: query) { last = result }
    return last
  }

  @Test
  func `fragments in a type case of another type agree`() async throws {
    let data = #"{"person":{"__typename":"Bot","id":"1","firstName":"R2","lastName":null,"avatar":null}}"#
    try await check(.json(#"{"data":\#(data)}"#), [])
    try await check(.multipart([.text(#"{"data":\#(data),"hasNext":true}"#), .text(#"{"hasNext":false}"#)]), [])
    try await check(
      .multipart(
        specification: "incrementalSpec=v0.2",
        [
          .text(#"{"data":\#(data),"pending":[{"id":"0","path":["other"]}],"hasNext":true}"#),
          .text(#"{"completed":[{"id":"0"}],"hasNext":false}"#),
        ]), [])
  }

  /// Runs a dynamic operation with and without a schema, and then from the cache.
  private func check(_ text: String, _ answer: ScriptedAnswer, _ expected: [String]) async throws {
    let schema = try GraphQLSchema(
      sdl: """
        type Query { pet: Pet }
        interface Pet { id: ID! name: String mate: Pet }
        interface Walker implements Pet { id: ID! name: String mate: Pet legs: Int }
        type Dog implements Pet & Walker { id: ID! name: String mate: Pet legs: Int bark: String }
        type Fish implements Pet { id: ID! name: String mate: Pet fins: Int }
        """)
    for schema in [schema, nil] {
      for writes in [CacheWritePolicy.whenComplete, .incremental] {
        let server = try ScriptedServer([answer])
        let client = GraphQLClient(url: server.url, store: CacheStore())
        let operation = try DynamicOperation(text: text, schema: schema)
        var options = RequestOptions(cachePolicy: .networkOnly)
        options.cacheWrites = writes
        var found: [[String]] = []
        for policy in [CachePolicy.networkOnly, .cacheOnly] {
          options.cachePolicy = policy
          options.allowsPartialReads = true
          var last: GraphQLResult<JSONValue>?
          for try await result in client.fetch(query: operation, options: options) { last = result }
          found.append(lines(last))
        }
        #expect(found == [expected, expected], "\(schema == nil ? "without" : "with") a schema, \(writes)")
      }
    }
  }

  private func parts(_ data: String, _ more: String...) -> ScriptedAnswer {
    .multipart([.text(#"{"data":\#(data),"hasNext":true}"#)] + more.map { .text($0) } + [.text(#"{"hasNext":false}"#)])
  }

  @Test
  func `fragments with a non-matching type condition agree`() async throws {
    try await check(
      "{ pet { __typename id ... on Dog @defer { bark } } }", parts(#"{"pet":{"__typename":"Fish","id":"1"}}"#),
      ["pet Dog inline notExecuted"])
    try await check(
      "{ pet { __typename id ... on Pet { name ... on Dog @defer { bark } } } }",
      parts(#"{"pet":{"__typename":"Fish","id":"1","name":"Nemo"}}"#), ["pet Dog inline notExecuted"])
    try await check(
      "{ pet { __typename id ... on Dog { bark ... on Walker @defer { legs } } } }",
      parts(#"{"pet":{"__typename":"Fish","id":"1"}}"#), [])
    try await check(
      "{ pet { __typename id ... on Walker { ... @defer { legs } } } }",
      parts(#"{"pet":{"__typename":"Fish","id":"1"}}"#),
      [])
  }

  @Test
  func `fragments in a null object agree`() async throws {
    try await check("{ pet { id ... @defer { name } } }", parts(#"{"pet":null}"#), ["pet no type inline notExecuted"])
    try await check(
      "{ pet { id mate { ... on Dog { ... @defer { bark } } } ... on Dog @defer { bark } } }", parts(#"{"pet":null}"#),
      ["pet Dog inline notExecuted", "pet.mate no type inline notExecuted"])
  }

  @Test
  func `fragments that were never sent agree`() async throws {
    try await check(
      "{ pet { __typename id ... on Dog { name ... @defer { bark } } } }",
      parts(#"{"pet":{"__typename":"Dog","id":"1","name":"Rex"}}"#), ["pet no type inline failed"])
    try await check(
      "{ pet { __typename id ... on Walker { name ... on Walker @defer { legs } } } }",
      parts(#"{"pet":{"__typename":"Dog","id":"1","name":"Rex"}}"#), ["pet Walker inline failed"])
  }
}
