import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The schema as a tree next to an operation. Selected fields are checked, and checking a row edits the document. The
/// document is the only state, so typed and checked changes never contradict each other.
package struct FieldTree: Sendable {
  /// A step of the path from the operation to a selection or an argument: `bird`, then `... on Owl`, then `name`.
  package enum Step: Hashable, Sendable {
    case root(OperationType)
    case field(String)
    /// A type condition (`... on`).
    case condition(String)
    case argument(String)
  }

  package struct Row: Equatable, Sendable {
    package var path: [Step]
    package var name: String
    package var type: String
    package var note: String
    package var isDeprecated: Bool
    /// Whether the document contains it.
    package var isSelected: Bool
    /// Whether its children are shown; `nil` if it has none.
    package var isOpen: Bool?
    /// The value of an argument in the document, or its default after `= `.
    package var value: String?
    /// Possible values of an enum or Boolean argument.
    package var choices: [String]
    /// The byte range of the selection in the document.
    package var range: Range<Int>?
  }

  /// The maximum number of rows.
  private static let limit = 5000

  let document: Document
  let operation: OperationDefinitionNode?
  let schema: Schema

  /// - Parameter offset: The position of the cursor, which determines the operation.
  package init(document: Document, offset: Int, schema: Schema) {
    self.document = document
    self.schema = schema
    operation = LanguageService(document: document, schema: schema).operation(at: offset)
  }

  func rootType(_ kind: OperationType) -> TypeDefinition? {
    switch kind {
    case .query: schema.queryType
    case .mutation: schema.mutationType
    case .subscription: schema.subscriptionType
    }
  }

  /// Returns the visible rows. By default selected fields are open and others are closed; `opened` overrides this.
  package func rows(opened: [[Step]: Bool]) -> [Row] {
    var rows: [Row] = []
    for kind in operation.map({ [$0.operation] }) ?? OperationType.allCases {
      guard let type = rootType(kind) else { continue }
      let path: [Step] = [.root(kind)]
      let isOpen = opened[path] ?? (operation != nil || kind == .query)
      rows.append(
        Row(
          path: path, name: operation?.name.map { "\(kind.rawValue) \($0.value)" } ?? kind.rawValue, type: type.name,
          note: "", isDeprecated: false, isSelected: operation != nil, isOpen: isOpen, choices: []))
      if isOpen { addMembers(of: type, operation?.selectionSet, path, opened, &rows) }
    }
    return rows
  }

  private func addMembers(
    of type: TypeDefinition, _ set: SelectionSetNode?, _ path: [Step], _ opened: [[Step]: Bool], _ rows: inout [Row]
  ) {
    let selections = set?.selections ?? []
    for field in type.fields where !field.name.hasPrefix("__") {
      guard rows.count < Self.limit else { return }
      let fieldPath = path + [.field(field.name)]
      let node = selections.lazy.compactMap(\.asField).first { $0.name.hasValue(field.name) }
      let inner = field.type.definition.flatMap { $0.isComposite ? $0 : nil }
      let canOpen = inner != nil || !field.arguments.isEmpty
      let isOpen = opened[fieldPath] ?? (node != nil && (inner != nil || !(node?.arguments.isEmpty ?? true)))
      rows.append(
        Row(
          path: fieldPath, name: field.name, type: field.type.description, note: field.description ?? "",
          isDeprecated: field.isDeprecated, isSelected: node != nil, isOpen: canOpen ? isOpen : nil, choices: [],
          range: node?.range))
      guard canOpen, isOpen else { continue }
      for argument in field.arguments {
        let given = node?.argument(named: argument.name)
        rows.append(
          Row(
            path: fieldPath + [.argument(argument.name)], name: argument.name, type: argument.type.description,
            note: argument.description ?? "", isDeprecated: argument.isDeprecated, isSelected: given != nil,
            value: given?.value.text ?? argument.defaultValueText.map { "= \($0)" }, choices: choices(of: argument.type)
          ))
      }
      if let inner { addMembers(of: inner, node?.selectionSet, fieldPath, opened, &rows) }
    }
    guard type.isAbstract else { return }
    for possible in type.possibleTypes {
      guard rows.count < Self.limit else { return }
      let fieldPath = path + [.condition(possible.name)]
      let node = selections.lazy.compactMap(\.asInlineFragment).first {
        $0.typeCondition?.name.hasValue(possible.name) == true
      }
      let isOpen = opened[fieldPath] ?? (node != nil)
      rows.append(
        Row(
          path: fieldPath, name: "... on \(possible.name)", type: "", note: possible.description ?? "",
          isDeprecated: false,
          isSelected: node != nil, isOpen: isOpen, choices: [], range: node?.range))
      if isOpen { addMembers(of: possible, node?.selectionSet, fieldPath, opened, &rows) }
    }
  }

  private func choices(of type: TypeReference) -> [String] {
    guard !type.isList, let definition = type.definition else { return [] }
    if definition.kind == .enum { return definition.enumValues.filter { !$0.isDeprecated }.map(\.name) }
    return definition.name == "Boolean" ? ["true", "false"] : []
  }
}

extension SelectionNode {
  var asField: FieldNode? { if case .field(let node) = self { node } else { nil } }
  var asInlineFragment: InlineFragmentNode? { if case .inlineFragment(let node) = self { node } else { nil } }
}
