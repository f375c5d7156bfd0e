import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Checks whether a variable can be used at a location.
enum VariableUse {
  /// Whether a variable's type fits a location (`IsVariableUsageAllowed` in the specification): a default value
  /// compensates for a missing `!`, and variables are not coerced to lists. `$n: Int = 1` fits `Int!`, but `$n: Int`
  /// does not, nor does it fit `[Int]`.
  static func isUsable(_ definition: VariableDefinitionNode, where type: TypeReference) -> Bool {
    let hasDefault = definition.defaultValue.map { $0.kind != .null } ?? false
    let place = type.isNonNull && definition.type.kind != .nonNull && hasDefault ? type.nullable : type
    return fits(definition.type, place)
  }

  private static func fits(_ variable: TypeNode, _ place: TypeReference) -> Bool {
    if place.isNonNull {
      guard variable.kind == .nonNull, let inner = variable.ofType else { return false }
      return fits(inner, place.nullable)
    }
    if variable.kind == .nonNull { return variable.ofType.map { fits($0, place) } ?? false }
    guard let element = place.elementType else { return variable.kind == .named && variable.name == place.name }
    return variable.kind == .list && variable.ofType.map { fits($0, element) } ?? false
  }
}
