import ApusGraphQLLanguage
import ApusGraphQLSchema

// Directive definitions.
extension SchemaComparison {
  mutating func compareDirectives() {
    for directive in old.directives where isKnown(directive, in: old) && isComparable(directive) {
      guard let now = new.directive(named: directive.name), isKnown(now, in: new) else {
        add(
          .directiveRemoved, .directive(directive.name), "Directive @\(directive.name) was removed.",
          old: "@\(directive.name)")
        continue
      }
      compare(directive, now)
    }
    for directive in new.directives where isKnown(directive, in: new) && isComparable(directive) {
      if let before = old.directive(named: directive.name), isKnown(before, in: old) { continue }
      add(
        .directiveAdded, .directive(directive.name), "Directive @\(directive.name) was added.",
        new: "@\(directive.name)")
    }
  }

  /// Whether a definition is present. SDL may omit the specified directives, so their absence has no meaning, unless
  /// both schemas are introspection results, which list all directives.
  private func isKnown(_ directive: DirectiveDefinition, in schema: Schema) -> Bool {
    guard directive.isImplied else { return true }
    return directive.isSpecified && !(old.isIntrospected && new.isIntrospected)
  }

  /// Whether the definitions can be compared. An implied directive in SDL has no definition to compare with an
  /// introspected one.
  private func isComparable(_ directive: DirectiveDefinition) -> Bool {
    guard directive.isSpecified, old.isIntrospected != new.isIntrospected else { return true }
    return [old, new].allSatisfy { $0.directive(named: directive.name)?.isImplied == false }
  }

  private mutating func compare(_ old: DirectiveDefinition, _ new: DirectiveDefinition) {
    let coordinate = SchemaCoordinate.directive(old.name)
    for argument in new.arguments where old.argument(named: argument.name) == nil {
      let coordinate = SchemaCoordinate.directiveArgument(argument.name, directive: old.name)
      if argument.isRequired {
        add(
          .requiredDirectiveArgumentAdded, coordinate, "A required argument \(coordinate) was added.",
          new: "\(argument.type)")
      } else {
        add(
          .optionalDirectiveArgumentAdded, coordinate, "An optional argument \(coordinate) was added.",
          new: "\(argument.type)")
      }
    }
    for argument in old.arguments {
      let coordinate = SchemaCoordinate.directiveArgument(argument.name, directive: old.name)
      guard let now = new.argument(named: argument.name) else {
        add(.directiveArgumentRemoved, coordinate, "Argument \(coordinate) was removed.", old: "\(argument.type)")
        continue
      }
      compareArgument(argument, now, coordinate)
    }
    switch (old.isRepeatable, new.isRepeatable) {
    case (true, false):
      add(
        .directiveRepeatableRemoved, coordinate, "Repeatable flag was removed from \(coordinate).", old: "repeatable")
    case (false, true):
      add(.directiveRepeatableAdded, coordinate, "Repeatable flag was added to \(coordinate).", new: "repeatable")
    default: break
    }
    compareDescriptions(old.description, new.description, coordinate, "\(coordinate)")
    compareDeprecations(old.deprecationReason, new.deprecationReason, coordinate)
    for location in old.locations where !new.allows(location) {
      add(
        .directiveLocationRemoved, coordinate, "\(location.rawValue) was removed from \(coordinate).",
        old: location.rawValue)
    }
    for location in new.locations where !old.allows(location) {
      add(
        .directiveLocationAdded, coordinate, "\(location.rawValue) was added to \(coordinate).",
        new: location.rawValue)
    }
  }
}

extension Schema {
  /// Whether the schema was loaded from an introspection result.
  package var isIntrospected: Bool { documents.contains { $0.source.name == Schema.introspectionSource } }
}
