import ApusClientOperation
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusJSON
import FuzzHarness

@testable import ApusClientCache
@testable import ApusClientResultExecution

/// A response is validated and normalized in the same way on its tape and as a value in memory.
@main enum ResponseTarget: FuzzTarget {
  private static let schema = Schema.load(
    sdl: """
      type Query { bird(id: ID): Bird search: [Result] names: [String!]! grid: [[Int]] }
      union Result = Bird | Nest
      type Bird { id: ID! name: String! weight: Float mate: Bird nests: [Nest!] }
      type Nest { eggs: Int! owner: Bird open: Boolean }
      """)

  private static let operation: CompiledOperation? = {
    let document = Document(
      parsing: """
        { bird(id: 1) { id name weight mate { id name } nests { eggs owner { id name } }
            ... @defer(label: "d") { again: name } }
          search { ... on Bird { id name } ... on Nest { eggs open } } names grid }
        """)
    return try? CompiledOperation.compile(document, schema: schema, options: CompileOptions(addTypename: true))
  }()

  static func prepare() { _ = operation }

  static func check(_ bytes: [UInt8]) {
    guard let operation else { fatalError("the operation does not compile") }
    guard let data = try? JSONDocument(parsing: bytes).root else { return }
    let plan = SelectionPlan(operation: operation, variables: .object([]))
    let memory = inMemory(data)
    let (onTape, inMemory) = (ResultExecutor.execute(data, plan: plan), ResultExecutor.execute(memory, plan: plan))
    guard !hasRepeatedNames(data) else {
      // For repeated names, the tape has all members and the value in memory only the last. If the tape is valid, the
      // value is valid as well.
      expect(!onTape.errors.isEmpty || inMemory.errors.isEmpty, "in memory: \(inMemory.errors)")
      return
    }
    expect(onTape.errors == inMemory.errors, "the tape: \(onTape.errors), in memory: \(inMemory.errors)")
    expect(onTape.data == inMemory.data, "the tape: \(onTape.data), in memory: \(inMemory.data)")
    guard data.kind == .object else { return }
    let request = RecordRequest(plan: plan, policies: CachePolicies(), resolver: CacheKeyResolver())
    let (one, other) = (records(of: data, request), records(of: memory, request))
    expect(one == other, "the tape: \(one), in memory: \(other)")
  }

  private static func hasRepeatedNames(_ value: JSONValue) -> Bool {
    switch value.kind {
    case .object:
      Set(value.members.map(\.key)).count < value.count || value.members.contains { hasRepeatedNames($0.value) }
    case .array: value.elements.contains(where: hasRepeatedNames)
    default: false
    }
  }

  private static func records(of data: JSONValue, _ request: RecordRequest) -> JSONValue {
    CacheExport.json(CacheSnapshot(Normalizer.records(of: data, request), number: 1))
  }

  /// Returns the value rebuilt in memory, with only scalars left on the tape.
  private static func inMemory(_ value: JSONValue) -> JSONValue {
    switch value.kind {
    case .object: .object(value.members.map { ($0.key, inMemory($0.value)) })
    case .array: .array(value.elements.map(inMemory))
    default: value
    }
  }
}
