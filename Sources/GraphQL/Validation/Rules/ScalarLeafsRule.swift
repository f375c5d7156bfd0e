import ApusGraphQLLanguage

/// Fields of leaf types have no selections, all others have some.
///
/// Specification: Leaf Field Selections.
enum ScalarLeafsRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for field in context.fields where context.meaning[Int(field)] >= 0 {
      let packed = context.storage.fields[Int(context.meaning[Int(field)])].type
      guard let type = context.type(of: packed) else { continue }
      let selections = context.selectionSet(of: field)
      if !context.isComposite(type) {
        guard let selections else { continue }
        context.report(
          "Field \"\(context.name(context.fieldName(field)))\" must not have a selection since type \"\(context.text(packed))\" has no subfields.",
          selections)
      } else if let selections {
        guard context.next(selections) == selections + 1 else { continue }
        context.report(
          "Field \"\(context.name(context.fieldName(field)))\" of type \"\(context.text(packed))\" must have at least one field selected.",
          field)
      } else {
        let name = context.name(context.fieldName(field))
        context.report(
          "Field \"\(name)\" of type \"\(context.text(packed))\" must have a selection of subfields. Did you mean \"\(name) { ... }\"?",
          field)
      }
    }
  }
}
