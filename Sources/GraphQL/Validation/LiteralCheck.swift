import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Checks a literal value against its expected type.
struct LiteralCheck {
  private let context: ValidationContext
  /// Receives the message, the node, its path in the value, such as `.field[0]`, and a suggestion.
  private let found: (String, NodeID, String, Suggestion?) -> Void

  init(_ context: ValidationContext, found: @escaping (String, NodeID, String, Suggestion?) -> Void) {
    self.context = context
    self.found = found
  }

  private func report(_ message: String, _ node: NodeID, _ path: String, suggesting suggestion: Suggestion? = nil) {
    found(message, node, path, suggestion)
  }

  /// Checks a value. The recursion is limited by the parser's depth limit and the maximum list depth of a type.
  func check(_ value: NodeID, _ type: PackedType, _ path: String = "") {
    let kind = context.kind(value)
    if kind == .variable || context.isMissing(value) { return }
    if kind == .nullValue {
      if type.isNonNull {
        report("Expected value of non-null type \"\(context.text(type))\" not to be null.", value, path)
      }
      return
    }
    if let element = type.nullable.element {
      guard kind == .listValue else { return check(value, element, path) }
      for (index, child) in context.document.children(of: value).enumerated() {
        check(child, element, "\(path)[\(index)]")
      }
      return
    }
    guard let index = context.type(of: type) else { return }
    switch context.kind(ofType: index) {
    case .inputObject: checkObject(value, index, path)
    case .enum: checkEnum(value, index, path)
    case .scalar: checkScalar(value, type, path)
    case .object, .interface, .union: break
    }
  }

  // MARK: Input objects

  private func checkObject(_ value: NodeID, _ type: UInt32, _ path: String) {
    let record = context.storage.types[Int(type)]
    let title = context.typeName(type)
    guard context.kind(value) == .objectValue else {
      report("Expected value of type \"\(title)\" to be an object, found: \(context.print(value)).", value, path)
      return
    }
    let given = Array(context.document.children(of: value))
    var nodeOfField: [Int: NodeID] = [:]
    for node in given {
      if let index = context.inputValueIndex(of: node) { nodeOfField[index] = node }
    }
    for node in given {
      // If a field is repeated, its last value counts.
      guard let index = context.inputValueIndex(of: node), nodeOfField[index] == node else { continue }
      let field = context.storage.inputValues[index]
      check(context.next(node + 1), field.type, "\(path).\(context.storage.names[field.name])")
    }
    for index in context.missing(of: record.inputFields, in: value, given: { given }) where !context.isStopped {
      let name = context.storage.names[context.storage.inputValues[index].name]
      report(
        "Expected value of type \"\(title)\" to include required field \"\(name)\", found: \(context.print(value)).",
        value, path)
    }
    for node in given
    where !context.isDefined(node) && !context.isMissing(node + 1) && !context.isStopped {
      let name = context.name(node + 1)
      let near = context.near(name, amongMembersOf: record.inputFields)
      let question = NameSuggestions.didYouMean(near)
      report(
        "Expected value of type \"\(title)\" not to include unknown field \"\(name)\"\(question.isEmpty ? ", found" : ".\(question) Found"): \(context.print(value)).",
        node, path, suggesting: context.suggestion(near, for: node + 1))
    }
    guard record.isOneOf else { return }
    let fields = given.filter(context.isDefined)
    let isNull = fields.count == 1 && context.kind(context.next(fields[0] + 1)) == .nullValue
    if fields.count != 1 || isNull {
      report(
        "Within OneOf Input Object type \"\(title)\", exactly one field must be specified, and the value for that field must be non-null.",
        value, isNull ? "\(path).\(context.name(fields[0] + 1))" : path)
    }
  }

  // MARK: Leaf types

  private func checkEnum(_ value: NodeID, _ type: UInt32, _ path: String) {
    let run = context.storage.types[Int(type)].enumValues
    let isEnumValue = context.kind(value) == .enumValue
    if isEnumValue, context.storage.enumValue(named: context.schemaName(of: value), in: run) != nil { return }
    let title = context.typeName(type)
    let text = context.print(value)
    let near = context.near(text, among: run.indices.count) {
      run.indices.map { context.storage.names[context.storage.enumValues[$0].name] }
    }
    let question = NameSuggestions.didYouMean(near, "the enum value")
    report(
      isEnumValue
        ? "Value \"\(text)\" does not exist in \"\(title)\" enum.\(question)"
        : "Enum \"\(title)\" cannot represent non-enum value: \(text).\(question)",
      value, path, suggesting: context.suggestion(near, for: value))
  }

  private func checkScalar(_ value: NodeID, _ type: PackedType, _ path: String) {
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
    // Only the server knows the values of a custom scalar.
    default: fault = nil
    }
    if let fault { report(fault + context.print(value), value, path) }
  }
}
