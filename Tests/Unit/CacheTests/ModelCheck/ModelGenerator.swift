import ApusClientOperation
import ApusJSON
import ApusTestSupport

@testable import ApusClientCache

/// Generates the next step of a model check. Most steps are based on the records of the model, so that they have an effect.
struct ModelGenerator {
  private var random: SplitMix

  init(seed: UInt64) { random = SplitMix(seed: seed) }

  mutating func move(_ number: Int, _ check: ModelCheck) -> ModelMove {
    var move = ModelMove(step: step(check))
    // Most steps are not compared. Every fourth reads an operation, and some compare everything.
    let operation = Int.random(in: 0..<ModelCheck.queries.count, using: &random)
    if number % 4 == 0 { move.look = ModelMove.Look(operation: operation, allowsStale: isOne(in: 6)) }
    move.isThorough = number % 128 == 0
    return move
  }

  private mutating func isOne(in count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

  private mutating func step(_ check: ModelCheck) -> ModelStep {
    switch Int.random(in: 0..<60, using: &random) {
    case 0: return isOne(in: 2) ? .clear : .byAnother(.clear)
    case 1...10: return .pass(seconds: UInt32.random(in: 1...20, using: &random))
    case 11, 12: return .collect(retaining: isOne(in: 2) ? nil : operations())
    case 13...16: return .trim(to: Int.random(in: 0...1200, using: &random), keeping: isOne(in: 2) ? [] : operations())
    case 17...19 where check.layerCount < 3: return .layOver(response(check))
    case 20 where check.layerCount < 3:
      return .layModification(birdKey(), field: "age", JSONValue(Int.random(in: 0...9, using: &random)))
    case 17...23: return .rollBack(Int.random(in: 0..<3, using: &random))
    case 24, 25:
      return .transaction((0..<Int.random(in: 1...3, using: &random)).map { _ in change(check) })
    case 26...31: return .byAnother(change(check))
    case 32: return .byAnother(update())
    case 33...36: return update()
    case 37: return together()
    default: return change(check)
    }
  }

  private mutating func change(_ check: ModelCheck) -> ModelStep {
    let model = check.model
    let keys = model.records.keys.sorted()
    switch Int.random(in: 0..<36, using: &random) {
    case 0...4: return .evict(keys.randomElement(using: &random) ?? "Bird:9")
    case 5...9:
      let key = keys.randomElement(using: &random) ?? "QUERY_ROOT"
      let field = model.records[key]?.keys.sorted().randomElement(using: &random) ?? "name"
      return .evictField(key, field: isOne(in: 2) ? String(field.prefix { $0 != "(" }) : field)
    case 10: return .evictCascading(keys.randomElement(using: &random) ?? "Bird:9")
    case 11: return .evictPattern(["Bird:?", "Station:*", "*:2", "*.nest"].randomElement(using: &random) ?? "")
    case 12: return .evictType(isOne(in: 2) ? "Bird" : "Station")
    case 13...15:
      let field = ["age", "name", "tags", "wild", "nest"].randomElement(using: &random) ?? ""
      let value = isOne(in: 6) ? nil : isOne(in: 2) ? 7 : CacheModel.randomScalar(using: &random)
      return .modify(birdKey(), field: field, value)
    default: return .write(response(check))
    }
  }

  private mutating func update() -> ModelStep {
    .update(
      operation: ModelCheck.updatable[Int.random(in: 0..<ModelCheck.updatable.count, using: &random)],
      place: Int.random(in: 0..<12, using: &random), CacheModel.randomScalar(using: &random))
  }

  private mutating func together() -> ModelStep {
    let fields = ["age", "name", "weight"]
    let steps = (1...4).flatMap { bird in
      fields.filter { _ in isOne(in: 2) }.map { ModelStep.modify("Bird:\(bird)", field: $0, .some(JSONValue(bird))) }
    }
    return .together(steps, then: .modify(birdKey(), field: "wild", true))
  }

  private mutating func birdKey() -> String { "Bird:\(Int.random(in: 1...4, using: &random))" }

  private mutating func operations() -> [Int] {
    (0..<Int.random(in: 0...2, using: &random)).map { _ in Int.random(in: 0..<ModelCheck.queries.count, using: &random)
    }
  }

  private mutating func response(_ check: ModelCheck) -> ModelResponse {
    let operation = Int.random(in: 0..<ModelCheck.queries.count, using: &random)
    let plan = ModelCheck.queries[operation].plan
    let root = plan.root
    var data = check.model.randomData(root, typename: "Query", using: &random)
    var failing = FailingFragments(plan: plan, frequency: 3)
    data = failing.remove(from: data, using: &random)
    var response = ModelResponse(operation: operation, data: data, failedFragments: failing.failed)
    if isOne(in: 4) {
      response.errors = ModelResponse.nulls(in: data, []).filter { _ in isOne(in: 2) }.map { ResponsePath($0) }
      if isOne(in: 4) { response.vaguePath = .some(vaguePath(root, data)) }
    }
    guard response.errors.isEmpty, response.vaguePath == nil, isOne(in: 3) else { return response }
    response.isPartial = isOne(in: 2)
    if isOne(in: 2) {
      let all = Self.places(in: data, [])
      response.places = (0..<Int.random(in: 0...2, using: &random)).compactMap { _ in
        all.randomElement(using: &random).map { ResponsePath($0) }
      }
    }
    return response
  }

  /// Returns an error path that leads to no null: none, an empty one, one that starts with the name of a type, or one that
  /// has a field name instead of its alias.
  private mutating func vaguePath(_ root: PlanNode, _ data: JSONValue) -> ResponsePath? {
    let field = root.fields(for: "Query").fields.first?.responseKey ?? ""
    var paths: [ResponsePath?] = [nil, [], [.key("Query"), .key(field)], ["photo"]]
    // If the field is null or missing, the path would be valid.
    if data[field]?.isNull == false { paths.append([.key(field), 9, "name"]) }
    return paths.randomElement(using: &random) ?? nil
  }

  /// Returns the paths of all objects and lists in a response.
  private static func places(in value: JSONValue, _ path: [PathComponent]) -> [[PathComponent]] {
    switch value.kind {
    case .object: [path] + value.members.flatMap { places(in: $0.value, path + [.key($0.key)]) }
    case .array: [path] + value.elements.enumerated().flatMap { places(in: $0.element, path + [.index($0.offset)]) }
    default: []
    }
  }
}
