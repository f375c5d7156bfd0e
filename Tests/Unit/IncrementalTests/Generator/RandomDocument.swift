import ApusTestSupport

/// Generates documents with nested deferred fragments, streams and errors.
struct RandomDocument {
  private var random: SplitMix
  private var labels = 0
  private var aliases = 0
  private var fragments: [String] = []
  /// Whether all deferred fragments have labels and all objects `__typename`, so that fragments cannot be confused.
  private let isPlain: Bool

  private static let scalars = [
    "Query": ["__typename"], "Tree": ["id", "name", "value", "tags", "__typename"],
    "Leaf": ["id", "name", "size", "__typename"], "Node": ["id", "name", "__typename"],
  ]
  private static let objects = [
    "Query": [("tree", "Tree"), ("leaf", "Leaf"), ("node", "Node"), ("kin", "Node"), ("many", "Tree")],
    "Tree": [
      ("child", "Tree"), ("firm", "Tree"), ("kids", "Tree"), ("many", "Tree"), ("leaf", "Leaf"), ("node", "Node"),
      ("kin", "Node"),
    ],
    "Leaf": [("tree", "Tree")], "Node": [],
  ]
  private static let lists: Set<String> = ["kids", "many", "kin"]

  private init(_ random: SplitMix, isPlain: Bool) {
    self.random = random
    self.isPlain = isPlain
  }

  static func text(_ random: inout SplitMix, isPlain: Bool) -> String {
    var writer = RandomDocument(random, isPlain: isPlain)
    let selections = writer.selections(on: "Query", depth: 3)
    random = writer.random
    return (["query($on: Boolean = true) { __typename \(selections) }"] + writer.fragments).joined(separator: "\n")
  }

  private mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

  private mutating func selections(on type: String, depth: Int) -> String {
    let scalars = Self.scalars[type] ?? []
    let objects = Self.objects[type] ?? []
    var parts = isPlain ? ["__typename"] : []
    for _ in 0..<(1 + below(3)) {
      let roll = below(10)
      if roll < 2 || depth == 0 {
        parts.append(scalars[below(scalars.count)])
      } else if roll < 6, !objects.isEmpty {
        let (name, inner) = objects[below(objects.count)]
        parts.append(field(name, selections(on: inner, depth: depth - 1)))
      } else if roll == 6, type == "Tree" || type == "Leaf" {
        parts.append(below(3) == 0 ? "fatal" : "broken")
      } else {
        parts.append(fragment(on: type, depth: depth))
      }
    }
    return parts.joined(separator: " ")
  }

  private mutating func field(_ name: String, _ selections: String) -> String {
    guard Self.lists.contains(name), below(2) == 0 else { return "\(name) { \(selections) }" }
    aliases += 1
    return "s\(aliases): \(name) @stream(initialCount: \(below(3)), label: \"\(label())\") { \(selections) }"
  }

  private mutating func fragment(on type: String, depth: Int) -> String {
    let types = ["Tree", "Leaf", "Node"]
    let condition = type == "Node" ? types[below(3)] : type
    let body = selections(on: condition, depth: depth - 1)
    let directive = deferral()
    guard below(3) == 0 else { return "... on \(condition) \(directive) { \(body) }" }
    fragments.append("fragment F\(fragments.count) on \(condition) { \(body) }")
    return "...F\(fragments.count - 1) \(directive)"
  }

  private mutating func deferral() -> String {
    switch below(8) {
    case 0: ""
    case 1: "@defer(if: false, label: \"\(label())\")"
    case 2: "@defer(if: $on, label: \"\(label())\")"
    case 3 where !isPlain: "@defer"
    default: "@defer(label: \"\(label())\")"
    }
  }

  private mutating func label() -> String {
    labels += 1
    return "L\(labels)"
  }
}
