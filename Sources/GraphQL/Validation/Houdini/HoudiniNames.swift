import ApusGraphQLSchema

/// The fragments and directives that Houdini generates for lists and types: `All_Birds_insert` for
/// `@list(name: "All_Birds")`, and `@Bird_delete`.
struct HoudiniNames {
  private let context: ValidationContext

  init?(_ context: ValidationContext) {
    guard context.schema?.has(.houdini) == true else { return nil }
    self.context = context
  }

  /// Whether a fragment changes a list. The list may be in another document.
  func isFragment(_ name: String) -> Bool {
    ["_insert", "_remove", "_toggle"].contains { name.hasSuffix($0) && name.utf8.count > $0.utf8.count }
  }

  /// Whether a directive deletes an object of a type.
  func isDirective(_ name: String) -> Bool {
    name.hasSuffix("_delete") && context.schema?.type(named: String(name.dropLast(7))) != nil
  }
}
