import ApusClientOperation
import ApusJSON
import ApusTestSupport

/// Random responses.
extension CacheModel {
  /// Returns a random response: few different birds and stations, so that operations share records; sometimes null,
  /// sometimes without a field as in an initial result, and sometimes contradicting the schema.
  func randomData(_ node: PlanNode, typename: String, using random: inout SplitMix) -> JSONValue {
    var members: [(String, JSONValue)] = []
    for field in node.fields(for: typename).fields {
      switch field.field.name {
      case "__typename": members.append((field.responseKey, JSONValue(typename)))
      case "id":
        // One of the ids is always sent as a number.
        let number = Int.random(in: 1...4, using: &random)
        members.append((field.responseKey, number == 4 ? JSONValue(number) : JSONValue("\(number)")))
      default:
        if isOne(in: 12, &random) { continue }
        members.append((field.responseKey, randomValue(field, using: &random)))
      }
    }
    return .object(members)
  }

  private func isOne(in count: Int, _ random: inout SplitMix) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

  /// Returns any value except an object.
  static func randomScalar(using random: inout SplitMix) -> JSONValue {
    let choices: [JSONValue] = [
      1, 2, 1.5, true, "short", "a text that is longer than a slot", .null, .array([1, "x"]), .array(["x", .null]),
      .array(["x"]),
    ]
    return choices[Int.random(in: 0..<choices.count, using: &random)]
  }

  private func randomValue(_ field: PlanField, using random: inout SplitMix) -> JSONValue {
    if isOne(in: 12, &random) { return .null }
    if isOne(in: 24, &random) { return Self.randomScalar(using: &random) }
    guard let type = field.type else { return Self.randomScalar(using: &random) }
    return randomValue(type, field.child, using: &random)
  }

  private func randomValue(_ type: CompiledType, _ child: PlanNode?, using random: inout SplitMix) -> JSONValue {
    switch type {
    case .nonNull(let inner): return randomValue(inner, child, using: &random)
    case .list(let inner):
      let count = Int.random(in: 0...3, using: &random)
      return .array(
        (0..<count).map { _ in isOne(in: 24, &random) ? .null : randomValue(inner, child, using: &random) })
    case .named(let name, _):
      guard let child else { return randomScalar(named: name, using: &random) }
      let isAnother = isOne(in: 40, &random)
      let typename = name == "Found" || isAnother ? (Bool.random(using: &random) ? "Bird" : "Station") : name
      return randomData(child, typename: typename, using: &random)
    }
  }

  private func randomScalar(named name: String, using random: inout SplitMix) -> JSONValue {
    switch name {
    case "Int": JSONValue(Int.random(in: 0...9, using: &random))
    case "Float": isOne(in: 2, &random) ? 1.5 : 2
    case "Boolean": JSONValue(Bool.random(using: &random))
    case "String", "Kind": isOne(in: 2, &random) ? "short" : "a text that is longer than a slot"
    default: Self.randomScalar(using: &random)
    }
  }
}
