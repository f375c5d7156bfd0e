import ApusGraphQLLanguage
import ApusGraphQLSchema

extension VariablesService {
  /// Returns completions at a byte offset of the variables, best first: quoted names of variables and input fields,
  /// enum values, `true` and `false`, and whole objects.
  package func complete(at offset: Int) -> [CompletionItem] {
    let offset = max(0, min(offset, text.bytes.count))
    guard text.root != nil else { return wholeText(at: offset) }
    guard let finding = find(offset) else { return [] }
    let typed = typedText(finding, offset)
    let items: [CompletionItem]
    switch finding.place {
    case .variableName(let used):
      items = definitions.map { definition in
        let name = definition.variable.name.value
        return CompletionItem(
          label: name, kind: .variable, type: definition.type.description,
          snippet: named(name, NodeTypeResolver.reference(definition.type, schema), finding),
          isRequired: definition.type.kind == .nonNull && definition.defaultValue == nil && !used.contains(name),
          isUsed: used.contains(name))
      }
    case .inputField(let type, let used):
      let isSettled = type.isOneOf && !used.isEmpty
      items =
        isSettled
        ? []
        : type.inputFields.map { field in
          CompletionItem(
            label: field.name, kind: .inputField, definition: .inputField(field),
            snippet: named(field.name, field.type, finding), isRequired: field.isRequired && !used.contains(field.name),
            isUsed: used.contains(field.name))
        }
    case .value(let type): items = type.map(values) ?? []
    case .unknown: items = []
    }
    return CompletionRanking.rank(items.filter(\.isOffered), typed: typed).map { item in
      var item = item
      item.replacementRange = finding.range
      return item
    }
  }

  /// Returns the path of an upload up to a byte offset, with its JSON escapes: `~/photos/ow` in
  /// `{"file": "~/photos/ow`. Nil elsewhere.
  package func uploadPath(before offset: Int) -> String? {
    let offset = max(0, min(offset, text.bytes.count))
    guard let finding = find(offset), case .value(let type?) = finding.place, type.name == "Upload",
      finding.range.lowerBound < offset, text.bytes[finding.range.lowerBound] == UInt8(ascii: "\"")
    else { return nil }
    return text.text(finding.range.lowerBound + 1..<offset)
  }

  /// Returns one completion with all required variables, for an empty document.
  private func wholeText(at offset: Int) -> [CompletionItem] {
    guard !definitions.isEmpty else { return [] }
    let required = definitions.filter { $0.type.kind == .nonNull && $0.defaultValue == nil }
    let requested = required.isEmpty ? definitions : required
    var snippet = Snippet("{\n")
    for (index, definition) in requested.enumerated() {
      snippet.text += "  \"\(definition.variable.name.value)\": "
      let type = NodeTypeResolver.reference(definition.type, schema)
      let value = Self.start(of: type)
      snippet.stops.append(snippet.text.count + value.stop)
      snippet.text += value.text + (index + 1 < requested.count ? ",\n" : "\n")
    }
    snippet.text += "}"
    var item = CompletionItem(label: "{ }", kind: .keyword, snippet: snippet)
    item.replacementRange = offset..<offset
    return [item]
  }

  private func typedText(_ finding: CursorTarget, _ offset: Int) -> String {
    let range = finding.range.lowerBound..<max(finding.range.lowerBound, min(offset, finding.range.upperBound))
    return text.text(range).filter { $0 != "\"" && $0 != "{" && $0 != "[" }
  }

  private func named(_ name: String, _ type: TypeReference?, _ finding: CursorTarget) -> Snippet {
    guard !finding.hasColon else { return Snippet("\"\(name)\"") }
    let value = Self.start(of: type)
    let text = "\"\(name)\": "
    return Snippet(text + value.text, stops: [text.count + value.stop])
  }

  /// Returns the shortest beginning of a value: `""`, `0`, `[]`. It is valid JSON, and null where the value has to be
  /// typed.
  static func beginning(of type: TypeReference?) -> String {
    guard let type else { return "null" }
    if type.isList { return "[]" }
    if let definition = type.definition, definition.kind == .enum {
      return definition.enumValues.first { !$0.isDeprecated }.map { "\"\($0.name)\"" } ?? "null"
    }
    switch type.name {
    case "Boolean": return "false"
    case "Int", "Float": return "0"
    default:
      let text = start(of: type).text
      return text.isEmpty ? "null" : text
    }
  }

  /// Returns the beginning of a value and the position of the cursor in it.
  private static func start(of type: TypeReference?) -> (text: String, stop: Int) {
    guard let type else { return ("", 0) }
    if type.isList { return ("[]", 1) }
    switch type.definition?.kind {
    case .inputObject: return ("{}", 1)
    case .enum: return ("", 0)
    case .scalar, .object, .interface, .union, nil:
      switch type.name {
      case "Int", "Float", "Boolean": return ("", 0)
      case "String", "ID", "Upload": return ("\"\"", 1)
      default: return ("", 0)
      }
    }
  }

  private func values(of type: TypeReference) -> [CompletionItem] {
    var items: [CompletionItem] = []
    if let element = type.elementType {
      items.append(
        CompletionItem(label: "[ ]", kind: .keyword, type: type.description, snippet: Snippet("[]", stops: [1])))
      items += values(of: element).filter { $0.label != "null" }
    } else if let definition = type.definition {
      switch definition.kind {
      case .enum:
        items = definition.enumValues.map {
          CompletionItem(
            label: $0.name, kind: .enumValue, type: definition.name, definition: .enumValue($0),
            snippet: Snippet("\"\($0.name)\""))
        }
      case .inputObject:
        items = [Self.object(definition, type)]
      case .scalar, .object, .interface, .union:
        if definition.name == "Boolean" {
          items = ["true", "false"].map { CompletionItem(label: $0, kind: .enumValue, type: "Boolean") }
        }
      }
    }
    if !type.isNonNull { items.append(CompletionItem(label: "null", kind: .keyword)) }
    return items
  }

  private static func object(_ definition: TypeDefinition, _ type: TypeReference) -> CompletionItem {
    let fields = definition.isOneOf ? [] : definition.inputFields.filter(\.isRequired)
    var snippet = Snippet("{ ")
    for (index, field) in fields.enumerated() {
      let value = start(of: field.type)
      snippet.text += index == 0 ? "\"\(field.name)\": " : ", \"\(field.name)\": "
      snippet.stops.append(snippet.text.count + value.stop)
      snippet.text += value.text
    }
    snippet.text += " }"
    if fields.isEmpty { snippet = Snippet("{}", stops: [1]) }
    return CompletionItem(
      label: "{ }", kind: .inputField, type: type.description, definition: .type(definition), snippet: snippet)
  }
}
