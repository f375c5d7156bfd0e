import ApusGraphQLLanguage

/// Introspection goes through few lists of types, one in the other, since each multiplies what a server must say.
///
/// No section of the specification; the reference implementation recommends it, and the limit is its.
enum MaxIntrospectionDepthRule: ValidationRule {
  static var needsSchema: Bool { false }

  private static let maximumLists = 3
  private static let lists: Set<String> = ["fields", "interfaces", "possibleTypes", "inputFields"]

  static func check(_ context: ValidationContext) {
    var reported = 0 as NodeID
    for field in context.fields {
      let name = context.name(context.fieldName(field))
      // What is in a field that was reported is no news.
      guard name == "__schema" || name == "__type", field >= reported, isTooDeep(field, context) else { continue }
      context.report("Maximum introspection depth exceeded", field)
      reported = context.next(field)
    }
  }

  /// A search that looks into a fragment again only where it is met at a greater depth than before.
  private static func isTooDeep(_ root: NodeID, _ context: ValidationContext) -> Bool {
    var depthOfFragment: [NodeID: Int] = [:]
    var pending = [(node: root, depth: 0)]
    while let (node, depth) = pending.popLast() {
      guard let set = context.child(node, .selectionSet) else { continue }
      for selection in context.document.children(of: set) {
        switch context.kind(selection) {
        case .field:
          let isList = lists.contains(context.name(context.fieldName(selection)))
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
