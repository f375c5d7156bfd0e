import ApusExplorerCore
import ApusGraphQLSchema

/// Derives an example query from a schema: one root field, preferably a list, with a few of its fields.
package enum ExampleQuery {
  package static func derive(from schema: Schema) -> String? {
    guard let root = schema.queryType else { return nil }
    let candidates = root.fields.filter { field in
      field.arguments.allSatisfy { !$0.isRequired } && !field.name.hasPrefix("__")
    }
    let best = candidates.enumerated().max { left, right in
      (score(left.element), -left.offset) < (score(right.element), -right.offset)
    }
    guard let field = best?.element else { return "query {\n  __typename\n}\n" }
    // The operation has a name, so that the user can add others to the document.
    var lines = ["query \(field.name.prefix(1).uppercased())\(field.name.dropFirst()) {"]
    write(field, indent: "  ", depth: 0, into: &lines)
    lines.append("}")
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns a field's rank: connections first, then lists of objects, then objects.
  private static func score(_ field: FieldDefinition) -> Int {
    guard let type = field.type.definition, type.isComposite else { return 0 }
    if field.deprecationReason != nil { return 0 }
    if isConnection(type) { return 4 }
    if field.type.isList { return 3 }
    return type.isAbstract ? 1 : 2
  }

  private static func isConnection(_ type: TypeDefinition) -> Bool {
    type.field(named: "pageInfo") != nil && (type.field(named: "edges") ?? type.field(named: "nodes")) != nil
  }

  private static func write(_ field: FieldDefinition, indent: String, depth: Int, into lines: inout [String]) {
    let first = field.arguments.first { $0.name == "first" && $0.type.name == "Int" }
    let call = first == nil ? field.name : "\(field.name)(first: 10)"
    guard let type = field.type.definition, type.isComposite else { return lines.append(indent + call) }
    lines.append("\(indent)\(call) {")
    let inner = indent + "  "
    if isConnection(type) {
      writeConnection(type, indent: inner, into: &lines)
    } else {
      writeSelections(of: type, indent: inner, depth: depth, into: &lines)
    }
    lines.append("\(indent)}")
  }

  private static func writeConnection(_ type: TypeDefinition, indent: String, into lines: inout [String]) {
    let edge = type.field(named: "edges")?.type.definition
    if let node = edge?.field(named: "node")?.type.definition, node.isComposite {
      lines += ["\(indent)edges {", "\(indent)  node {"]
      writeSelections(of: node, indent: indent + "    ", depth: 1, into: &lines)
      lines += ["\(indent)  }", "\(indent)}"]
    } else if let node = type.field(named: "nodes")?.type.definition, node.isComposite {
      lines.append("\(indent)nodes {")
      writeSelections(of: node, indent: indent + "  ", depth: 1, into: &lines)
      lines.append("\(indent)}")
    }
    if let info = type.field(named: "pageInfo")?.type.definition {
      let names = ["hasNextPage", "endCursor"].filter { info.field(named: $0) != nil }
      lines.append("\(indent)pageInfo { \(names.isEmpty ? "__typename" : names.joined(separator: " ")) }")
    }
  }

  /// Writes up to six leaf fields and, at the top level, the first object field with its leaves.
  private static func writeSelections(
    of type: TypeDefinition, indent: String, depth: Int, into lines: inout [String]
  ) {
    let usable = type.fields.filter { field in
      field.deprecationReason == nil && field.arguments.allSatisfy { !$0.isRequired }
    }
    let preferred = ["id", "name", "title", "login", "slug"]
    let all = usable.filter { $0.type.definition?.isLeaf ?? true }
    // Identifying fields come first, then the others in the schema's order.
    let leaves =
      (preferred.compactMap { name in all.first { $0.name == name } } + all.filter { !preferred.contains($0.name) })
      .prefix(6)
    if type.isAbstract || leaves.isEmpty { lines.append("\(indent)__typename") }
    for leaf in leaves { lines.append(indent + leaf.name) }
    guard depth == 0 else { return }
    let next = usable.first { field in
      guard let definition = field.type.definition else { return false }
      return definition.isComposite && !isConnection(definition)
    }
    if let next { write(next, indent: indent, depth: depth + 1, into: &lines) }
  }
}
