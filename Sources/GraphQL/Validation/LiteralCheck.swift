import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Checks a literal value against its expected type: `{first: "2"}` for an input object whose `first` is an `Int`.
struct LiteralCheck {
  /// Receives the message, the node, its path in the value, such as `.field[0]`, and a suggestion.
  typealias Report = (String, any SyntaxView, String, Suggestion?) -> Void

  private let context: ValidationContext
  private let found: Report

  init(_ context: ValidationContext, found: @escaping Report) {
    self.context = context
    self.found = found
  }

  private func report(
    _ message: String, _ node: some SyntaxView, _ path: String, suggesting suggestion: Suggestion? = nil
  ) {
    found(message, node, path, suggestion)
  }

  /// Checks a value. The recursion is limited by the parser's depth limit and the maximum list depth of a type.
  func check(_ value: ValueNode, _ type: PackedType, _ path: String = "") {
    if value.kind == .variable || value.isMissing { return }
    if value.kind == .null {
      if type.isNonNull {
        report("Expected value of non-null type \"\(context.text(type))\" not to be null.", value, path)
      }
      return
    }
    if let element = type.nullable.element {
      guard value.kind == .list else { return check(value, element, path) }
      for (index, child) in value.elements.enumerated() { check(child, element, "\(path)[\(index)]") }
      return
    }
    guard let type = context.type(of: type) else { return }
    switch type.kind {
    case .inputObject: checkObject(value, type, path)
    case .enum: checkEnum(value, type, path)
    case .scalar: checkScalar(value, type, path)
    case .object, .interface, .union: break
    }
  }

  // MARK: Input objects

  private func checkObject(_ value: ValueNode, _ type: TypeDefinition, _ path: String) {
    let members = context.storage.types[Int(type.index)].inputFields
    guard value.kind == .object else {
      return report(
        "Expected value of type \"\(type.name)\" to be an object, found: \(Printer.print(value)).", value, path)
    }
    let given = value.fields
    var lastOfField: [Int: ObjectFieldNode] = [:]
    for node in given {
      if let index = context.inputValueIndex(of: node) { lastOfField[index] = node }
    }
    for node in given {
      // If a field is repeated, its last value counts.
      guard let index = context.inputValueIndex(of: node), lastOfField[index] == node else { continue }
      let field = context.inputValue(at: index)
      check(node.value, field.type, "\(path).\(context.storage.names[field.name])")
    }
    for index in context.missing(of: members, in: value, given: { given }) where !context.isStopped {
      let name = context.storage.names[context.inputValue(at: index).name]
      report(
        "Expected value of type \"\(type.name)\" to include required field \"\(name)\", found: \(Printer.print(value)).",
        value, path)
    }
    for node in given where !context.isDefined(node) && !node.name.isMissing && !context.isStopped {
      let name = node.name.value
      let near = context.near(name, amongMembersOf: members)
      let question = NameSuggestions.didYouMean(near)
      report(
        "Expected value of type \"\(type.name)\" not to include unknown field \"\(name)\"\(question.isEmpty ? ", found" : ".\(question) Found"): \(Printer.print(value)).",
        node, path, suggesting: context.suggestion(near, for: node.name))
    }
    if type.isOneOf { checkOneOf(value, type, path) }
  }

  private func checkOneOf(_ value: ValueNode, _ type: TypeDefinition, _ path: String) {
    let fields = value.fields.filter(context.isDefined)
    let isNull = fields.count == 1 && fields[0].value.kind == .null
    if fields.count != 1 || isNull {
      report(
        "Within OneOf Input Object type \"\(type.name)\", exactly one field must be specified, and the value for that field must be non-null.",
        value, isNull ? "\(path).\(fields[0].name.value)" : path)
    }
  }

  // MARK: Leaf types

  private func checkEnum(_ value: ValueNode, _ type: TypeDefinition, _ path: String) {
    let run = context.storage.types[Int(type.index)].enumValues
    let isEnumValue = value.kind == .enum
    if isEnumValue, context.storage.enumValue(named: context.schemaNameID(of: value), in: run) != nil { return }
    let text = Printer.print(value)
    let near = context.near(text, among: run.indices.count) {
      run.indices.map { context.storage.names[context.storage.enumValues[$0].name] }
    }
    let question = NameSuggestions.didYouMean(near, "the enum value")
    report(
      isEnumValue
        ? "Value \"\(text)\" does not exist in \"\(type.name)\" enum.\(question)"
        : "Enum \"\(type.name)\" cannot represent non-enum value: \(text).\(question)",
      value, path, suggesting: Suggestion(at: value.range, near))
  }

  private func checkScalar(_ value: ValueNode, _ type: TypeDefinition, _ path: String) {
    let kind = value.kind
    let fault: String?
    switch type.name {
    case "Int":
      if kind != .int {
        fault = "Int cannot represent non-integer value: "
      } else if Int32(value.text) == nil {
        fault = "Int cannot represent non 32-bit signed integer value: "
      } else {
        fault = nil
      }
    case "Float": fault = kind == .int || kind == .float ? nil : "Float cannot represent non numeric value: "
    case "String": fault = kind == .string ? nil : "String cannot represent a non string value: "
    case "Boolean": fault = kind == .boolean ? nil : "Boolean cannot represent a non boolean value: "
    case "ID":
      fault = kind == .string || kind == .int ? nil : "ID cannot represent a non-string and non-integer value: "
    // Only the server knows the values of a custom scalar.
    default: fault = nil
    }
    if let fault { report(fault + Printer.print(value), value, path) }
  }
}
