import GraphQLLanguage
import GraphQLSchema

extension LanguageService {
  /// What may be written at a byte offset, best first: what begins with the word being typed, then what has its letters
  /// in order; what is not deprecated before what is; what is selected already last.
  package func complete(at offset: Int) -> [CompletionItem] {
    let offset = max(0, min(offset, document.source.bytes.count))
    let word = wordRange(endingAt: offset)
    let before = document.tokens(in: 0..<word.lowerBound)
    guard !isInsideCommentOrString(offset) else { return [] }
    let context = CursorContextReader.context(after: before, in: document.source, schema: schema)
    let replaced = word.lowerBound..<wordEnd(from: offset)
    return CompletionRanking.rank(
      candidates(for: context, replacing: replaced), typed: document.source.text(word.lowerBound..<offset)
    )
    .map { item in
      var item = item
      item.replaces = replaced
      return item
    }
  }

  private func isNameByte(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x5F
  }

  private func wordRange(endingAt offset: Int) -> Range<Int> {
    let bytes = document.source.bytes
    var start = offset
    while start > 0, isNameByte(bytes[start - 1]) { start -= 1 }
    return start..<offset
  }

  private func wordEnd(from offset: Int) -> Int {
    let bytes = document.source.bytes
    var end = offset
    while end < bytes.count, isNameByte(bytes[end]) { end += 1 }
    return end
  }

  /// Inside a comment, or inside a string, nothing is offered.
  private func isInsideCommentOrString(_ offset: Int) -> Bool {
    let bytes = document.source.bytes
    var position = offset
    while position > 0, bytes[position - 1] != 0x0A { position -= 1 }
    // From the last line's start, outside strings, a `#` begins a comment.
    var inString = false
    for byte in bytes[position..<offset] {
      if byte == 0x22 { inString.toggle() }
      if byte == 0x23, !inString { return true }
    }
    return inString
  }

  private func candidates(for context: CursorContext, replacing replaced: Range<Int>) -> [CompletionItem] {
    switch context {
    case .definition: definitionKeywords
    case .header, .nothing: []
    case .selection(let parent): fields(of: parent, at: replaced)
    case .spread(let parent): spreads(in: parent)
    case .typeCondition(let parent): typeConditions(in: parent)
    case .argumentName(let arguments, let used):
      arguments.map { argument(from: $0, kind: .argument, isUsed: used.contains($0.name), at: replaced) }
    case .inputField(let type, let used):
      (type?.inputFields ?? []).map {
        argument(from: $0, kind: .inputField, isUsed: used.contains($0.name), at: replaced)
      }
    case .value(let type, let inConstant): values(of: type, at: replaced, withVariables: !inConstant)
    case .variable(let type): variables(for: type, at: replaced, sigil: "")
    case .directive(let location): directives(at: location, replacing: replaced)
    case .variableType: inputTypes
    }
  }

  private var definitionKeywords: [CompletionItem] {
    var words = ["query"]
    if schema == nil || schema?.mutationType != nil { words.append("mutation") }
    if schema == nil || schema?.subscriptionType != nil { words.append("subscription") }
    return (words + ["fragment"]).map { CompletionItem(label: $0, kind: .keyword, insertText: $0) }
  }

  private func fields(of parent: TypeDefinition?, at replaced: Range<Int>) -> [CompletionItem] {
    guard let parent else { return [] }
    let used = selectedNames(around: replaced)
    var items = parent.fields.map { field in
      let required = field.arguments.filter(\.isRequired)
      var item = CompletionItem(
        label: field.name, kind: .field, type: field.type.description, documentation: field.description,
        insertText: field.name)
      if !required.isEmpty, !isFollowed(by: UInt8(ascii: "("), after: replaced) {
        let text = "\(field.name)(\(required.map { "\($0.name): " }.joined(separator: ", ")))"
        item = CompletionItem(
          label: field.name, kind: .field, type: field.type.description, documentation: field.description,
          insertText: text, cursor: field.name.count + 1 + (required.first?.name.count ?? 0) + 2)
      }
      item.isDeprecated = field.deprecationReason != nil
      item.isUsed = used.contains(field.name)
      if let reason = field.deprecationReason {
        item.documentation = [field.description, "Deprecated: \(reason)"].compactMap { $0 }.joined(separator: "\n\n")
      }
      return item
    }
    if parent.isComposite {
      items.append(
        CompletionItem(
          label: "__typename", kind: .field, type: "String!", documentation: "The name of the object's type.",
          insertText: "__typename", isUsed: used.contains("__typename")))
    }
    return items
  }

  /// The names of the fields already selected beside the cursor, the word at the cursor left out.
  private func selectedNames(around replaced: Range<Int>) -> Set<String> {
    let nodes = document.nodes(containing: replaced.lowerBound)
    guard let set = nodes.last(where: { $0.kind == .selectionSet }).map({ SelectionSetNode($0.document, $0.id) }) else {
      return []
    }
    var names: Set<String> = []
    for case .field(let field) in set.selections where field.name.range != replaced {
      if !field.name.range.contains(replaced.lowerBound) { names.insert(field.name.value) }
    }
    return names
  }

  private func isFollowed(by byte: UInt8, after replaced: Range<Int>) -> Bool {
    let bytes = document.source.bytes
    var position = replaced.upperBound
    while position < bytes.count, bytes[position] == 0x20 { position += 1 }
    return position < bytes.count && bytes[position] == byte
  }

  private func spreads(in parent: TypeDefinition?) -> [CompletionItem] {
    var items = document.fragments.compactMap { fragment -> CompletionItem? in
      let condition = fragment.typeCondition.name.value
      if let schema, let parent, let type = schema.type(named: condition), !schema.overlaps(parent, type) { return nil }
      let name = fragment.name.value
      return CompletionItem(label: name, kind: .fragment, type: condition, insertText: name)
    }
    items.append(CompletionItem(label: "on", kind: .keyword, insertText: "on "))
    for type in typeConditions(in: parent) {
      items.append(
        CompletionItem(
          label: "on \(type.label)", kind: .type, type: type.type, documentation: type.documentation,
          insertText: "on \(type.label)"))
    }
    return items
  }

  private func typeConditions(in parent: TypeDefinition?) -> [CompletionItem] {
    guard let schema else { return [] }
    return schema.types
      .filter { type in
        type.isComposite && !type.name.hasPrefix("__") && parent.map { schema.overlaps($0, type) } ?? true
      }
      .map { CompletionItem(label: $0.name, kind: .type, documentation: $0.description, insertText: $0.name) }
  }

  private var inputTypes: [CompletionItem] {
    (schema?.types ?? []).filter { $0.isInput && !$0.name.hasPrefix("__") }
      .map { CompletionItem(label: $0.name, kind: .type, documentation: $0.description, insertText: $0.name) }
  }

  private func argument(
    from input: InputValueDefinition, kind: CompletionItem.Kind, isUsed: Bool, at replaced: Range<Int>
  ) -> CompletionItem {
    let text = isFollowed(by: UInt8(ascii: ":"), after: replaced) ? input.name : "\(input.name): "
    return CompletionItem(
      label: input.name, kind: kind, type: input.type.description, documentation: input.description, insertText: text,
      isDeprecated: input.deprecationReason != nil, isUsed: isUsed)
  }

  private func values(of type: TypeReference?, at replaced: Range<Int>, withVariables: Bool) -> [CompletionItem] {
    var items: [CompletionItem] = []
    if let type, !type.isList, let definition = type.definition {
      items += definition.enumValues.map {
        CompletionItem(
          label: $0.name, kind: .enumValue, type: definition.name, documentation: $0.description, insertText: $0.name,
          isDeprecated: $0.deprecationReason != nil)
      }
      if definition.name == "Boolean" {
        items += ["true", "false"].map {
          CompletionItem(label: $0, kind: .enumValue, type: "Boolean", insertText: $0)
        }
      }
      if definition.kind == .inputObject {
        let required = definition.inputFields.filter(\.isRequired).map { "\($0.name): " }.joined(separator: ", ")
        items.append(
          CompletionItem(
            label: "{ }", kind: .inputField, type: type.description, documentation: definition.description,
            insertText: "{ \(required) }", cursor: 2))
      }
    }
    if withVariables { items += variables(for: type, at: replaced, sigil: "$") }
    if let type, !type.isNonNull { items.append(CompletionItem(label: "null", kind: .keyword, insertText: "null")) }
    return items
  }

  /// The operation's variables; those whose type fits come first, as the ranking keeps the order of equals.
  private func variables(for type: TypeReference?, at replaced: Range<Int>, sigil: String) -> [CompletionItem] {
    guard let operation = operation(at: replaced.lowerBound) else { return [] }
    let items = operation.variableDefinitions.map { definition in
      CompletionItem(
        label: "$\(definition.variable.name.value)", kind: .variable, type: definition.type.description,
        insertText: sigil + definition.variable.name.value)
    }
    guard let type else { return items }
    let fits = { (item: CompletionItem) in item.type.map { $0 == type.description || $0 == "\(type)!" } ?? false }
    return items.filter(fits) + items.filter { !fits($0) }
  }

  private func directives(at location: DirectiveLocation?, replacing replaced: Range<Int>) -> [CompletionItem] {
    (schema?.directives ?? []).filter { directive in location.map(directive.allows) ?? true }
      .map { directive in
        let required = directive.arguments.filter { $0.type.isNonNull && $0.defaultValueText == nil }
        let isBare = required.isEmpty || isFollowed(by: UInt8(ascii: "("), after: replaced)
        let arguments = isBare ? "" : "(\(required.map { "\($0.name): " }.joined(separator: ", ")))"
        let cursor = isBare ? nil : directive.name.count + 1 + (required.first?.name.count ?? 0) + 2
        return CompletionItem(
          label: "@\(directive.name)", kind: .directive, documentation: directive.description,
          insertText: directive.name + arguments, cursor: cursor)
      }
  }
}
