import ApusGraphQLLanguage
import ApusGraphQLSchema

// The directives that a schema defines, as those who write operations know them.
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

  /// SDL need not define the specification's directives, so its silence says nothing. Of two introspection results, each
  /// of which lists all that its server has, it does.
  private func isKnown(_ directive: DirectiveDefinition, in schema: Schema) -> Bool {
    guard directive.isImplied else { return true }
    return directive.isSpecified && !(old.isIntrospected && new.isIntrospected)
  }

  /// For the same reason, what SDL does not say of them is not compared with what a server does.
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
  /// It was read from an introspection result.
  package var isIntrospected: Bool { documents.contains { $0.source.name == Schema.introspectionSource } }
}
