import ApusExplorerCore
import ApusGraphQLSchema

/// The shortest path of fields from a root type to a type.
struct ShortestQuery {
  private let schema: Schema
  private let root: TypeDefinition
  private let keyword: String
  /// The fields from the root, each with a type condition if its type is abstract.
  private var steps: [(field: FieldDefinition, condition: TypeDefinition?)] = []

  init?(to type: TypeDefinition, in schema: Schema) {
    self.schema = schema
    if type == schema.mutationType || type == schema.subscriptionType {
      root = type
      keyword = type == schema.mutationType ? "mutation" : "subscription"
      return
    }
    guard let query = schema.queryType, type.isComposite else { return nil }
    root = query
    keyword = "query"
    var before: [UInt32: (type: TypeDefinition, field: FieldDefinition, condition: TypeDefinition?)] = [:]
    var open = [query]
    var next = 0
    while next < open.count, before[type.index] == nil, type != query {
      let owner = open[next]
      next += 1
      for field in owner.fields {
        guard let inner = field.type.definition, inner.isComposite else { continue }
        for (target, condition) in [(inner, nil)] + (inner.isAbstract ? inner.possibleTypes.map { ($0, $0) } : [])
        where target != query && before[target.index] == nil {
          before[target.index] = (owner, field, condition)
          open.append(target)
        }
      }
    }
    var current = type
    while current != query {
      guard let step = before[current.index] else { return nil }
      steps.insert((step.field, step.condition), at: 0)
      current = step.type
    }
  }

  /// Returns an operation that selects a field or a value of a type; nil if no query reaches it.
  static func query(for link: SchemaPageLink, in schema: Schema) -> String? {
    guard let type = schema.type(named: link.page), var way = ShortestQuery(to: type, in: schema) else { return nil }
    if let member = link.member { return type.field(named: member).map { way.query(for: $0, as: nil) } }
    guard let last = way.steps.popLast() else { return nil }
    return way.query(for: last.field, as: last.condition)
  }

  /// Returns an operation that selects a field, optionally with a type condition, and declares variables for required
  /// arguments.
  private func query(for field: FieldDefinition, as condition: TypeDefinition?) -> String {
    var variables: [String] = []
    func call(_ field: FieldDefinition) -> String {
      let arguments = field.arguments.filter(\.isRequired).map { argument in
        let name =
          variables.contains { $0.hasPrefix("$\(argument.name):") } ? "\(field.name)_\(argument.name)" : argument.name
        variables.append("$\(name): \(argument.type)")
        return "\(argument.name): $\(name)"
      }
      return field.name + (arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))")
    }
    var opening: [String] = []
    for step in steps {
      opening.append(call(step.field))
      if let condition = step.condition { opening.append("... on \(condition.name)") }
    }
    if condition != nil { opening.append(call(field)) }
    var lines: [String] = []
    for (depth, text) in opening.enumerated() { lines.append(margin(depth + 1) + text + " {") }
    let depth = opening.count + 1
    let leaves = leafNames(condition ?? field.type.definition)
    let last = condition.map { "... on \($0.name)" } ?? call(field)
    if leaves.isEmpty {
      lines.append(margin(depth) + last)
    } else {
      lines.append(margin(depth) + last + " {")
      lines += leaves.map { margin(depth + 1) + $0 }
      lines.append(margin(depth) + "}")
    }
    for level in stride(from: opening.count, to: 0, by: -1) { lines.append(margin(level) + "}") }
    let name = field.name.prefix(1).uppercased() + field.name.dropFirst()
    let declared = variables.isEmpty ? "" : "(\(variables.joined(separator: ", ")))"
    return "\(keyword) \(name)\(declared) {\n\(lines.joined(separator: "\n"))\n}"
  }

  private func margin(_ depth: Int) -> String { String(repeating: "  ", count: depth) }

  private func leafNames(_ type: TypeDefinition?) -> [String] {
    guard let type, type.isComposite else { return [] }
    let names = type.fields.filter {
      $0.type.definition?.isLeaf ?? false && !$0.isDeprecated && !$0.arguments.contains(where: \.isRequired)
    }.prefix(8).map(\.name)
    return names.isEmpty ? ["__typename"] : Array(names)
  }
}
