import ApusGraphQLSchema

/// Writes a function for each model that creates a value for tests from some fields and invents the others:
/// `.mock(name: "Owl")`.
struct MockWriter {
  let names: ModelNames
  let access: String

  func piece(_ name: String, of model: ModelStruct) -> Piece {
    var writer = SwiftWriter()
    write(model, to: &writer)
    return Piece(name: name, text: writer.text, namesLibrary: Self.namesLibrary(model))
  }

  /// Whether a parameter's type is from the library: an enum or any JSON.
  private static func namesLibrary(_ model: ModelStruct) -> Bool {
    model.fields.contains { field in
      field.type.hasPrefix("GraphQLEnum<") || field.type.contains("[GraphQLEnum<")
        || field.type.filter { !"[]?".contains($0) } == "JSONValue"
    } || model.children.contains(where: namesLibrary)
  }

  private func write(_ model: ModelStruct, to writer: inout SwiftWriter) {
    writer.gap()
    writer.block("extension \(model.path)") { writer in
      writer.line("/// A value for tests. Omitted fields have mock values, and deferred fragments are pending.")
      let typename = model.parentType.possibleTypes.first?.name ?? model.parentType.name
      var parameters = model.parentType.isAbstract ? ["__typename: String = \(SwiftLiteral.string(typename))"] : []
      for field in model.fields {
        parameters.append("\(field.property): \(field.type) = \(field.isOptional ? "nil" : standIn(for: field))")
      }
      parameters += model.initializerParts.map { "\($0.name): \($0.type)? = nil" }
      writer.list("\(access) static func mock(", parameters, ") -> Self {")
      // With the memberwise initializer, some compilers would need labels in backticks and others warn about them.
      writer.indented { $0.writeCall("Self", with: model) }
      writer.line("}")
    }
    for child in model.children { write(child, to: &writer) }
  }

  private func standIn(for field: ModelField) -> String {
    let type = field.definition.type
    if type.nullable.elementType != nil { return "[]" }
    if let definition = type.definition {
      if definition.isComposite { return ".mock()" }
      if definition.kind == .enum {
        return ".init(rawValue: \(SwiftLiteral.string(definition.enumValues.first?.name ?? "")))"
      }
    }
    switch names.scalar(type) {
    case "Int", "Double": return "0"
    case "Bool": return "false"
    // A scalar without a Swift type accepts any value except null.
    case "String", "JSONValue": return field.key
    default: return ".mockValue"
    }
  }
}
