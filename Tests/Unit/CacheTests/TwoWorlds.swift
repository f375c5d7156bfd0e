import ApusClientAPI
import ApusClientOperation
import ApusJSON
import ApusPlatform
import ApusTestSupport

/// Two states of a server, and queries for them. Each value of an object without a key contains the object's mark: that of
/// the node for an edge, that of the state for a list item that references nothing.
struct TwoWorlds {
  static var seed: UInt64 {
    getenv("APUS_WORLDS_SEED").flatMap { UInt64(String(cString: $0)) } ?? UInt64.random(in: 0...UInt64(UInt32.max))
  }

  let queries: [CompiledOperation]
  let first: World
  let second: World

  init(_ random: inout SplitMix) {
    first = World(name: "a", failing: false, &random)
    second = World(name: "b", failing: true, &random)
    // Three queries that select different fields of the same objects.
    queries = (0..<3).compactMap { _ in try? operation("{ \(Self.selection(&random)) }") }
  }

  /// Returns a selection of fields of keyless objects: single and in lists, under the root and under a keyed object.
  private static func selection(_ random: inout SplitMix) -> String {
    let edge = ["cursor", "note", "rank"].filter { _ in Bool.random(using: &random) } + ["node { __typename id }"]
    let nest = ["material", "eggs"].filter { _ in Bool.random(using: &random) } + ["__typename"]
    let bird = ["nest { \(nest.joined(separator: " ")) }", "tracks { \(nest.joined(separator: " ")) }"]
      .filter { _ in Bool.random(using: &random) }
    let late = ["nest { __typename material eggs }", "tracks { __typename material eggs }"]
      .filter { _ in Bool.random(using: &random) }
    let fragment = late.isEmpty ? "" : #"... @defer(label: "late") { \#(late.joined(separator: " ")) }"#
    return """
      birds { __typename edges { __typename \(edge.shuffled(using: &random).joined(separator: " ")) } } \
      bird(id: 1) { __typename id \(bird.joined(separator: " ")) \(fragment) }
      """
  }

  /// Returns an object without a key that has values of two objects, or `nil` if there is none.
  func mixture(in value: JSONValue) -> JSONValue? {
    switch value.kind {
    case .array: return value.elements.lazy.compactMap { mixture(in: $0) }.first
    case .object:
      let marks = Set(value.members.compactMap { key, value in key == "__typename" ? nil : Self.mark(key, value) })
      if marks.count > 1 { return value }
      return value.members.lazy.compactMap { mixture(in: $0.value) }.first
    default: return nil
    }
  }

  private static func mark(_ key: String, _ value: JSONValue) -> Int? {
    switch key {
    case "cursor", "note", "material": value.string.flatMap { Int($0.drop { !$0.isNumber }) }
    case "rank", "eggs": value.int
    default: nil
    }
  }
}

/// A state of the server: the lengths of its lists, the node of each edge, and the failing fields.
struct World {
  private let offset: Int
  private let counts: [Int]
  private let nodes: [Int]
  /// The number of values per failing one; 0 if none fail.
  private let failing: Int
  private let salt: Int

  init(name: String, failing: Bool, _ random: inout SplitMix) {
    offset = name == "a" ? 100 : 200
    counts = (0..<2).map { _ in Int.random(in: 0...3, using: &random) }
    nodes = (0..<3).map { _ in Int.random(in: 1...3, using: &random) }
    self.failing = failing ? Int.random(in: 2...6, using: &random) : 0
    salt = Int.random(in: 0..<1000, using: &random)
  }

  func answer(_ query: CompiledOperation) -> (data: JSONValue, errors: [GraphQLError]) {
    var errors: [GraphQLError] = []
    let plan = SelectionPlan(operation: query, variables: .object([]))
    let data = object(plan.root, "Query", mark: offset, at: .root, &errors)
    return (data, errors)
  }

  private func object(
    _ node: PlanNode, _ typename: String, mark: Int, at path: ResponsePath, _ errors: inout [GraphQLError]
  ) -> JSONValue {
    .object(
      node.fields(for: typename).fields.map { field in
        let place = path.appending(.key(field.responseKey))
        return (field.responseKey, value(field, mark, at: place, &errors))
      })
  }

  private func value(
    _ field: PlanField, _ mark: Int, at path: ResponsePath, _ errors: inout [GraphQLError]
  ) -> JSONValue {
    let name = field.field.name
    // Whether a field fails depends only on its object, so that all queries get the same results.
    if failing > 0, ["note", "rank", "material", "eggs", "nest"].contains(name),
      (mark &* 31 &+ name.utf8.count &* 7 &+ salt) % failing == 0
    {
      errors.append(GraphQLError(message: "failed", path: path))
      return .null
    }
    func object(_ typename: String, _ mark: Int, _ path: ResponsePath) -> JSONValue {
      field.child.map { self.object($0, typename, mark: mark, at: path, &errors) } ?? .null
    }
    switch name {
    case "__typename": return JSONValue(field.responseKey == "__typename" ? typename(at: path) : "")
    case "id": return JSONValue("\(mark % 10)")
    case "cursor", "note", "material": return JSONValue("mark \(mark)")
    case "rank", "eggs": return JSONValue(mark)
    case "birds": return object("BirdConnection", mark, path)
    case "bird": return object("Bird", offset + 1, path)
    case "node": return object("Bird", mark, path)
    case "nest": return object("Nest", 50, path)
    case "edges": return .array((0..<counts[0]).map { object("BirdEdge", 10 + nodes[$0], path.appending(.index($0))) })
    case "tracks":
      return .array(
        (0..<counts[1]).map { row in
          .array([object("Nest", offset + 20 + row, path.appending(.index(row)).appending(.index(0)))])
        })
    default: return .null
    }
  }

  private func typename(at path: ResponsePath) -> String {
    let keys = path.components.dropLast().compactMap { if case .key(let key) = $0 { key } else { nil } }
    return switch keys.last {
    case "birds": "BirdConnection"
    case "edges": "BirdEdge"
    case "nest", "tracks": "Nest"
    case "node", "bird": "Bird"
    default: "Query"
    }
  }
}
