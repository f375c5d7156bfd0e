import ApusClientAPI
import ApusClientIncremental
import ApusClientOperation
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusJSON
import Testing

/// The schema of these tests.
let world = Schema.load(
  sdl: """
    interface Node { id: ID! }
    type Query { person(id: ID): Person people: [Person!] search: [Result] node: Node tags: [String!]! matrix: [[Int]] }
    type Mutation { rename(name: String): Person }
    union Result = Person | Film
    type Person implements Node {
      id: ID! name: String! height: Int home: Planet friends: [Person!] films: [Film!]! nickname: String
    }
    type Planet { name: String climate: String terrain: Terrain }
    type Terrain { kind: String area: Int }
    type Film implements Node { id: ID! title: String! }
    """)

/// A response being received: payloads in, data and states out.
struct Delivery {
  var merger: IncrementalMerger
  var results: [MergedResult] = []
  private var clock = Duration.zero

  init(
    _ document: String, variables: String = "{}", schema: Schema? = world,
    as delivery: IncrementalMerger.Delivery = .complete
  ) throws {
    let operation = try CompiledOperation.compile(Document(parsing: document), schema: schema)
    merger = IncrementalMerger(
      plan: SelectionPlan(operation: operation, variables: try json(variables)), delivery: delivery)
  }

  /// Receives payloads. The n-th arrives after n seconds.
  mutating func receive(_ payloads: String...) throws {
    for payload in payloads {
      if let result = try merger.receive(payload: json(payload), at: clock) { results.append(result) }
      clock += .seconds(1)
    }
  }

  mutating func finish(cut: Bool) {
    if let result = merger.finish(cut: cut, at: clock) { results.append(result) }
  }

  var last: MergedResult? { results.last }
  var data: String { last?.data?.description ?? "none" }
  var errors: [String] { last?.errors.map(\.description) ?? [] }
  /// The protocol violations, each with its error's path and id.
  var violations: [String] {
    let errors = last?.errors.filter { $0.extensions?["code"]?.string == "INVALID_DELIVERY" } ?? []
    guard errors.map(\.message) == last?.violations.map(\.description) else { return ["each must be an error"] }
    return errors.map { error in
      error.message + (error.path.map { " (at \($0))" } ?? "")
        + (error.extensions?["id"]?.string.map { " (id \($0))" } ?? "")
    }
  }
  var changes: [String] { last?.changedPaths.map(\.description) ?? [] }
  var isComplete: Bool { last?.isComplete ?? false }

  /// All fragments as `label@path state`. An unlabeled fragment has its name or type condition instead.
  var states: [String] {
    last?.fragments.map { fragment in
      let name = fragment.label ?? fragment.name.map { "...\($0)" } ?? "on \(fragment.typeCondition ?? "?")"
      return "\(name)@\(fragment.path) \(fragment.state.name)"
    } ?? []
  }

  /// The errors of the failed fragments.
  var failures: [String] { last?.fragments.flatMap { $0.state.errors.map(\.message) } ?? [] }

  /// The times when fragments were settled, in seconds.
  var times: [Int64?] { last?.fragments.map { $0.settledAfter?.components.seconds } ?? [] }
}

func json(_ text: String) throws -> JSONValue { try JSONDocument(parsing: text).root }
