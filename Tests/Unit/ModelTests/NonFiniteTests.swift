import Apus
import ApusTestSupport
import Testing

@Suite("NaN and infinity", .timeLimit(.minutes(1)))
struct NonFiniteTests {
  private static let numbers = [Double.nan, .infinity, -.infinity]

  private struct MeasureQuery: GraphQLQuery {
    static let operationName = "Measure"
    static let operationDocument = OperationDocument(
      definition: .init("query Measure($at: Float!) { measure(at: $at) }"))
    var at: Double
    var __variables: InputDict { ["at": at] }

    struct Data: PeopleSelectionSet {
      let __data: DataDict
      init(_dataDict: DataDict) { __data = _dataDict }
      init(measure: Double) { __data = DataDict(Self.self, typename: "Query", "measure", [measure]) }
      static var __parentType: any ParentType { PeopleAPI.Objects.Query }
      static var __selections: [Selection] { [.field("measure", Double.self, arguments: ["at": .variable("at")])] }
      var measure: Double { __data["measure"] }
    }
  }

  @Test(arguments: numbers)
  func `NaN and infinity in variables are errors for every operation type`(number: Double) async throws {
    let server = try ScriptedServer([.json(#"{"data":{"measure":1}}"#)])
    let client = GraphQLClient(url: server.url, store: CacheStore())
    func check(_ place: String, _ run: () async throws -> Void) async {
      do {
        try await run()
        Issue.record("nothing was refused")
      } catch {
        #expect("\(error)" == "\(place) is NaN or infinite, which JSON cannot represent; use a finite number or null")
        #expect(GraphQLClientError.exitCode(for: error) == 2)
      }
    }
    for policy in [CachePolicy.cacheFirst, .networkOnly, .cacheOnly, .networkFirst, .cacheAndNetwork] {
      await check("the variable $at") { _ = try await client.fetch(MeasureQuery(at: number), cachePolicy: policy) }
    }
    await check("the variable $at") { for try await _ in client.watch(query: MeasureQuery(at: number)) {} }
    let text = "query ($in: In) { a(in: $in) }"
    for kind in ["query", "mutation", "subscription"] {
      let operation = text.replacing("query", with: kind)
      let variables: JSONValue = ["in": ["list": [1, JSONValue(number)]]]
      await check("the variable $in.list[1]") {
        for try await _ in try client.run(operation, variables: variables) {}
      }
    }
    var options = RequestOptions(cachePolicy: .networkOnly)
    options.extensions = ["rate": JSONValue(number)]
    await check("rate in the request's extensions") {
      for try await _ in client.fetch(query: MeasureQuery(at: 1), options: options) {}
    }
    #expect(server.requests.isEmpty)
  }

  @Test(arguments: numbers)
  func `NaN and infinity cannot be written to the cache`(number: Double) async throws {
    let store = CacheStore()
    let data = MeasureQuery.Data(measure: number)
    #expect(number.isNaN ? data.measure.isNaN : data.measure == number)
    let query = MeasureQuery(at: 1)
    let refusal = CacheTransactionError.notFinite(["measure"])
    await #expect(throws: refusal) { try await store.write(data, for: query) }
    await #expect(throws: refusal) { try await store.transaction { $0.write(data, for: query) } }
    let operation = try DynamicOperation(text: "{ measure }")
    let json: JSONValue = ["measure": JSONValue(number)]
    await #expect(throws: refusal) { try await store.write(json, for: operation) }
    await #expect(throws: refusal) { try await store.writeOptimistically(json, operation: operation.compiled) }
    try await store.write(["measure": 1], for: operation)
    await #expect(throws: refusal) {
      try await store.update(operation.compiled) { $0 = json }
    }
    #expect(try await store.read(operation) == ["measure": 1])
  }

  @Test(arguments: numbers)
  func `NaN and infinity in a record update change nothing`(number: Double) async throws {
    let folder = try TemporaryFolder()
    let caches: [any NormalizedCache] = [
      InMemoryNormalizedCache(), try SQLiteNormalizedCache(path: folder.path("cache.sqlite")),
    ]
    for cache in caches {
      let store = CacheStore(cache: cache)
      let operation = try DynamicOperation(text: "{ measure }")
      try await store.write(["measure": 1], for: operation)
      let refusal = CacheTransactionError.notFinite(["rates", 1, "low"])
      let change: @Sendable (inout RecordDraft) -> Void = { draft in
        draft["measure"] = .scalar(2)
        draft["rates"] = .list([.scalar(1), .scalar(["low": JSONValue(number)])])
      }
      await #expect(throws: refusal) { try await store.modify(.queryRoot, change) }
      await #expect(throws: refusal) { try await store.modifyOptimistically(.queryRoot, change) }
      await #expect(throws: refusal) {
        try await store.apply([.removeField(.queryRoot, field: "measure"), .modify(.queryRoot, change)])
      }
      await #expect(throws: refusal) {
        try await store.transaction { cache in
          cache.evict(.queryRoot)
          cache.modify(.queryRoot, change)
        }
      }
      #expect(try await store.read(operation) == ["measure": 1])
      #expect(try await store.record(.queryRoot)?.fields.map(\.key) == ["measure"])
      // A null that replaces the value in the same function is stored.
      try await store.modify(.queryRoot) { draft in
        draft["measure"] = .scalar(JSONValue(number))
        draft["measure"] = .scalar(.null)
      }
      #expect(try await store.record(.queryRoot)?[field: "measure"] == .scalar(.null))
    }
    let export: JSONValue = [
      "format": "apus-cache", "version": 1, "records": ["QUERY_ROOT": ["measure": JSONValue(number)]],
    ]
    await #expect(throws: CacheImportError.self) { try await CacheStore().importRecords(export) }
  }

  @Test
  func `NaN and infinity in optimistic data are an error`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"measure":1}}"#)])
    let client = GraphQLClient(url: server.url, store: CacheStore())
    let mutation = try DynamicOperation(text: "mutation { measure }")
    var changed = RequestOptions()
    changed.optimisticData = ["measure": JSONValue(Double.nan)]
    let options = changed
    await #expect(throws: GraphQLClientError.self) {
      for try await _ in client.perform(mutation: mutation, options: options) {}
    }
  }

  @Test
  func `NaN and infinity are printed as null`() {
    #expect(JSONValue.array(Self.numbers.map { JSONValue($0) }).description == "[null,null,null]")
    #expect(Self.numbers.allSatisfy { JSONValue($0) == .null && JSONValue($0).isNull })
    #expect(JSONValue(1e300).description == "1e+300")
  }
}
