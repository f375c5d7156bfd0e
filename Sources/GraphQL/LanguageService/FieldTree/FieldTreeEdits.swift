import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The edits for checking and unchecking rows.
extension FieldTree {
  /// The state of following a path in the document.
  private struct Location {
    var type: TypeDefinition?
    var set: SelectionSetNode?
    /// The nodes on the path, starting with the operation.
    var owners: [AnyNode]
    var field: FieldNode?
    var definition: FieldDefinition?
  }

  /// Adds a missing selection with its ancestors, or removes an existing one.
  package func toggle(_ path: [Step]) -> [TextEdit] { toggle(path, with: nil) }

  /// Toggles a path.
  ///
  /// - Parameter literal: The value of an argument at the end of the path, instead of an example value.
  private func toggle(_ path: [Step], with literal: String?) -> [TextEdit] {
    guard case .root(let kind)? = path.first else { return [] }
    guard let operation else { return insertOperation(kind, path.dropFirst(), literal) }
    var place = Location(
      type: rootType(operation.operation), set: operation.selectionSet, owners: [operation.erased])
    for (index, step) in path.enumerated().dropFirst() {
      let isLast = index == path.count - 1
      switch step {
      case .root: return []
      case .field(let name):
        guard let definition = place.type?.field(named: name) else { return [] }
        let node = place.set?.selections.lazy.compactMap(\.asField).first { $0.name.hasValue(name) }
        guard let node else { return insert(path[index...], in: place, literal) }
        if isLast { return remove(node.erased, place.owners) }
        place.owners.append(node.erased)
        place = Location(
          type: definition.type.definition, set: node.selectionSet, owners: place.owners, field: node,
          definition: definition)
      case .condition(let name):
        let node = place.set?.selections.lazy.compactMap(\.asInlineFragment)
          .first { $0.typeCondition?.name.hasValue(name) == true }
        guard let node else { return insert(path[index...], in: place, literal) }
        if isLast { return remove(node.erased, place.owners) }
        place.owners.append(node.erased)
        place = Location(type: schema.type(named: name), set: node.selectionSet, owners: place.owners)
      case .argument(let name):
        guard let field = place.field else { return [] }
        if let argument = field.argument(named: name) { return remove(argument, of: field) }
        guard let type = place.definition?.argument(named: name)?.type else { return [] }
        return insert(name, literal ?? ExampleValue.literal(of: type), in: field)
      }
    }
    return []
  }

  /// Sets the value of an argument, written as a GraphQL literal; a string may omit its quotes. Returns `nil` if it is not a
  /// valid value.
  package func set(_ path: [Step], to text: String) -> [TextEdit]? {
    guard case .argument(let name)? = path.last else { return nil }
    let owner = Array(path.dropLast())
    guard let literal = literal(text, of: argument(path)) else { return nil }
    // If the field is not selected yet, select it with the argument.
    guard let field = field(at: owner) else { return toggle(path, with: literal) }
    if let given = field.argument(named: name) { return [TextEdit(range: given.value.range, text: literal)] }
    return insert(name, literal, in: field)
  }

  private func literal(_ text: String, of argument: InputValueDefinition?) -> String? {
    let isValue = { (text: String) in
      let document = Document(parsing: "{f(a:\(text)\n)}")
      return document.diagnostics.isEmpty
        && document.operations.first?.selectionSet.selections.first?.asField?.arguments.count == 1
    }
    let name = argument?.type.definition
    let isText = name.map { $0.kind == .scalar && !["Int", "Float", "Boolean"].contains($0.name) } ?? false
    let isQuoted = text.hasPrefix("\"") || text.hasPrefix("$") || text == "null" || argument?.type.isList == true
    // The format of a custom scalar is unknown: numbers, objects and lists are written unquoted, other values as strings.
    let isOwn = isText && name.map { !["String", "ID"].contains($0.name) } ?? false
    let isJSON = ["{", "[", "true", "false"].contains { text.hasPrefix($0) } || Double(text) != nil
    if isText, !isQuoted, !(isOwn && isJSON && isValue(text)) {
      return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
    let isNumber = name.map { ["Int", "Float"].contains($0.name) } ?? false
    if isNumber, !isQuoted, Double(text) == nil { return nil }
    return !text.isEmpty && isValue(text) ? text : nil
  }

  private func argument(_ path: [Step]) -> InputValueDefinition? {
    var type: TypeDefinition?
    var field: FieldDefinition?
    for step in path {
      switch step {
      case .root(let kind): type = rootType(kind)
      case .field(let name):
        field = type?.field(named: name)
        type = field?.type.definition
      case .condition(let name): type = schema.type(named: name)
      case .argument(let name): return field?.argument(named: name)
      }
    }
    return nil
  }

  private func field(at path: [Step]) -> FieldNode? {
    var set = operation?.selectionSet
    var field: FieldNode?
    for step in path {
      switch step {
      case .root, .argument: break
      case .field(let name):
        field = set?.selections.lazy.compactMap(\.asField).first { $0.name.hasValue(name) }
        guard field != nil else { return nil }
        set = field?.selectionSet
      case .condition(let name):
        set =
          set?.selections.lazy.compactMap(\.asInlineFragment)
          .first { $0.typeCondition?.name.hasValue(name) == true }?.selectionSet
      }
    }
    return field
  }

  // MARK: Adding

  private func insertOperation(_ kind: OperationType, _ rest: ArraySlice<Step>, _ literal: String?) -> [TextEdit] {
    let bytes = document.source.bytes
    var end = bytes.count
    while end > 0, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[end - 1]) { end -= 1 }
    let inner = rest.isEmpty ? "__typename" : text(of: rest, on: rootType(kind), margin: "  ", literal)
    let opening = end == 0 ? "" : "\n\n"
    return [TextEdit(range: end..<bytes.count, text: "\(opening)\(kind.rawValue) {\n  \(inner)\n}\n")]
  }

  private func insert(_ steps: ArraySlice<Step>, in place: Location, _ literal: String?) -> [TextEdit] {
    guard let owner = place.owners.last else { return [] }
    let bytes = document.source.bytes
    let margin = margin(at: owner.range.lowerBound)
    guard let set = place.set, !set.isMissing else {
      let text = text(of: steps, on: place.type, margin: margin + "  ", literal)
      return [
        TextEdit(range: owner.range.upperBound..<owner.range.upperBound, text: " {\n\(margin)  \(text)\n\(margin)}")
      ]
    }
    let isOneLine = !bytes[set.range].contains(0x0A)
    let last = set.selections.last
    let end = last?.range.upperBound ?? set.range.lowerBound + 1
    let inner = isOneLine ? margin + "  " : last.map { self.margin(at: $0.range.lowerBound) } ?? margin + "  "
    let text = text(of: steps, on: place.type, margin: inner, literal)
    // If the text needs several lines, start a new line even in a selection set on a single line.
    return [TextEdit(range: end..<end, text: isOneLine && !text.contains("\n") ? " \(text)" : "\n\(inner)\(text)")]
  }

  /// Returns the text that selects the rest of a path. All lines but the first are indented by `margin`.
  ///
  /// - Parameter literal: The value of an argument at the end of the path.
  private func text(
    of steps: ArraySlice<Step>, on type: TypeDefinition?, margin: String, _ literal: String?
  ) -> String {
    guard let step = steps.first else { return "" }
    let rest = steps.dropFirst()
    switch step {
    case .root: return ""
    case .argument: return ""
    case .condition(let name):
      let inner = schema.type(named: name)
      let members =
        rest.isEmpty ? leaves(of: inner, margin + "  ") : text(of: rest, on: inner, margin: margin + "  ", literal)
      return "... on \(name) {\n\(margin)  \(members)\n\(margin)}"
    case .field(let name):
      guard let field = type?.field(named: name) else { return name }
      let requested: String? = if case .argument(let argument)? = rest.first { argument } else { nil }
      let arguments = field.arguments.filter { $0.isRequired || $0.name == requested }
        .map { argument in
          let given = argument.name == requested ? literal : nil
          return "\(argument.name): \(given ?? ExampleValue.literal(of: argument.type))"
        }
      let call = arguments.isEmpty ? name : "\(name)(\(arguments.joined(separator: ", ")))"
      guard let inner = field.type.definition, inner.isComposite else { return call }
      let members =
        rest.isEmpty || requested != nil
        ? leaves(of: inner, margin + "  ") : text(of: rest, on: inner, margin: margin + "  ", literal)
      return "\(call) {\n\(margin)  \(members)\n\(margin)}"
    }
  }

  /// Returns the initial selections of an object: fields that identify it.
  private func leaves(of type: TypeDefinition?, _ margin: String) -> String {
    let names = ["id", "name", "title"].filter { name in
      guard let field = type?.field(named: name), field.type.definition?.isLeaf ?? false else { return false }
      return !field.arguments.contains(where: \.isRequired)
    }
    return names.isEmpty ? "__typename" : names.prefix(2).joined(separator: "\n\(margin)")
  }

  private func insert(_ name: String, _ literal: String, in field: FieldNode) -> [TextEdit] {
    let text = "\(name): \(literal)"
    if let last = field.arguments.last { return [.insert(", \(text)", at: last.range.upperBound)] }
    return [.insert("(\(text))", at: field.name.range.upperBound)]
  }

  private func margin(at offset: Int) -> String {
    let bytes = document.source.bytes
    var start = offset
    while start > 0, bytes[start - 1] != 0x0A { start -= 1 }
    var count = 0
    while start + count < offset, bytes[start + count] == 0x20 { count += 1 }
    return String(repeating: " ", count: count)
  }

  // MARK: Taking away

  /// Removes a selection, along with parents that would become empty. An operation keeps `__typename`.
  private func remove(_ node: AnyNode, _ owners: [AnyNode]) -> [TextEdit] {
    var node = node
    var owners = owners
    while let owner = owners.last {
      let set = owner.children.first { $0.kind == .selectionSet }
      if let set, set.children.count > 1 { break }
      if owners.count == 1 { return [TextEdit(range: node.range, text: "__typename")] }
      node = owner
      owners.removeLast()
    }
    let bytes = document.source.bytes
    var start = node.range.lowerBound
    while start > 0, [0x20, 0x09, 0x2C].contains(bytes[start - 1]) { start -= 1 }
    // Also remove the line break of the line.
    if start > 0, bytes[start - 1] == 0x0A { start -= 1 }
    return [TextEdit(range: start..<node.range.upperBound, text: "")]
  }

  private func remove(_ argument: ArgumentNode, of field: FieldNode) -> [TextEdit] {
    let all = field.arguments
    guard let index = all.firstIndex(of: argument) else { return [] }
    if all.count == 1 {
      let bytes = document.source.bytes
      var end = argument.range.upperBound
      while end < bytes.count, bytes[end] != UInt8(ascii: ")") { end += 1 }
      return [TextEdit(range: field.name.range.upperBound..<min(end + 1, bytes.count), text: "")]
    }
    let range =
      index + 1 < all.count
      ? argument.range.lowerBound..<all[index + 1].range.lowerBound
      : all[index - 1].range.upperBound..<argument.range.upperBound
    return [TextEdit(range: range, text: "")]
  }
}
