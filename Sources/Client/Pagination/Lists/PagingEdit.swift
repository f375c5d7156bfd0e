import ApusGraphQLLanguage
import ApusGraphQLSchema

/// An edit of a document that makes a connection pageable, by adding the missing parts: a `pageInfo` selection, a
/// cursor argument, or both. `birds(first: 10) { edges { node { id } } }` gets `after: $after` and
/// `pageInfo { hasNextPage endCursor }`.
///
/// | field with `edges` or `nodes` | page info | cursor argument |
/// |---|---|---|
/// | page info of either direction, and a cursor argument | kept | kept |
/// | an argument `last` or `before` | added: `hasPreviousPage startCursor` | added, if both are absent: `before` |
/// | any other | added: `hasNextPage endCursor` | added, if both are absent: `after` |
/// | page info without all fields of a direction | its missing fields are added | as above |
/// | the schema's field has no such argument | as above | none |
/// | the schema's type has no `pageInfo`; without a schema, `nodes` without `edges` and page info | none | none |
///
/// An addition is on a separate line if the selection before it is, with the same indentation. A variable name that the
/// operation already has gets a number: `$after2`.
package struct PagingEdit: Sendable, Equatable {
  /// Response keys of the field, starting at the root.
  package let path: [String]
  /// The complete document after the edit.
  package let text: String

  /// Returns the possible edits of an operation: one for each field with `edges` or `nodes` that cannot be paged yet.
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
          let lack = lack(of: field, inner, definition)
          if !lack.isNothing { found.append(edit(field, inner, lack, definition, path: place)) }
          visit(inner, type: fieldType, path: place, spreads: spreads)
        }
      }
    }

    /// The parts that a connection field needs for paging but does not have.
    private struct Lack {
      enum Info {
        case nothing
        case complete
        /// These fields of the existing `pageInfo`.
        case fields(FieldNode, [String])
      }

      var info = Info.nothing
      /// The cursor argument: `after`, or `before` if the operation requests the end of the list.
      var cursor: String?

      var isNothing: Bool {
        if case .nothing = info { cursor == nil } else { false }
      }
    }

    private func lack(of field: FieldNode, _ set: SelectionSetNode, _ definition: FieldDefinition?) -> Lack {
      let selected = fields(set)
      let names = Set(selected.map(\.name.value))
      let type = definition?.type.definition
      guard names.contains("edges") || names.contains("nodes"),
        type.map({ $0.field(named: "pageInfo") != nil }) ?? (names.contains("edges") || names.contains("pageInfo"))
      else { return Lack() }
      var lack = Lack()
      if let info = selected.first(where: { $0.name.hasValue("pageInfo") }) {
        let selectedInfo = Set(info.selectionSet.map { fields($0).map(\.name.value) } ?? [])
        if !selectedInfo.isSuperset(of: Self.forward), !selectedInfo.isSuperset(of: Self.backward) {
          lack.info = .fields(info, requested(field).filter { !selectedInfo.contains($0) })
        }
      } else {
        lack.info = .complete
      }
      let cursor = isFromEnd(field) ? "before" : "after"
      if field.argument(named: "after") == nil, field.argument(named: "before") == nil,
        definition.map({ $0.argument(named: cursor) != nil }) ?? true
      {
        lack.cursor = cursor
      }
      return lack
    }

    private static let forward = ["hasNextPage", "endCursor"]
    private static let backward = ["hasPreviousPage", "startCursor"]

    private func isFromEnd(_ field: FieldNode) -> Bool {
      field.argument(named: "last") != nil || field.argument(named: "before") != nil
    }

    private func requested(_ field: FieldNode) -> [String] { isFromEnd(field) ? Self.backward : Self.forward }

    /// Returns the fields that a set selects on its object, including those of its fragments.
    private func fields(_ set: SelectionSetNode, _ spreads: Set<String> = []) -> [FieldNode] {
      set.selections.flatMap { selection -> [FieldNode] in
        switch selection {
        case .field(let field): return [field]
        case .inlineFragment(let fragment): return fields(fragment.selectionSet, spreads)
        case .fragmentSpread(let spread):
          let name = spread.name.value
          guard !spreads.contains(name), let fragment = operation.document.fragment(named: name) else { return [] }
          return fields(fragment.selectionSet, spreads.union([name]))
        }
      }
    }

    private func edit(
      _ field: FieldNode, _ set: SelectionSetNode, _ lack: Lack, _ definition: FieldDefinition?, path: [String]
    ) -> PagingEdit {
      var insertions: [(offset: Int, text: String)] = []
      let bytes = operation.document.source.bytes
      switch lack.info {
      case .nothing: break
      case .complete:
        insertions.append(insertion(of: "pageInfo { \(requested(field).joined(separator: " ")) }", in: set))
      case .fields(let info, let names):
        let text = names.joined(separator: " ")
        insertions.append(
          info.selectionSet.map { insertion(of: text, in: $0) } ?? (info.range.upperBound, " { \(text) }"))
      }
      if let cursor = lack.cursor {
        let variable = freeName(cursor)
        let argument = "\(cursor): $\(variable)"
        insertions.append(
          field.arguments.last.map { ($0.range.upperBound, ", \(argument)") }
            ?? (field.name.range.upperBound, "(\(argument))"))
        let type = definition?.argument(named: cursor)?.type.description ?? "String"
        insertions.append(
          operation.declaration(of: "$\(variable): \(type.hasSuffix("!") ? String(type.dropLast()) : type)"))
      }
      var text = bytes
      for insertion in insertions.sorted(by: { $0.offset > $1.offset }) {
        text.insert(contentsOf: Array(insertion.text.utf8), at: insertion.offset)
      }
      return PagingEdit(path: path, text: String(decoding: text, as: UTF8.self))
    }

    /// Returns an insertion after the last selection of a set, on a new line if the selections are on separate lines.
    private func insertion(of text: String, in set: SelectionSetNode) -> (offset: Int, text: String) {
      let bytes = operation.document.source.bytes
      let last = set.selections.last?.range ?? set.range
      let line = bytes[..<last.lowerBound].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      let indentation = bytes[line..<last.lowerBound]
      let isOnOwnLine = line > 0 && indentation.allSatisfy { $0 == 32 || $0 == 9 }
      return (
        last.upperBound, isOnOwnLine ? "\n\(String(decoding: indentation, as: UTF8.self))\(text)" : " \(text)"
      )
    }

    private func freeName(_ cursor: String) -> String {
      let taken = Set(operation.variableDefinitions.map { $0.variable.name.value })
      return ([cursor] + (2...99).map { "\(cursor)\($0)" }).first { !taken.contains($0) } ?? "pageCursor"
    }
  }
}
