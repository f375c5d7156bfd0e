import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The definition of a directive must not use the directive itself: on the definition or its arguments, or on the types
/// of its arguments, directly or through other directives and types. Invalid:
/// `directive @a(x: Int @a) on ARGUMENT_DEFINITION`.
///
/// Specification: Directives, Type Validation 2 and 3.
enum NoDirectiveCyclesRule: ValidationRule {
  /// A definition that a directive can refer to.
  private enum Definition: Hashable {
    case directive(String)
    case type(String)

    var title: String {
      switch self {
      case .directive(let name): "@\(name)"
      case .type(let name): name
      }
    }
  }

  static func check(_ context: ValidationContext) {
    guard !context.directiveDefinitions.isEmpty else { return }
    var references: [Definition: [Definition]] = [:]
    for directive in context.directiveDefinitions {
      references[.directive(directive.name.value), default: []] +=
        applied(directive.directives) + inputs(directive.arguments)
    }
    for type in context.typeDefinitions {
      references[.type(type.name.value), default: []] +=
        applied(type.directives) + applied(type.values.flatMap(\.directives)) + inputs(type.inputFields)
    }
    for directive in context.directiveDefinitions where !directive.isExtension && !context.isStopped {
      let start = Definition.directive(directive.name.value)
      guard let path = path(from: start, references, context) else { continue }
      let through = path.map { "\"\($0.title)\"" }.joined(separator: ", ")
      context.report(
        "Directive \"\(start.title)\" must not refer to itself\(path.isEmpty ? "" : " through \(through)").",
        directive.name)
    }
  }

  private static func applied(_ directives: [DirectiveNode]) -> [Definition] {
    directives.map { .directive($0.name.value) }
  }

  private static func inputs(_ values: [InputValueDefinitionNode]) -> [Definition] {
    values.flatMap { [.type($0.type.name)] + applied($0.directives) }
  }

  /// Returns the definitions on a shortest way from a definition back to itself; `nil` if there is none.
  private static func path(
    from start: Definition, _ references: [Definition: [Definition]], _ context: ValidationContext
  ) -> [Definition]? {
    var origins: [Definition: Definition] = [:]
    var pending = [start]
    var next = 0
    while next < pending.count {
      let definition = pending[next]
      next += 1
      for target in references[definition] ?? [] where context.spend(4) {
        if target == start {
          var path: [Definition] = []
          var place = definition
          while place != start, let origin = origins[place] {
            path.append(place)
            place = origin
          }
          return path.reversed()
        }
        guard origins[target] == nil else { continue }
        origins[target] = definition
        pending.append(target)
      }
    }
    return nil
  }
}
