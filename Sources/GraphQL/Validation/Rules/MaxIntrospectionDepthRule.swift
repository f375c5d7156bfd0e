import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Introspection must not nest lists of types too deeply, because each level multiplies the size of the response.
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
      guard roots.contains(context.fieldNameID(of: field)), field >= reported,
        isTooDeep(field, lists, context)
      else { continue }
      context.report("Maximum introspection depth exceeded", field)
      reported = context.next(field)
    }
  }

  /// Whether lists nest too deeply below a field. A fragment is visited again only at a greater depth than before.
  private static func isTooDeep(_ root: NodeID, _ lists: [NameID], _ context: ValidationContext) -> Bool {
    var depthOfFragment: [NodeID: Int] = [:]
    var pending = [(node: root, depth: 0)]
    while let (node, depth) = pending.popLast() {
      guard let set = context.selectionSet(of: node) else { continue }
      for selection in context.document.children(of: set) {
        guard context.spend(4) else { return false }
        switch context.kind(selection) {
        case .field:
          let isList = lists.contains(context.fieldNameID(of: selection))
          if isList, depth + 1 >= maximumLists { return true }
          pending.append((selection, isList ? depth + 1 : depth))
        case .fragmentSpread:
          guard let fragment = context.fragment(of: selection), depthOfFragment[fragment, default: -1] < depth else {
            continue
          }
          depthOfFragment[fragment] = depth
          pending.append((fragment, depth))
        default: pending.append((selection, depth))
        }
      }
    }
    return false
  }
}
