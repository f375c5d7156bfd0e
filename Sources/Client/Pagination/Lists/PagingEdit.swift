import GraphQLLanguage
import GraphQLSchema

/// A change to a document that makes a connection of it one with pages: the `pageInfo` that tells whether there is
/// more, and the cursor argument that asks for it.
package struct PagingEdit: Sendable, Hashable {
  /// The field's response keys, from the root.
  package let path: [String]
  /// The whole document with the change in it.
  package let text: String

  /// The changes that an operation could do with: one for each field that has `edges` or `nodes` and no `pageInfo`.
  package static func edits(of operation: OperationDefinitionNode, schema: Schema?) -> [PagingEdit] {
    var search = Search(operation: operation, schema: schema)
    search.visit(operation.selectionSet, type: schema?.rootType(operation.operation), path: [], spreads: [])
    return search.found
  }

  private struct Search {
    let operation: OperationDefinitionNode
    let schema: Schema?
    var found: [PagingEdit] = []

    mutating func visit(_ set: SelectionSetNode, type: TypeDefinition?, path: [String], spreads: Set<String>) {
      for selection in set.selections {
        switch selection {
        case .inlineFragment(let fragment):
          let condition = fragment.typeCondition.flatMap { schema?.type(named: $0.name.value) }
          visit(fragment.selectionSet, type: condition ?? type, path: path, spreads: spreads)
        case .fragmentSpread(let spread):
          let name = spread.name.value
          guard !spreads.contains(name), let fragment = operation.document.fragment(named: name) else { continue }
          visit(
            fragment.selectionSet, type: schema?.type(named: fragment.typeCondition.name.value), path: path,
            spreads: spreads.union([name]))
        case .field(let field):
          guard let inner = field.selectionSet else { continue }
          let definition = type?.field(named: field.name.value)
          let fieldType = definition?.type.definition
          let place = path + [field.responseKey]
          if isUnpaged(inner, fieldType) {
            found.append(edit(field, inner, definition, path: place))
          }
          visit(inner, type: fieldType, path: place, spreads: spreads)
        }
      }
    }

    private func isUnpaged(_ set: SelectionSetNode, _ type: TypeDefinition?) -> Bool {
      let names = fieldNames(set)
      guard names.contains("edges") || names.contains("nodes"), !names.contains("pageInfo") else { return false }
      return type.map { $0.field(named: "pageInfo") != nil } ?? names.contains("edges")
    }

    private func fieldNames(_ set: SelectionSetNode) -> Set<String> {
      Set(set.selections.compactMap { if case .field(let field) = $0 { field.name.value } else { nil } })
    }

    private func edit(
      _ field: FieldNode, _ set: SelectionSetNode, _ definition: FieldDefinition?, path: [String]
    ) -> PagingEdit {
      var insertions: [(offset: Int, text: String)] = []
      let bytes = operation.document.source.bytes
      let last = set.selections.last?.range ?? set.range
      let info = "pageInfo { hasNextPage endCursor }"
      let line = bytes[..<last.lowerBound].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      let indentation = bytes[line..<last.lowerBound]
      // On a line of its own where the selections stand on lines of their own.
      let isOnOwnLine = line > 0 && indentation.allSatisfy { $0 == 32 || $0 == 9 }
      insertions.append(
        (last.upperBound, isOnOwnLine ? "\n\(String(decoding: indentation, as: UTF8.self))\(info)" : " \(info)"))
      if field.argument(named: "after") == nil, definition.map({ $0.argument(named: "after") != nil }) ?? true {
        let variable = freeName()
        let argument = "after: $\(variable)"
        insertions.append(
          field.arguments.last.map { ($0.range.upperBound, ", \(argument)") }
            ?? (field.name.range.upperBound, "(\(argument))"))
        let type = definition?.argument(named: "after")?.type.description ?? "String"
        insertions.append(declaration("$\(variable): \(type.hasSuffix("!") ? String(type.dropLast()) : type)"))
      }
      var text = bytes
      for insertion in insertions.sorted(by: { $0.offset > $1.offset }) {
        text.insert(contentsOf: Array(insertion.text.utf8), at: insertion.offset)
      }
      return PagingEdit(path: path, text: String(decoding: text, as: UTF8.self))
    }

    private func freeName() -> String {
      let taken = Set(operation.variableDefinitions.map { $0.variable.name.value })
      return (["after"] + (2...99).map { "after\($0)" }).first { !taken.contains($0) } ?? "pageCursor"
    }

    private func declaration(_ variable: String) -> (offset: Int, text: String) {
      if let last = operation.variableDefinitions.last { return (last.range.upperBound, ", \(variable)") }
      if operation.isShorthand { return (operation.range.lowerBound, "query (\(variable)) ") }
      if let name = operation.name { return (name.range.upperBound, "(\(variable))") }
      return (operation.range.lowerBound + operation.operation.rawValue.utf8.count, " (\(variable))")
    }
  }
}
