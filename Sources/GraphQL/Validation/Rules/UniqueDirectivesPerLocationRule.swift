import ApusGraphQLLanguage
import ApusGraphQLSchema

/// A directive that is not repeatable must be used at most once per location. Invalid:
/// `name @skip(if: $a) @skip(if: $b)`.
///
/// Specification: Directives Are Unique per Location.
enum UniqueDirectivesPerLocationRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    var first: [UInt64: DirectiveNode] = [:]
    let originals = originals(context)
    for directive in context.directives {
      guard let definition = context.directiveDefinition(of: directive.node), !definition.isRepeatable else { continue }
      let key = UInt64(originals[directive.ownerID] ?? directive.ownerID) << 32 | UInt64(definition.nameID)
      if let earlier = first[key] {
        context.report(
          "The directive \"@\(definition.name)\" can only be used once at this location.", earlier, directive.node)
      } else {
        first[key] = directive.node
      }
    }
  }

  /// Maps extensions to the definition that they extend, because both count as one location.
  private static func originals(_ context: ValidationContext) -> [NodeID: NodeID] {
    var original: [NodeID: NodeID] = [:]
    func add(_ definitions: [(node: NodeID, name: NameID)]) {
      var first: [NameID: NodeID] = [:]
      for (node, name) in definitions {
        if let earlier = first[name] { original[node] = earlier } else { first[name] = node }
      }
    }
    add(context.typeDefinitions.map { ($0.id, context.nameID(of: $0.name)) })
    add(context.directiveDefinitions.map { ($0.id, context.nameID(of: $0.name)) })
    add(context.schemaDefinitions.map { ($0.id, ValidationContext.none) })
    return original
  }
}
