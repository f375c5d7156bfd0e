import ApusGraphQLLanguage
import ApusGraphQLSchema

/// A type must have all fields of its interfaces, with compatible types and arguments. Invalid:
/// `interface Node { id: ID! } type Bird implements Node { name: String }`.
///
/// Specification: Objects and Interfaces, Type Validation (IsValidImplementation).
enum InterfaceFieldsRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for type in context.ownTypes {
      for interface in type.interfaces {
        for field in interface.fields where !context.isStopped { check(field, of: interface, in: type, context) }
      }
    }
  }

  private static func check(
    _ promised: FieldDefinition, of interface: TypeDefinition, in type: TypeDefinition, _ context: ValidationContext
  ) {
    let promise = "\(interface.name).\(promised.name)"
    guard let field = type.declaredField(named: promised.nameID) else {
      return context.report(
        "Interface field \(promise) expected but \(type.name) does not provide it.",
        nodes: [promised.node] + context.parts(of: type))
    }
    let implementing = "\(type.name).\(field.name)"
    if let isSubtype = field.type.isSubtype(of: promised.type), !isSubtype {
      context.report(
        "Interface field \(promise) expects type \(promised.type) but \(implementing) is type \(field.type).",
        promised.node.type, field.node.type)
    }
    for argument in promised.arguments { check(argument, promise, in: field, implementing, context) }
    for argument in field.arguments where argument.isRequired && promised.argument(named: argument.name) == nil {
      context.report(
        "Argument \"\(implementing)(\(argument.name):)\" must not be required type \"\(argument.type)\" if not provided by the Interface field \"\(promise)\".",
        argument.node, promised.node)
    }
    if !promised.isDeprecated, let deprecation = field.node.directive(named: "deprecated") {
      context.report(
        "Interface field \(promise) is not deprecated, so implementation field \(implementing) must not be deprecated.",
        deprecation, field.node.type)
    }
  }

  private static func check(
    _ promised: InputValueDefinition, _ promise: String, in field: FieldDefinition, _ implementing: String,
    _ context: ValidationContext
  ) {
    let coordinate = "\(promise)(\(promised.name):)"
    guard let argument = field.argument(named: promised.name) else {
      return context.report(
        "Interface field argument \(coordinate) expected but \(implementing) does not provide it.", promised.node,
        field.node)
    }
    if argument.type != promised.type {
      context.report(
        "Interface field argument \(coordinate) expects type \(promised.type) but \(implementing)(\(promised.name):) is type \(argument.type).",
        promised.node.type, argument.node.type)
    }
  }
}
