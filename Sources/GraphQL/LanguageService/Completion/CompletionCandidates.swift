import ApusGraphQLLanguage
import ApusGraphQLSchema

/// All valid completions at a position, in the order of their declaration.
struct CompletionCandidates {
  let service: LanguageService
  let place: CompletionContext

  var document: Document { service.document }
  var schema: Schema? { service.schema }

  func items(for context: CursorContext) -> [CompletionItem] {
    switch context {
    case .definition(let isDescribed): definitionKeywords(isDescribed: isDescribed)
    case .ending(let words): keywords(words) + (words.isEmpty || place.beginsLine ? definitionKeywords() : [])
    case .keywords(let words): keywords(words)
    case .nothing: []
    case .selection(let parent): parent.map(fields) ?? (schema == nil ? fieldsOfTheDocument : [])
    case .spread(let parent): spreads(in: parent)
    case .typeCondition(let parent): typeConditions(in: parent)
    case .argumentName(let arguments, let used) where arguments.isEmpty: fragmentArguments(used: used)
    case .argumentName(let arguments, let used): self.arguments(arguments, used: used.union(place.givenArguments))
    case .inputField(let type, let used): inputFields(of: type, used: used.union(place.givenFields))
    case .value(let type, let inConstant): values(of: type, withVariables: !inConstant)
    case .variable(let type): variables(for: type, sigil: "")
    case .directive(let location, let used, let field): directives(at: location, used: used, on: field)
    case .interfaceField(let interfaces, let used): interfaceFields(of: interfaces, used: used)
    case .variableType: inputTypes
    case .typeName(let use): typeNames(use)
    case .rootOperation(let used): rootOperations(used: used)
    case .directiveLocation(let used):
      DirectiveLocation.allCases.filter { !used.contains($0.rawValue) }
        .map { CompletionItem(label: $0.rawValue, kind: .keyword) }
    }
  }

  // MARK: Selections

  private func fields(of parent: TypeDefinition) -> [CompletionItem] {
    let used = place.selectedNames
    let isBare = place.isFollowed(by: "(")
    var items = parent.fields.map { field in
      let name = field.name
      return CompletionItem(
        label: name, kind: .field, definition: .field(field),
        snippet: isBare ? Snippet(name) : .call(name, field.arguments.filter(\.isRequired)),
        isUsed: used.contains(name))
    }
    if parent.isComposite, let typename = parent.field(named: "__typename") {
      items.append(
        CompletionItem(
          label: "__typename", kind: .field, definition: .field(typename), isUsed: used.contains("__typename")))
    }
    if parent.kind == .union {
      items += parent.possibleTypes.map { type in
        let text = "... on \(type.name)"
        let isBare = place.isFollowed(by: "{")
        return CompletionItem(
          label: text, kind: .type, definition: .type(type),
          snippet: isBare ? Snippet(text) : Snippet("\(text) {  }", stops: [text.count + 3]))
      }
    }
    if !place.replaced.isEmpty, let schema, schema.queryType == parent {
      for name in ["__schema", "__type"] {
        guard let field = parent.field(named: name) else { continue }
        items.append(
          CompletionItem(
            label: name, kind: .field, definition: .field(field),
            snippet: isBare ? Snippet(name) : .call(name, field.arguments.filter(\.isRequired)),
            isUsed: used.contains(name)))
      }
    }
    return items
  }

  /// Without a schema, the fields that the document selects elsewhere.
  private var fieldsOfTheDocument: [CompletionItem] {
    let used = place.selectedNames
    var seen: Set<String> = []
    var items: [CompletionItem] = []
    for (index, node) in document.nodes.enumerated() where node.kind == .field {
      let name = FieldNode(document, NodeID(index)).name
      guard name.range != place.replaced, !name.isMissing, seen.insert(name.value).inserted else { continue }
      items.append(CompletionItem(label: name.value, kind: .field, isUsed: used.contains(name.value)))
    }
    if seen.insert("__typename").inserted {
      items.append(
        CompletionItem(label: "__typename", kind: .field, type: "String!", isUsed: used.contains("__typename")))
    }
    return items
  }

  private func spreads(in parent: TypeDefinition?) -> [CompletionItem] {
    let enclosing = document.fragments.first {
      $0.range.lowerBound < place.replaced.lowerBound && place.replaced.lowerBound < $0.range.upperBound
    }
    func item(_ name: String, on condition: String) -> CompletionItem? {
      if let schema, let parent {
        guard let type = schema.type(named: condition), schema.overlaps(parent, type) else { return nil }
      }
      return CompletionItem(label: name, kind: .fragment, type: condition)
    }
    let local = Set(document.fragments.map(\.name.value))
    var items = document.fragments.compactMap { fragment in
      let name = fragment.name.value
      return name.isEmpty || fragment == enclosing ? nil : item(name, on: fragment.typeCondition.name.value)
    }
    items += service.otherFragments.filter { !local.contains($0.name) }.compactMap {
      item($0.name, on: $0.typeCondition)
    }
    items.append(CompletionItem(label: "on", kind: .keyword, snippet: Snippet("on ")))
    items += typeConditions(in: parent).map { type in
      CompletionItem(label: "on \(type.label)", kind: .type, definition: type.definition)
    }
    return items
  }

  private func typeConditions(in parent: TypeDefinition?) -> [CompletionItem] {
    guard let schema else { return typesOfTheDocument { $0 == .typeCondition } }
    guard let parent else { return schema.types.filter { $0.isComposite && !$0.isBuiltIn }.map(Self.item) }
    // Possible object types come first. A union as a condition within itself is useless.
    let kinds: [TypeKind] = [.object, .interface, .union]
    return kinds.flatMap { kind in
      schema.types.filter { type in
        type.kind == kind && !type.isBuiltIn && schema.overlaps(parent, type) && !(kind == .union && type == parent)
      }
    }.map(Self.item)
  }

  static func item(_ type: TypeDefinition) -> CompletionItem {
    CompletionItem(label: type.name, kind: .type, definition: .type(type))
  }

  /// Returns the variables of the fragment that is spread around the cursor, as argument names.
  private func fragmentArguments(used: Set<String>) -> [CompletionItem] {
    let nodes = document.nodes(containing: place.replaced.lowerBound)
    guard let spread = nodes.last(where: { $0.kind == .fragmentSpread }),
      let fragment = document.fragment(named: FragmentSpreadNode(document, spread.id).name.value)
    else { return [] }
    let declared = fragment.variableDefinitions.map { ($0.variable.name.value, $0.type.description) }
    let relay = fragment.directives.filter { $0.name.hasValue("argumentDefinitions") }.flatMap(\.arguments).map {
      argument in
      let type = argument.value.fields.first { $0.name.hasValue("type") }?.value
      return (argument.name.value, type?.stringValue ?? "")
    }
    return (declared + relay).map { name, type in
      CompletionItem(
        label: name, kind: .argument, type: type, snippet: Snippet(place.isFollowed(by: ":") ? name : "\(name): "),
        isUsed: used.contains(name))
    }
  }

  // MARK: Inputs

  private func arguments(_ arguments: [InputValueDefinition], used: Set<String>) -> [CompletionItem] {
    arguments.map { input($0, .argument($0), kind: .argument, isUsed: used.contains($0.name)) }
  }

  private var inputTypes: [CompletionItem] {
    let inputs = (schema ?? LanguageService.builtIns).types.filter { $0.isInput && !$0.name.hasPrefix("__") }
    // Most variables are IDs, strings and numbers.
    let items = (inputs.filter(\.isBuiltIn) + inputs.filter { !$0.isBuiltIn }).map(Self.item)
    return schema == nil ? typesOfTheDocument { $0 == .variableType } + items : items
  }

  private enum TypeUse { case typeCondition, variableType }

  /// Without a schema, returns the type names that the document uses in the same way.
  private func typesOfTheDocument(_ isWanted: (TypeUse) -> Bool) -> [CompletionItem] {
    var seen = Set(LanguageService.builtIns.types.map(\.name))
    var items: [CompletionItem] = []
    func add(_ name: NameNode) {
      guard !name.isMissing, name.range != place.replaced, seen.insert(name.value).inserted else { return }
      items.append(CompletionItem(label: name.value, kind: .type))
    }
    for (index, node) in document.nodes.enumerated() {
      switch node.kind {
      case .variableDefinition where isWanted(.variableType):
        add(VariableDefinitionNode(document, NodeID(index)).type.namedType.name)
      case .inlineFragment where isWanted(.typeCondition):
        if let condition = InlineFragmentNode(document, NodeID(index)).typeCondition { add(condition.name) }
      case .fragmentDefinition where isWanted(.typeCondition):
        add(FragmentDefinitionNode(document, NodeID(index)).typeCondition.name)
      default: break
      }
    }
    return items
  }

  private func input(
    _ definition: InputValueDefinition, _ element: SchemaElement, kind: CompletionKind, isUsed: Bool
  ) -> CompletionItem {
    let name = definition.name
    return CompletionItem(
      label: name, kind: kind, definition: element,
      snippet: Snippet(place.isFollowed(by: ":") ? name : "\(name): "),
      isRequired: definition.isRequired && !isUsed, isUsed: isUsed)
  }

  private func inputFields(of type: TypeDefinition?, used: Set<String>) -> [CompletionItem] {
    guard let type else { return [] }
    // A `@oneOf` object has exactly one field.
    if type.isOneOf, !used.isEmpty { return [] }
    return type.inputFields.map { input($0, .inputField($0), kind: .inputField, isUsed: used.contains($0.name)) }
  }

  // MARK: Values

  private func values(of type: TypeReference?, withVariables: Bool) -> [CompletionItem] {
    var items = type.map { literals(of: $0) } ?? []
    if withVariables { items += variables(for: type, sigil: "$") }
    if let type, !type.isNonNull { items.append(CompletionItem(label: "null", kind: .keyword)) }
    return items
  }

  private func literals(of type: TypeReference) -> [CompletionItem] {
    if var element = type.elementType {
      // A single value is coerced to a list.
      let list = CompletionItem(
        label: "[ ]", kind: .keyword, type: type.description, snippet: Snippet("[]", stops: [1]))
      while let inner = element.elementType { element = inner }
      return [list] + literals(of: element)
    }
    guard let definition = type.definition else { return [] }
    switch definition.kind {
    case .enum:
      return definition.enumValues.map {
        CompletionItem(label: $0.name, kind: .enumValue, type: definition.name, definition: .enumValue($0))
      }
    case .inputObject:
      let required = definition.isOneOf ? [] : definition.inputFields.filter(\.isRequired)
      return [
        CompletionItem(
          label: "{ }", kind: .inputField, type: type.description, definition: .type(definition),
          snippet: .object(required))
      ]
    case .scalar, .object, .interface, .union:
      guard definition.name == "Boolean" else { return [] }
      return ["true", "false"].map { CompletionItem(label: $0, kind: .enumValue, type: "Boolean") }
    }
  }

  /// Returns the variables that are allowed here, or all variables if the type is unknown.
  private func variables(for type: TypeReference?, sigil: String) -> [CompletionItem] {
    service.variableDefinitions(at: place.replaced.lowerBound).compactMap { definition in
      let name = definition.variable.name.value
      guard !name.isEmpty, type.map({ VariableUse.isUsable(definition, where: $0) }) ?? true else { return nil }
      return CompletionItem(
        label: "$\(name)", kind: .variable, type: definition.type.description, snippet: Snippet(sigil + name))
    }
  }

  // MARK: Directives

  private func directives(
    at location: DirectiveLocation, used: Set<String>, on field: FieldDefinition?
  ) -> [CompletionItem] {
    let isBare = place.isFollowed(by: "(")
    return (schema ?? LanguageService.builtIns).directives.filter { directive in
      directive.allows(location) && !(directive.name == "stream" && field?.type.isList == false)
    }.map { directive in
      CompletionItem(
        label: "@\(directive.name)", kind: .directive, definition: .directive(directive),
        snippet: isBare ? Snippet(directive.name) : .call(directive.name, directive.arguments.filter(\.isRequired)),
        isUsed: !directive.isRepeatable && used.contains(directive.name))
    }
  }
}
