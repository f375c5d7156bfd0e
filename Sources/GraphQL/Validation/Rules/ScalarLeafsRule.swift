import ApusGraphQLLanguage

/// Fields of leaf types must have no selections; fields of composite types must have some. Invalid:
/// `{ bird { name { first } } }` and `{ bird }`.
///
/// Specification: Leaf Field Selections.
enum ScalarLeafsRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for field in context.fields {
      guard let type = context.fieldDefinition(of: field)?.type, let definition = type.definition else { continue }
      let selections = field.selectionSet
      if !definition.isComposite {
        guard let selections else { continue }
        context.report(
          "Field \"\(field.name.value)\" must not have a selection since type \"\(type)\" has no subfields.",
          selections)
      } else if let selections {
        guard selections.selections.isEmpty else { continue }
        context.report(
          "Field \"\(field.name.value)\" of type \"\(type)\" must have at least one field selected.",
          field)
      } else {
        let name = field.name.value
        context.report(
          "Field \"\(name)\" of type \"\(type)\" must have a selection of subfields. Did you mean \"\(name) { ... }\"?",
          field)
      }
    }
  }
}
