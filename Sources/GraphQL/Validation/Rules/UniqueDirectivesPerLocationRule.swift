import ApusGraphQLLanguage

/// A directive that is not repeatable must be used at most once per location.
///
/// Specification: Directives Are Unique per Location.
enum UniqueDirectivesPerLocationRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    var first: [UInt64: NodeID] = [:]
    let original = originals(context)
    for (directive, place) in zip(context.directives, context.directiveOwners) {
      guard context.directiveDefinition(of: directive)?.isRepeatable == false else { continue }
      let name = context.nameID(of: directive)
      let key = UInt64(original[place.node] ?? place.node) << 32 | UInt64(name)
      if let earlier = first[key] {
        context.report(
          "The directive \"@\(context.names[name])\" can only be used once at this location.", earlier, directive)
      } else {
        first[key] = directive
      }
    }
  }

  /// Maps extensions to the definition that they extend, because both count as one location.
  private static func originals(_ context: ValidationContext) -> [NodeID: NodeID] {
    var first: [UInt32: NodeID] = [:]
    var original: [NodeID: NodeID] = [:]
    for type in context.typeDefinitions {
      let name = context.nameOf[context.bodyID(type)]
      if let earlier = first[name] { original[type] = earlier } else { first[name] = type }
    }
    first.removeAll()
    for directive in context.directiveDefinitions {
      let name = context.nameOf[context.bodyID(directive)]
      if let earlier = first[name] { original[directive] = earlier } else { first[name] = directive }
    }
    for schema in context.schemaDefinitions { original[schema] = context.schemaDefinitions.first }
    return original
  }
}
