import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Fields must exist on their parent type. Invalid: `{ bird { nmae } }`.
///
/// Specification: Field Selections.
enum FieldsOnCorrectTypeRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for field in context.fields where !context.isDefined(field) {
      guard let type = context.parentType(of: field) else { continue }
      guard !field.name.isMissing, !context.isLocal(field) else { continue }
      let name = field.name.value
      let types = typesWith(name, type, context)
      let near =
        types.isEmpty && type.kind != .union
        ? context.near(name, among: type.fields.count) { type.fields.map(\.name) } : []
      let question =
        types.isEmpty
        ? NameSuggestions.didYouMean(near) : NameSuggestions.didYouMean(types, "to use an inline fragment on")
      context.report(
        "Cannot query field \"\(name)\" on type \"\(type.name)\".\(question)", field,
        suggesting: Suggestion(.inlineFragment, at: field.range, types)
          ?? context.suggestion(near, for: field.name))
    }
  }

  /// Returns the possible types that have the field and the interfaces that define it for them, most shared first.
  private static func typesWith(_ field: String, _ type: TypeDefinition, _ context: ValidationContext) -> [String] {
    guard type.isAbstract, let field = type.schema.names.find(field) else { return [] }
    var uses: [TypeDefinition: Int] = [:]
    let possibleTypes = type.possibleTypes
    guard context.spend(possibleTypes.count * 4) else { return [] }
    for possible in possibleTypes where possible.declaredField(named: field) != nil {
      uses[possible] = 1
      guard context.spend(possible.interfaces.count * 4) else { return [] }
      for interface in possible.interfaces where interface.declaredField(named: field) != nil {
        uses[interface, default: 0] += 1
      }
    }
    return uses.sorted { left, right in
      if left.value != right.value { return left.value > right.value }
      if left.key.kind == .interface, right.key.isSubtype(of: left.key) { return true }
      if right.key.kind == .interface, left.key.isSubtype(of: right.key) { return false }
      return NameSuggestions.isNaturallyLess(left.key.name, right.key.name)
    }.map(\.key.name)
  }
}
