import GraphQLLanguage

/// A directive that is not repeatable stands once at a place.
///
/// Specification: Directives Are Unique per Location.
enum UniqueDirectivesPerLocationRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    var first: [UInt32: NodeID] = [:]
    var owner: NodeID?
    // The directives of one node may be parted by those of its children, but never mixed with them.
    for (directive, place) in zip(context.directives, context.directiveOwners) {
      if place.node != owner { first.removeAll(keepingCapacity: true) }
      owner = place.node
      let meaning = context.meaning[Int(directive)]
      guard meaning >= 0, !context.storage.directives[Int(meaning)].isRepeatable else { continue }
      let name = context.nameOf[Int(directive) + 1]
      if let earlier = first[name] {
        context.report(
          "The directive \"@\(context.names[name])\" can only be used once at this location.", earlier, directive)
      } else {
        first[name] = directive
      }
    }
  }
}
