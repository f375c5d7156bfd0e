import ApusGraphQLExecution
import ApusGraphQLSchema
import ApusJSON

/// An executable schema whose data is generated on access. The result of a field, which may be an error, depends only
/// on the object's number and the field's name.
struct GeneratedForest {
  static let sdl = """
    interface Node { id: ID! name: String }
    type Tree implements Node {
      id: ID! name: String value: Int child: Tree firm: Tree! kids: [Tree] many: [Tree!]! leaf: Leaf tags: [String!]
      node: Node kin: [Node] broken: String fatal: String!
    }
    type Leaf implements Node { id: ID! name: String size: Int tree: Tree broken: String fatal: String! }
    type Query { tree: Tree leaf: Leaf node: Node kin: [Node] many: [Tree!]! }
    """
  static let schema = Schema.load(sdl: sdl)

  private static let executor = makeExecutor()

  let seed: UInt64

  /// Executes a request on the data of the seed.
  func execute(_ request: ExecutionRequest) async -> ExecutionResponse {
    await Self.executor.execute(request, on: Plant(number: seed))
  }

  private struct Plant: Sendable {
    let number: UInt64

    /// Returns a number below `bound` that depends only on this object and the name.
    func pick(_ name: String, _ bound: UInt64) -> UInt64 { Self.mix(number, name) % bound }

    func grow(_ name: String) -> Plant { Plant(number: Self.mix(number, "grow " + name)) }

    private static func mix(_ seed: UInt64, _ text: String) -> UInt64 {
      var hash = seed ^ 0xcbf2_9ce4_8422_2325
      for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      hash ^= hash >> 33
      hash = hash &* 0xff51_afd7_ed55_8ccd
      return hash ^ hash >> 33
    }
  }

  private static func makeExecutor() -> Executor {
    var resolvers = Resolvers()
    for type in ["Query", "Tree", "Leaf"] {
      for field in GeneratedForest.schema.type(named: type)?.fields ?? [] {
        let name = field.name
        let resolve: @Sendable (FieldContext) throws -> ResolvedValue = { context in
          try value(of: name, try context.source(as: Plant.self))
        }
        // Some fields are asynchronous, so that payloads arrive in another order than their fragments.
        if name.utf8.count % 2 == 0 {
          resolvers.field(type, name, resolve)
        } else {
          resolvers.asyncField(type, name) { context in
            await Task.yield()
            return try resolve(context)
          }
        }
      }
    }
    return Executor(schema: GeneratedForest.schema, resolvers: resolvers)
  }

  private static func value(of name: String, _ plant: Plant) throws -> ResolvedValue {
    switch name {
    case "id": return .string("\(plant.number % 1_000_000)")
    case "name": return plant.pick(name, 5) == 0 ? .null : .string("n\(plant.number % 1000)")
    case "value", "size": return .int(Int(plant.pick(name, 1000)))
    case "tags": return .list((0..<plant.pick(name, 3)).map { .string("t\($0)") })
    case "broken", "fatal":
      guard plant.pick(name, 3) == 0 else { throw ExecutionError("\(name) here") }
      return .string("whole")
    case "kids", "many", "kin":
      return .list(
        (0..<plant.pick(name, 4)).map { index in
          name != "many" && plant.pick("\(name)\(index) is null", 6) == 0
            ? .null : tree(name, plant.grow("\(name)\(index)"))
        })
    case "firm": return tree(name, plant.grow(name))
    default: return plant.pick(name, 6) == 0 ? .null : tree(name, plant.grow(name))
    }
  }

  private static func tree(_ name: String, _ plant: Plant) -> ResolvedValue {
    switch name {
    case "leaf": .object(plant, type: "Leaf")
    case "node", "kin": .object(plant, type: plant.pick("type", 2) == 0 ? "Tree" : "Leaf")
    default: .object(plant, type: "Tree")
    }
  }
}
