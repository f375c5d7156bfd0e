import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The schema as a tree beside an operation: what the text selects is ticked, and ticking changes the text. Nothing is
/// remembered but the text, so that writing by hand and ticking never contradict each other.
package struct FieldTree: Sendable {
  /// A step from the operation to something that can be selected or given.
  package enum Step: Hashable, Sendable {
    case root(OperationType)
    case field(String)
    /// `... on` a type.
    case condition(String)
    case argument(String)
  }

  package struct Row: Equatable, Sendable {
    package var path: [Step]
    package var name: String
    package var type: String
    package var note: String
    package var isDeprecated: Bool
    /// Whether the text has it.
    package var isSelected: Bool
    /// Whether what is in it is shown; nil where nothing is.
    package var isOpen: Bool?
    /// An argument's value, as the text has it.
    package var value: String?
    /// The values that there are, where they can be counted.
    package var choices: [String]
    /// The bytes of the text that select it.
    package var range: Range<Int>?
  }

  /// More rows than anybody reads.
  private static let limit = 5000

  let document: Document
  let operation: OperationDefinitionNode?
  let schema: Schema

  /// - Parameter offset: Where the cursor is: it tells the operation.
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

  /// The rows in sight. What is selected is open unless it was closed, all else is closed unless it was opened.
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
      let own = path + [.field(field.name)]
      let node = selections.lazy.compactMap(\.asField).first { $0.name.hasValue(field.name) }
      let inner = field.type.definition.flatMap { $0.isComposite ? $0 : nil }
      let canOpen = inner != nil || !field.arguments.isEmpty
      let isOpen = opened[own] ?? (node != nil && (inner != nil || !(node?.arguments.isEmpty ?? true)))
      rows.append(
        Row(
          path: own, name: field.name, type: field.type.description, note: field.description ?? "",
          isDeprecated: field.isDeprecated, isSelected: node != nil, isOpen: canOpen ? isOpen : nil, choices: [],
          range: node?.range))
      guard canOpen, isOpen else { continue }
      for argument in field.arguments {
        let given = node?.argument(named: argument.name)
        rows.append(
          Row(
            path: own + [.argument(argument.name)], name: argument.name, type: argument.type.description,
            note: argument.description ?? "", isDeprecated: argument.isDeprecated, isSelected: given != nil,
            value: given?.value.text ?? argument.defaultValueText.map { "= \($0)" }, choices: choices(of: argument.type)
          ))
      }
      if let inner { addMembers(of: inner, node?.selectionSet, own, opened, &rows) }
    }
    guard type.isAbstract else { return }
    for possible in type.possibleTypes {
      guard rows.count < Self.limit else { return }
      let own = path + [.condition(possible.name)]
      let node = selections.lazy.compactMap(\.asInlineFragment).first {
        $0.typeCondition?.name.hasValue(possible.name) == true
      }
      let isOpen = opened[own] ?? (node != nil)
      rows.append(
        Row(
          path: own, name: "... on \(possible.name)", type: "", note: possible.description ?? "", isDeprecated: false,
          isSelected: node != nil, isOpen: isOpen, choices: [], range: node?.range))
      if isOpen { addMembers(of: possible, node?.selectionSet, own, opened, &rows) }
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
