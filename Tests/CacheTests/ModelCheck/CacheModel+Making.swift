import ClientOperation
import JSON
import TestSupport

/// Responses that are made up.
extension CacheModel {
  /// A response of this shape: small numbers of birds and stations, so that operations meet; sometimes null, sometimes
  /// with a field left out, as in a part of a response.
  func randomData(_ node: PlanNode, typename: String, using random: inout SplitMix) -> JSONValue {
    var members: [(String, JSONValue)] = []
    for field in node.fields(for: typename).fields {
      switch field.field.name {
      case "__typename": members.append((field.responseKey, JSONValue(typename)))
      case "id": members.append((field.responseKey, JSONValue("\(Int.random(in: 1...4, using: &random))")))
      default:
        if Int.random(in: 0..<12, using: &random) == 0 { continue }
        members.append((field.responseKey, randomValue(field, using: &random)))
      }
    }
    return .object(members)
  }

  private func randomValue(_ field: PlanField, using random: inout SplitMix) -> JSONValue {
    if Int.random(in: 0..<10, using: &random) == 0 { return .null }
    guard let child = field.child else {
      let choices: [JSONValue] = [1, "short", "a text that is longer than a slot", .array([1, "x"])]
      return choices[Int.random(in: 0..<choices.count, using: &random)]
    }
    var depth = 0
    var type = field.type?.nullable
    while case .list(let inner)? = type {
      depth += 1
      type = inner.nullable
    }
    return randomList(child, depth: depth, type: field.type?.name ?? "Bird", using: &random)
  }

  private func randomList(_ node: PlanNode, depth: Int, type: String, using random: inout SplitMix) -> JSONValue {
    if depth > 0 {
      let count = Int.random(in: 0...3, using: &random)
      return .array((0..<count).map { _ in randomList(node, depth: depth - 1, type: type, using: &random) })
    }
    let name = type == "Found" ? (Bool.random(using: &random) ? "Bird" : "Station") : type
    return randomData(node, typename: name, using: &random)
  }
}
