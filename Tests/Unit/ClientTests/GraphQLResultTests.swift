import ApusClientAPI
import ApusJSON
import Testing

/// Transformations of results.
@Suite struct GraphQLResultTests {
  private struct Failure: Error {}

  private var complete: GraphQLResult<JSONValue> {
    let fragment = DeferredFragment(
      fragmentID: 0, label: "slow", path: ["bird"], typeCondition: "Bird", name: nil, state: .pending)
    var result = GraphQLResult<JSONValue>(
      data: ["a": 1], errors: [GraphQLError(message: "half")], extensions: ["cost": 1], source: .cache,
      completeness: .partial, fragments: [fragment], changedKeys: ["Bird:1.name"], payloadIndex: 2,
      elapsed: .seconds(3),
      byteCount: 4, changedPaths: [["a"]])
    result.request = RequestID()
    result.json = ["a": 1]
    return result
  }

  @Test func `mapping data keeps all other members`() {
    let result = complete
    let mapped = result.map { $0["a"]?.int ?? 0 }
    #expect(mapped.data == 1)
    #expect(mapped.errors == result.errors && mapped.extensions == result.extensions)
    #expect(mapped.source == .cache && mapped.completeness == .partial)
    #expect(mapped.fragments.map(\.label) == ["slow"])
    #expect(mapped.changedKeys == ["Bird:1.name"] && mapped.changedPaths == [["a"]])
    #expect(mapped.payloadIndex == 2 && mapped.elapsed == .seconds(3) && mapped.byteCount == 4)
    #expect(mapped.request == result.request && mapped.json == result.json)
    #expect(result.data == ["a": 1], "the original result does not change")
  }

  @Test func `mapping a result without data has no data`() {
    let none = GraphQLResult<JSONValue>(data: nil, errors: [GraphQLError(message: "no")])
    let mapped = none.map { _ in 1 }
    #expect(mapped.data == nil)
    #expect(mapped.errors.map(\.message) == ["no"])
    #expect(throws: Failure.self) { try complete.map { _ -> Int in throw Failure() } }
  }

  @Test func `a null is data if the type can represent it`() {
    let null = GraphQLResult<JSONValue>(data: JSONValue.null)
    #expect(null.hasData)
    #expect(null.data == JSONValue.null)
    let noName: String?? = .some(nil)
    let optional = GraphQLResult<String?>(data: noName)
    #expect(optional.hasData)
    #expect(optional.data == noName)
    #expect(optional.map { $0 ?? "nobody" }.data == "nobody")
  }
}
