import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Introspection must not nest lists of types too deeply, because each level multiplies the size of the response.
/// Invalid: `{ __type(name: "Bird") { fields { type { fields { type { fields { name } } } } } } }`.
///
/// This rule is not in the specification. The reference implementation recommends it and sets the limit.
enum MaxIntrospectionDepthRule: ValidationRule {
  static var needsSchema: Bool { false }

  private static let maximumLists = 3

  static func check(_ context: ValidationContext) {
    let roots = ["__schema", "__type"].compactMap { context.names.find($0) }
    let lists = ["fields", "interfaces", "possibleTypes", "inputFields"].compactMap { context.names.find($0) }
    guard !roots.isEmpty, !lists.isEmpty else { return }
    var reported = 0 as NodeID
    for field in context.fields {
      // Fields inside a reported field are not reported again.
      guard roots.contains(context.nameID(of: field.name)), field.id >= reported,
        isTooDeep(field, lists, context)
      else { continue }
      context.report("Maximum introspection depth exceeded", field)
      reported = field.node.next
    }
  }

  /// Whether lists nest too deeply below a field. A fragment is visited again only at a greater depth than before.
  private static func isTooDeep(_ root: FieldNode, _ lists: [NameID], _ context: ValidationContext) -> Bool {
    var depthOfFragment: [NodeID: Int] = [:]
    var pending = root.selectionSet.map { [(set: $0, depth: 0)] } ?? []
    while let (set, depth) = pending.popLast() {
      for selection in set.selections {
        guard context.spend(4) else { return false }
        switch selection {
        case .field(let field):
          let isList = lists.contains(context.nameID(of: field.name))
          if isList, depth + 1 >= maximumLists { return true }
          if let inner = field.selectionSet { pending.append((inner, isList ? depth + 1 : depth)) }
        case .fragmentSpread(let spread):
          guard let fragment = context.fragment(of: spread), depthOfFragment[fragment.id, default: -1] < depth else {
            continue
          }
          depthOfFragment[fragment.id] = depth
          pending.append((fragment.selectionSet, depth))
        case .inlineFragment(let fragment): pending.append((fragment.selectionSet, depth))
        }
      }
    }
    return false
  }
}
