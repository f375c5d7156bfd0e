import ApusClientOperation
import ApusJSON

/// Creates the compiled operation and its text from the collected fields.
struct SelectionLowering {
  private var text: [String] = []
  private var fragments: [CompiledFragment?] = []

  static func operation(
    _ root: CollectedSelection, _ variables: [CollectedVariable], type: CompiledOperation.OperationType, name: String?,
    queryTypeName: String?
  ) -> CompiledOperation {
    var lowering = SelectionLowering()
    let definitions = variables.map { "$\($0.name): \($0.type)" }.joined(separator: ", ")
    let head = type.rawValue + (name.map { " \($0)" } ?? (definitions.isEmpty ? "" : " "))
    let isShort = type == .query && name == nil && definitions.isEmpty
    lowering.text.append(isShort ? "{" : head + (definitions.isEmpty ? "" : "(\(definitions))") + " {")
    let set = lowering.lower(root, indent: 1, on: root, addsKeys: false)
    lowering.text.append("}")
    return CompiledOperation(
      operationType: type, name: name, documentText: lowering.text.joined(separator: "\n") + "\n",
      rootTypeName: root.typeName, queryTypeName: queryTypeName, selections: set,
      variableDefinitions: variables.map {
        CompiledVariable(
          name: $0.name, typeDescription: $0.type, isNonNull: $0.type.hasSuffix("!"), defaultValue: nil)
      },
      fragments: lowering.fragments.compactMap { $0 }, hasIncremental: !lowering.fragments.isEmpty)
  }

  private mutating func lower(
    _ selection: CollectedSelection, indent: Int, on object: CollectedSelection, addsKeys: Bool
  ) -> CompiledSelectionSet {
    var lowered: [CompiledSelection] = []
    if addsKeys {
      // The object's type and key are requested once for the cache, and never in a deferred fragment.
      let added = (selection.isAbstract ? ["__typename"] : []) + selection.keyFields
      for name in added where !selection.fields.contains(where: { $0.responseKey == name }) {
        write(name, indent)
        let type = name == "__typename" ? "String!" : nil
        lowered.append(
          .field(CompiledField(name: name, type: type.map { TypeText.parse($0, .scalar) }, isAdded: true)))
      }
    }
    for item in selection.items {
      switch item {
      case .field(let field): lowered.append(.field(lower(field, indent)))
      case .fragment(let fragment): lowered.append(.fragment(lower(fragment, indent, on: object)))
      }
    }
    // The server may have newer types; the closure decides about their objects.
    return CompiledSelectionSet(
      parentType: selection.typeName, possibleTypes: selection.isAbstract ? nil : Set(selection.possibleTypes),
      selections: lowered)
  }

  private mutating func lower(_ field: CollectedField, _ indent: Int) -> CompiledField {
    var line = field.responseKey == field.name ? field.name : "\(field.responseKey): \(field.name)"
    if !field.arguments.isEmpty {
      let arguments = field.arguments.map { "\($0.argument.name): $\($0.variable)" }
      line += "(\(arguments.joined(separator: ", ")))"
    }
    write(line + (field.selection == nil ? "" : " {"), indent)
    var set: CompiledSelectionSet?
    if let selection = field.selection {
      set = lower(selection, indent: indent + 1, on: selection, addsKeys: true)
      write("}", indent)
    }
    return CompiledField(
      name: field.name, responseKey: field.responseKey,
      arguments: field.arguments.map { CompiledArgument(name: $0.argument.name, value: .variable($0.variable)) },
      type: TypeText.parse(field.type, field.kind), selectionSet: set)
  }

  private mutating func lower(
    _ fragment: CollectedFragment, _ indent: Int, on object: CollectedSelection
  ) -> CompiledFragment {
    let inner = fragment.selection
    var line = "... on \(inner.typeName)"
    var id = -1
    if fragment.label != nil {
      let condition = fragment.conditionVariable.map { ", if: $\($0)" } ?? ""
      line += " @defer(label: \(JSONValue(fragment.sentLabel))\(condition))"
      id = fragments.count
      fragments.append(nil)
    }
    write(line + " {", indent)
    let set = lower(inner, indent: indent + 1, on: inner, addsKeys: false)
    write("}", indent)
    let compiled = CompiledFragment(
      id: id, typeCondition: inner.typeName, possibleTypes: Set(inner.possibleTypes),
      staticApplication: inner.typeName == object.typeName ? .covers : .mayCover,
      deferral: fragment.label == nil
        ? nil
        : CompiledDeferral(
          label: fragment.sentLabel,
          condition: fragment.conditionVariable.map { .variable($0, absent: true) } ?? .always),
      selectionSet: set)
    if id >= 0 { fragments[id] = compiled }
    return compiled
  }

  private mutating func write(_ line: String, _ indent: Int) {
    text.append(String(repeating: "  ", count: indent) + line)
  }
}

/// Parses types in the form of the schema, such as `[Episode]!`.
enum TypeText {
  static func parse(_ text: String, _ kind: NamedTypeKind) -> CompiledType { parse(Substring(text), kind) }

  private static func parse(_ text: Substring, _ kind: NamedTypeKind) -> CompiledType {
    if text.hasSuffix("!") { return .nonNull(parse(text.dropLast(), kind)) }
    if text.hasPrefix("[") { return .list(parse(text.dropFirst().dropLast(), kind)) }
    return .named(String(text), kind: kind)
  }
}
