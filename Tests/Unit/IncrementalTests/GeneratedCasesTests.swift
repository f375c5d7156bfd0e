import ApusClientAPI
import ApusClientIncremental
import ApusGraphQLSchema
import ApusJSON
import ApusTestSupport
import Testing

/// Random documents with deferred fragments and streams, executed by graphql-core.
/// `Tests/Support/Servers/incremental_cases.py` generates them and merges their payloads independently.
@Suite(.timeLimit(.minutes(1))) struct GeneratedCasesTests {
  static let schema = Schema.load(
    sdl: """
      interface Node { id: ID! name: String }
      type Tree implements Node {
        id: ID! name: String value: Int child: Tree firm: Tree! kids: [Tree] many: [Tree!]! leaf: Leaf tags: [String!]
        node: Node kin: [Node] broken: String fatal: String! grid: [[Int]]
      }
      type Leaf implements Node { id: ID! name: String size: Int tree: Tree broken: String fatal: String! }
      type Query { tree: Tree leaf: Leaf node: Node kin: [Node] many: [Tree!]! }
      """)

  @Test(arguments: [("format-a", 20, 60), ("current", 21, 240)])
  func `merged results match a simple merge`(environment: String, seed: Int, cases: Int) async throws {
    let process = try ChildProcess(
      "\(Checkout.root)/.test-servers/\(environment)/bin/python",
      ["-u", "\(Checkout.servers)/incremental_cases.py", "\(cases)", "\(seed)"])
    var count = 0
    while let line = await process.nextLine() {
      try check(json(line), seed: seed, number: count)
      count += 1
    }
    #expect(count == cases)
  }

  /// Merges a case with and without a schema.
  private func check(_ testCase: JSONValue, seed: Int, number: Int) throws {
    let document = try #require(testCase["document"]?.string)
    let comment = Comment(rawValue: "seed \(seed), case \(number): \(document)")
    for schema in [Self.schema, nil] {
      var delivery = try Delivery(document, schema: schema)
      for payload in testCase["payloads"]?.elements.map({ $0 }) ?? [] { try delivery.receive(payload.description) }
      #expect(delivery.last?.data == testCase["merged"], comment)
      if let reference = testCase["reference"], !reference.isNull, delivery.last?.format == .incrementalV02 {
        #expect(delivery.last?.data == reference, comment)
      }
      #expect(delivery.isComplete, comment)
      let states = delivery.last?.fragments ?? []
      #expect(states.allSatisfy { !$0.state.isPending }, comment)
      // The pre-release that sends the 2022 format is inconsistent about fragments in nulls and failed fragments.
      guard delivery.last?.format == .incrementalV02 else { continue }
      let failed = Set(states.filter { $0.state.name == "failed" }.map { "\($0.label ?? "")@\($0.path)" })
      let expected = (testCase["failed"]?.elements.map { $0 } ?? []).compactMap { entry -> String? in
        guard let path = entry[0].flatMap({ ResponsePath($0) }) else { return nil }
        return "\(entry[1]?.string ?? "")@\(path)"
      }
      #expect(failed == Set(expected), comment)
    }
  }
}
