import GraphQLLanguage
import GraphQLSchema

/// What all structs of models are made from: the documents as one, and the schema.
final class ModelContext {
  let document: Document
  let schema: Schema
  private let fragments: [String: FragmentSource]
  private var selections: [NodeID: [DocumentSelection]] = [:]

  init(document: Document, schema: Schema) {
    self.document = document
    self.schema = schema
    fragments = Dictionary(
      document.fragments.map { node in
        let condition = TypeCondition(node.typeCondition, in: schema)
        return (node.name.value, FragmentSource(condition: condition, set: node.selectionSet.id))
      }, uniquingKeysWith: { first, _ in first })
  }

  func fragment(_ name: String) -> FragmentSource? { fragments[name] }

  /// What a selection set asks for. A fragment's is asked for wherever the fragment is used, and is read once.
  func selections(of set: NodeID) -> [DocumentSelection] {
    if let known = selections[set] { return known }
    let read = SelectionSetNode(document, set).selections.map { DocumentSelection($0, in: schema) }
    selections[set] = read
    return read
  }
}

/// The selections of a named fragment, and the type that they are made on.
struct FragmentSource {
  let condition: TypeCondition
  let set: NodeID
}

/// Which objects a fragment's selections are made on.
enum TypeCondition {
  /// Every object that the fragment stands on.
  case none
  case type(TypeDefinition)
  /// A type that the schema does not have.
  case unknown

  init(_ node: NamedTypeNode?, in schema: Schema) {
    guard let node else {
      self = .none
      return
    }
    self = schema.type(named: node.name.value).map { .type($0) } ?? .unknown
  }

  /// Whether every object of the type meets the condition.
  func covers(_ type: TypeDefinition) -> Bool {
    switch self {
    case .none: true
    case .type(let condition): type.isSubtype(of: condition)
    case .unknown: false
    }
  }
}

/// One selection of the documents, as it is read.
final class DocumentSelection {
  enum Content {
    /// - Parameters:
    ///   - name: nil where no type of the schema has such a field.
    ///   - set: What is selected on the object that the field gives.
    case field(FieldNode, key: String, name: NameID?, set: NodeID?)
    case inlineFragment(TypeCondition, set: NodeID)
    case fragment(String)
  }

  let content: Content
  let conditions: [ModelConditions.Condition]
  let deferral: DirectiveNode?

  init(_ selection: SelectionNode, in schema: Schema) {
    let directives = selection.directives
    conditions = directives.isEmpty ? [] : directives.conditions
    deferral = directives.isEmpty ? nil : directives.deferral
    switch selection {
    case .field(let field):
      content = .field(
        field, key: field.responseKey, name: schema.storage.names.find(field.name.value), set: field.selectionSet?.id)
    case .inlineFragment(let fragment):
      content = .inlineFragment(TypeCondition(fragment.typeCondition, in: schema), set: fragment.selectionSet.id)
    case .fragmentSpread(let spread): content = .fragment(spread.name.value)
    }
  }
}
