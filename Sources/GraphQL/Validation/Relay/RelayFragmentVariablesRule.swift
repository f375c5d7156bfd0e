import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The variables in `@argumentDefinitions` must have input types and default values of these types.
///
/// Source: the Relay compiler.
enum RelayFragmentVariablesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    guard context.schema?.has(.relay) == true else { return }
    for directive in context.directives.lazy.map(\.node)
    where context.takesFragmentArguments(directive) && directive.name.hasValue("argumentDefinitions") {
      for argument in directive.arguments {
        let name = argument.name.value
        let fields = argument.value.fields
        guard let type = fields.first(where: { $0.name.hasValue("type") })?.value, type.kind == .string else {
          context.report("The variable \"\(name)\" needs a type, such as { type: \"Int\" }.", argument)
          continue
        }
        if let declared = context.declaredFragmentVariable(argument)?.type, declared.name != ValidationContext.none {
          for field in fields where field.name.hasValue("defaultValue") {
            LiteralCheck(context) { message, node, _, suggestion in
              context.report(message, node, suggesting: suggestion)
            }.check(field.value, declared)
          }
        } else {
          context.report(
            "The variable \"\(name)\" has the type \"\(type.stringValue)\", which is not an input type of the schema.",
            type)
        }
        for field in fields where !["type", "defaultValue", "provider"].contains(field.name.value) {
          context.report(
            "The variable \"\(name)\" has the unknown member \"\(field.name.value)\": it can have \"type\", \"defaultValue\" and \"provider\".",
            field)
        }
      }
    }
  }
}
