import ApusGraphQLAnalysis
import ApusGraphQLLanguage
import ApusGraphQLSchema
import Testing

/// Depth, aliases and cost of operations.
struct OperationLimitsTests {
  private static let schema = Schema.load(
    sdl: """
      directive @cost(weight: String!) on FIELD_DEFINITION | OBJECT | ARGUMENT_DEFINITION | ENUM | INPUT_FIELD_DEFINITION
      directive @listSize(assumedSize: Int, slicingArguments: [String!], sizedFields: [String!]) on FIELD_DEFINITION
      type Query {
        bird: Bird
        birds(first: Int = 3, last: Int): [Bird] @listSize(slicingArguments: ["first", "last"], assumedSize: 7)
        all: [Bird] @listSize(assumedSize: 100)
          some: [Bird]
        paged(paging: Paging = { first: 8 }): [Bird] @listSize(slicingArguments: ["paging.first"])
        connection(first: Int): Connection @listSize(slicingArguments: ["first"], sizedFields: ["edges"])
        dear: Int @cost(weight: "5.5")
        find(filter: Filter, by: Int @cost(weight: "2")): Bird
      }
      type Connection { edges: [Edge] total: Int }
      type Edge { node: Bird }
      type Bird { name: String mate: Bird home: Place sex: Sex }
      type Place @cost(weight: "3") { name: String }
      enum Sex @cost(weight: "0.5") { MALE }
      input Paging { first: Int @cost(weight: "0") }
      input Filter { name: String inner: Filter heavy: Int @cost(weight: "4") }
      """)

  private func size(_ text: String, schema: Schema? = schema) throws -> OperationMetrics {
    let document = Document(parsing: text)
    let fragments = Dictionary(document.fragments.map { ($0.name.value, $0) }) { first, _ in first }
    var measure = SizeMeasure(fragments: fragments, schema: schema, listSize: 10)
    let size = measure.size(of: try #require(document.operations.first))
    return try #require(size)
  }

  @Test func `a shared fragment is measured once`() throws {
    let operations = (0..<200).map { "query A\($0) { ...F }" }.joined(separator: " ")
    let fields = (0..<200).map { "f\($0): bird { name }" }.joined(separator: " ")
    let document = Document(parsing: "\(operations) fragment F on Query { \(fields) }")
    let fragments = Dictionary(document.fragments.map { ($0.name.value, $0) }) { first, _ in first }
    var measure = SizeMeasure(fragments: fragments, schema: Self.schema, listSize: 10, steps: 2000)
    for operation in document.operations {
      let size = measure.size(of: operation)
      #expect(size?.aliases == 200)
    }
  }

  /// The list of 2, 5 or the assumed 7 birds is in the fragment, and its length in each operation.
  @Test func `the cost of a shared fragment follows from the defaults of each operation`() throws {
    let document = Document(
      parsing: """
        query A($n: Int = 2) { ...F } query B($n: Int = 5) { ...F } query C($n: Int) { ...F } query D($n: Int = 2) { ...F }
        fragment F on Query { ...G } fragment G on Query { birds(first: $n) { name } }
        """)
    let fragments = Dictionary(document.fragments.map { ($0.name.value, $0) }) { first, _ in first }
    for operations in [document.operations, document.operations.reversed()] {
      var measure = SizeMeasure(fragments: fragments, schema: Self.schema, listSize: 10)
      let costs = operations.map { ($0.name?.value, measure.size(of: $0)?.cost) }
      for (name, cost) in costs { #expect(cost == ["A": 2, "B": 5, "C": 7, "D": 2][name ?? ""], "\(name ?? "")") }
    }
  }

  @Test func `measuring stops after too many steps`() throws {
    let fields = (0..<200).map { "f\($0): bird { name }" }.joined(separator: " ")
    let document = Document(parsing: "query A { \(fields) }")
    var measure = SizeMeasure(fragments: [:], schema: Self.schema, listSize: 10, steps: 100)
    let size = measure.size(of: try #require(document.operations.first))
    #expect(size == nil)
  }

  @Test func `depth counts fields but not fragments`() throws {
    #expect(try size("{ bird { ... { mate { ...F } } } } fragment F on Bird { mate { name } }").depth == 4)
    #expect(try size("{ __schema { types { name } } bird { name } }").depth == 2)
  }

  @Test func `a fragment counts once per spread`() throws {
    let text = "{ a: bird { ...F } b: bird { ...F } } fragment F on Bird { x: name mate { ...F } }"
    #expect(try size(text).aliases == 4)
    #expect(try size("{ bird { ...Unknown x: name } }").aliases == 1)
    #expect(try size("{ bird { ...F } } fragment F on Bird { ...Unknown x: name }").aliases == 1)
    #expect(try size(text).depth == 2)
  }

  /// Otherwise the number of uses is exponential.
  @Test func `nested fragments are measured in linear time`() throws {
    let fragments = (0..<80).map { "fragment F\($0) on Bird { a: mate { ...F\($0 + 1) } b: mate { ...F\($0 + 1) } }" }
    let size = try size("{ bird { ...F0 } } \(fragments.joined()) fragment F80 on Bird { name }")
    #expect(size.aliases == .max)
    #expect(size.depth == 82)
    #expect(size.cost > 1e24)
  }

  /// Recursion would overflow the stack.
  @Test func `deeply nested fragments are measured`() throws {
    let count = 20_000
    let fragments = (0..<count).map { "fragment F\($0) on Bird { ...F\($0 + 1) }" }
    #expect(try size("{ bird { ...F0 } } \(fragments.joined()) fragment F\(count) on Bird { name }").depth == 2)
  }

  @Test(arguments: [
    ("{ bird { name mate { name } } }", 2.0), ("{ dear }", 5.5), ("{ bird { home { name } sex } }", 4.5),
    ("{ birds { name } }", 3), ("{ birds(first: 20) { mate { name } } }", 40),
    ("{ birds(first: 2, last: 5) { name } }", 5), ("query ($n: Int) { birds(first: $n) { name } }", 7),
    ("query ($n: Int = 4) { birds(first: $n) { name } }", 4), ("{ all { name } }", 100), ("{ some { name } }", 10),
    ("{ connection(first: 6) { total edges { node { name } } } }", 13),
    ("{ connection(first: 6) { ...F } } fragment F on Connection { edges { node { name } } }", 13),
    ("{ find(by: 1) { name } }", 3), ("{ find(filter: { name: \"x\", inner: { heavy: 1 } }) { name } }", 7),
    ("{ birds(first: 0) { name } }", 0), ("{ paged { name } }", 8), ("{ paged(paging: { first: 3 }) { name } }", 4),
    ("{ birds(first: -5) { name } }", 0),
  ])
  func `the cost of an operation follows from its lists and arguments`(text: String, cost: Double) throws {
    #expect(try size(text).cost == cost)
  }

  @Test func `without a schema only fields with selections have a cost`() throws {
    #expect(try size("{ a { b { c } d } }", schema: nil).cost == 2)
  }

  @Test func `exceeding a limit is an error of the operation`() {
    var limits = OperationLimits()
    limits.maxDepth = 1
    limits.maxAliases = 0
    limits.maxComplexity = 5
    let document = Document(parsing: "query A { x: bird { name } }\n\n{ dear }", name: "q.graphql")
    #expect(
      limits.check([document], schema: Self.schema).map { "\($0.sources[0]) \($0.rule) \($0)" } == [
        "q.graphql MaxDepthRule 1:1 The query \"A\" is 2 fields deep; 1 are allowed.",
        "q.graphql MaxAliasesRule 1:1 The query \"A\" has 1 aliases; 0 are allowed.",
        "q.graphql MaxComplexityRule 3:1 The query costs 5.5; 5 is allowed.",
      ])
  }
}
