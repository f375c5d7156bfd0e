import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Access control and costs apply to objects, not to interfaces, and the sizes of lists to lists.
///
/// Source: Apollo Federation, error codes `AUTH_REQUIREMENTS_APPLIED_ON_INTERFACE`, `COST_APPLIED_TO_INTERFACE_FIELD` and
/// `LIST_SIZE_…`.
enum FederationAccessRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    guard let schema = context.schema, let federation = schema.federation, federation.isVersion2 else { return }
    let interfaceObject = federation.name(of: "interfaceObject")
    for type in context.typeDefinitions {
      let isInterface = schema.type(named: type.name.value)?.kind == .interface
      if isInterface || type.directive(named: interfaceObject) != nil {
        checkAccess(type.directives, "\"\(type.name.value)\"", federation, context)
      }
      for field in type.fields {
        let title = "\"\(type.name.value).\(field.name.value)\""
        if isInterface {
          checkAccess(field.directives, title, federation, context)
          if let cost = field.directive(named: federation.name(of: "cost")) {
            context.report("@cost cannot be used on \(title): only fields of object types have costs.", cost)
          }
        }
        checkSize(of: field, title, federation, schema, context)
      }
    }
  }

  private static func checkAccess(
    _ directives: [DirectiveNode], _ title: String, _ federation: Federation, _ context: ValidationContext
  ) {
    for name in ["authenticated", "requiresScopes", "policy"] {
      let local = federation.name(of: name)
      for directive in directives where directive.name.hasValue(local) {
        context.report(
          "@\(local) cannot be used on \(title): interfaces and their fields have no access control.", directive)
      }
    }
  }

  private static func checkSize(
    of field: FieldDefinitionNode, _ title: String, _ federation: Federation, _ schema: Schema,
    _ context: ValidationContext
  ) {
    guard let size = field.directive(named: federation.name(of: "listSize")) else { return }
    let names = { (argument: String) in
      (size.argument(named: argument)?.value.elements ?? []).filter { $0.kind == .string }
    }
    let sized = names("sizedFields")
    if sized.isEmpty, !field.type.isListOrNonNullList {
      context.report("@listSize cannot be used on \(title): its type \"\(field.type)\" is not a list.", size)
    }
    if let assumed = size.argument(named: "assumedSize")?.value, assumed.kind == .int, assumed.text.hasPrefix("-") {
      context.report("The \"assumedSize\" of \(title) is negative.", assumed)
    }
    for name in names("slicingArguments") {
      let argument = field.arguments.first { $0.name.hasValue(name.stringValue) }
      guard argument?.type.name != "Int" || argument?.type.isListOrNonNullList == true else { continue }
      context.report("\"\(name.stringValue)\" is not an argument of \(title) with the type Int.", name)
    }
    guard let type = schema.type(named: field.type.name) else { return }
    for name in sized {
      guard let inner = type.isComposite ? type.field(named: name.stringValue) : nil, inner.type.isList else {
        context.report("\"\(name.stringValue)\" is not a field of \"\(type.name)\" with a list.", name)
        continue
      }
    }
  }
}

extension TypeNode {
  fileprivate var isListOrNonNullList: Bool { node.kind == .listType }
}
