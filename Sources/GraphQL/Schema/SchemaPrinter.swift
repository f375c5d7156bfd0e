import ApusGraphQLLanguage

extension Schema {
  /// Returns the schema as SDL, with extensions merged and without built-in definitions.
  package func printSDL() -> String {
    var printer = SchemaPrinter()
    printer.print(self)
    return printer.text
  }
}

// Single definitions of a schema as SDL, with descriptions.

extension TypeDefinition {
  package var sdl: String { SchemaPrinter().block(self) }
}

extension FieldDefinition {
  package var sdl: String { SchemaPrinter().block(self, 0) }
}

extension InputValueDefinition {
  package var sdl: String { SchemaPrinter().block(self, 0) }
}

extension EnumValueDefinition {
  package var sdl: String { SchemaPrinter().block(self, 0) }
}

extension DirectiveDefinition {
  package var sdl: String { SchemaPrinter().block(self) }
}

/// Writes the definitions of a schema in the layout of the document printer.
struct SchemaPrinter {
  private(set) var text = ""

  mutating func print(_ schema: Schema) {
    var blocks: [String] = []
    if let block = schemaBlock(schema) { blocks.append(block) }
    for directive in schema.directives where !directive.isImplied && !directive.isSpecified {
      blocks.append(block(directive))
    }
    for type in schema.types where !type.isBuiltIn { blocks.append(block(type)) }
    text = blocks.joined(separator: "\n\n") + "\n"
  }

  /// Returns the schema definition; nil if the root types have their default names.
  private func schemaBlock(_ schema: Schema) -> String? {
    let roots = OperationType.allCases.compactMap { operation in
      schema.rootType(operation).map { (operation, $0.name) }
    }
    let isUsual = OperationType.allCases.allSatisfy { operation in
      let name = operation.rawValue.prefix(1).uppercased() + operation.rawValue.dropFirst()
      return schema.rootType(operation).map { $0.name == name } ?? (schema.type(named: name) == nil)
    }
    if isUsual, schema.description == nil { return nil }
    guard !roots.isEmpty else { return nil }
    let lines = roots.map { "  \($0.0.rawValue): \($0.1)\n" }.joined()
    return description(schema.description, 0) + "schema {\n\(lines)}"
  }

  fileprivate func block(_ directive: DirectiveDefinition) -> String {
    description(directive.description, 0) + "directive @\(directive.name)" + arguments(directive.arguments, 0)
      + deprecation(directive.deprecationReason) + (directive.isRepeatable ? " repeatable" : "")
      + " on " + directive.locations.map(\.rawValue).joined(separator: " | ")
  }

  fileprivate func block(_ type: TypeDefinition) -> String {
    let head = description(type.description, 0)
    switch type.kind {
    case .scalar:
      let url = type.specifiedByURL.map { " @specifiedBy(url: \(StringEncoder.quoted($0)))" } ?? ""
      return head + "scalar \(type.name)\(url)"
    case .object, .interface:
      let keyword = type.kind == .object ? "type" : "interface"
      let interfaces = type.interfaces.map(\.name).joined(separator: " & ")
      let fields = type.fields.map { field in
        block(field, 2)
      }
      return head + "\(keyword) \(type.name)" + (interfaces.isEmpty ? "" : " implements \(interfaces)") + braces(fields)
    case .union:
      let members = type.possibleTypes.map(\.name).joined(separator: " | ")
      return head + "union \(type.name)" + (members.isEmpty ? "" : " = \(members)")
    case .enum:
      return head + "enum \(type.name)"
        + braces(type.enumValues.map { block($0, 2) })
    case .inputObject:
      return head + "input \(type.name)" + (type.isOneOf ? " @oneOf" : "")
        + braces(type.inputFields.map { block($0, 2) })
    }
  }

  fileprivate func block(_ field: FieldDefinition, _ indent: Int) -> String {
    description(field.description, indent) + margin(indent)
      + "\(field.name)\(arguments(field.arguments, indent)): \(field.type)" + deprecation(field.deprecationReason)
  }

  fileprivate func block(_ value: EnumValueDefinition, _ indent: Int) -> String {
    description(value.description, indent) + margin(indent) + value.name + deprecation(value.deprecationReason)
  }

  fileprivate func block(_ value: InputValueDefinition, _ indent: Int) -> String {
    description(value.description, indent) + margin(indent) + inputValue(value, indent)
  }

  private func margin(_ indent: Int) -> String { String(repeating: " ", count: indent) }

  private func braces(_ members: [String]) -> String {
    members.isEmpty ? "" : " {\n\(members.joined(separator: "\n"))\n}"
  }

  private func arguments(_ arguments: [InputValueDefinition], _ indent: Int) -> String {
    if arguments.isEmpty { return "" }
    if arguments.allSatisfy({ $0.description == nil }) {
      let values = arguments.map { inputValue($0, indent) }
      // A default value with several lines puts each argument on its own line.
      if !values.contains(where: { $0.utf8.contains(UInt8(ascii: "\n")) }) {
        return "(\(values.joined(separator: ", ")))"
      }
    }
    let lines = arguments.map { block($0, indent + 2) }
    return "(\n\(lines.joined(separator: "\n"))\n\(margin(indent)))"
  }

  private func inputValue(_ value: InputValueDefinition, _ indent: Int) -> String {
    let defaultValue = value.defaultValue.map { " = \(Printer.print($0, indent: indent))" } ?? ""
    return "\(value.name): \(value.type)\(defaultValue)\(deprecation(value.deprecationReason))"
  }

  private func deprecation(_ reason: String?) -> String {
    guard let reason else { return "" }
    return reason == "No longer supported" ? " @deprecated" : " @deprecated(reason: \(StringEncoder.quoted(reason)))"
  }

  private func description(_ text: String?, _ indent: Int) -> String {
    guard let text else { return "" }
    return "\(margin(indent))\(StringEncoder.description(text, indent: indent))\n"
  }
}
