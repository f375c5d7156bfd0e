import GraphQLLanguage
import GraphQLSchema

/// Literal values fit the types they are given for.
///
/// Specification: Values of Correct Type.
enum ValuesOfCorrectTypeRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for argument in context.arguments { checkRoot(context.next(argument + 1), context) }
    for id in context.variableDefinitions {
      if let value = VariableDefinitionNode(context.document, id).defaultValue { checkRoot(value.id, context) }
    }
  }

  private static func checkRoot(_ value: NodeID, _ context: ValidationContext) {
    let type = context.expected[Int(value)]
    if type.name != ValidationContext.none { check(value, type, context) }
  }

  /// Its depth is bounded by the parser's limit and by the lists that a type can nest.
  private static func check(_ value: NodeID, _ type: PackedType, _ context: ValidationContext) {
    let kind = context.kind(value)
    if kind == .variable || context.isMissing(value) { return }
    if kind == .nullValue {
      if type.isNonNull {
        context.report("Expected value of non-null type \"\(context.text(type))\" not to be null.", value)
      }
      return
    }
    if let element = type.nullable.element {
      guard kind == .listValue else { return check(value, element, context) }
      for child in context.document.children(of: value) { check(child, element, context) }
      return
    }
    guard let index = context.type(of: type) else { return }
    switch context.storage.types[Int(index)].kind {
    case .inputObject: checkObject(value, index, context)
    case .enum: checkEnum(value, index, context)
    case .scalar: checkScalar(value, type, context)
    case .object, .interface, .union: break
    }
  }

  // MARK: Input objects

  private static func checkObject(_ value: NodeID, _ type: UInt32, _ context: ValidationContext) {
    let record = context.storage.types[Int(type)]
    let title = context.typeName(type)
    guard context.kind(value) == .objectValue else {
      context.report("Expected value of type \"\(title)\" to be an object, found: \(context.print(value)).", value)
      return
    }
    let given = Array(context.document.children(of: value))
    for index in record.inputFields.indices {
      let field = context.storage.inputValues[index]
      if let node = given.last(where: { context.meaning[Int($0)] == Int32(index) }) {
        check(context.next(node + 1), field.type, context)
      } else if field.type.isNonNull, field.defaultValue == 0 {
        context.report(
          "Expected value of type \"\(title)\" to include required field \"\(context.storage.names[field.name])\", found: \(context.print(value)).",
          value)
      }
    }
    for node in given where context.meaning[Int(node)] < 0 && !context.isMissing(node + 1) {
      let name = context.name(node + 1)
      let known = record.inputFields.indices.map { context.storage.names[context.storage.inputValues[$0].name] }
      let suggestion = Suggestions.didYouMean(Suggestions.near(name, known))
      context.report(
        "Expected value of type \"\(title)\" not to include unknown field \"\(name)\"\(suggestion.isEmpty ? ", found" : ".\(suggestion) Found"): \(context.print(value)).",
        node)
    }
    guard record.isOneOf else { return }
    let fields = given.filter { context.meaning[Int($0)] >= 0 }
    if fields.count != 1 || fields.first.map({ context.kind(context.next($0 + 1)) }) == .nullValue {
      context.report(
        "Within OneOf Input Object type \"\(title)\", exactly one field must be specified, and the value for that field must be non-null.",
        value)
    }
  }

  // MARK: Leaf types

  private static func checkEnum(_ value: NodeID, _ type: UInt32, _ context: ValidationContext) {
    let record = context.storage.types[Int(type)]
    let title = context.typeName(type)
    let known = record.enumValues.indices.map { context.storage.names[context.storage.enumValues[$0].name] }
    let text = context.print(value)
    guard context.kind(value) == .enumValue else {
      let suggestion = Suggestions.didYouMean(Suggestions.near(text, known), "the enum value")
      context.report("Enum \"\(title)\" cannot represent non-enum value: \(text).\(suggestion)", value)
      return
    }
    if !known.contains(text) {
      let suggestion = Suggestions.didYouMean(Suggestions.near(text, known), "the enum value")
      context.report("Value \"\(text)\" does not exist in \"\(title)\" enum.\(suggestion)", value)
    }
  }

  private static func checkScalar(_ value: NodeID, _ type: PackedType, _ context: ValidationContext) {
    let kind = context.kind(value)
    let fault: String?
    switch context.storage.names[type.name] {
    case "Int":
      if kind != .intValue {
        fault = "Int cannot represent non-integer value: "
      } else if Int32(context.text(value)) == nil {
        fault = "Int cannot represent non 32-bit signed integer value: "
      } else {
        fault = nil
      }
    case "Float": fault = kind == .intValue || kind == .floatValue ? nil : "Float cannot represent non numeric value: "
    case "String": fault = kind == .stringValue ? nil : "String cannot represent a non string value: "
    case "Boolean": fault = kind == .booleanValue ? nil : "Boolean cannot represent a non boolean value: "
    case "ID":
      fault =
        kind == .stringValue || kind == .intValue
        ? nil : "ID cannot represent a non-string and non-integer value: "
    // What a scalar of the schema's own takes, only its server knows.
    default: fault = nil
    }
    if let fault { context.report(fault + context.print(value), value) }
  }
}
