import ApusAlgorithms
import ApusGraphQLLanguage

extension LanguageService {
  /// Sorts the list at the cursor by name: arguments, variables, input fields, or selections, with fields before fragments.
  /// Comments move with the item that they precede.
  func sort(_ place: CodeActionContext) -> CodeAction? {
    guard !document.hasErrors else { return nil }
    for step in place.path.steps.reversed() {
      switch step.node.kind {
      case .selectionSet: return sort(step.node, document.children(of: step.node.id).map { $0 }, "the selection")
      case .objectValue: return sort(step.node, document.children(of: step.node.id).map { $0 }, "the fields")
      case .argument:
        guard let parent = place.path.last(.field, .directive) else { return nil }
        return sort(parent.node, children(of: parent.node, .argument), "the arguments")
      case .variableDefinition:
        guard let parent = place.path.last(.operationDefinition) else { return nil }
        return sort(parent.node, children(of: parent.node, .variableDefinition), "the variables")
      default: continue
      }
    }
    return nil
  }

  private func children(of node: AnyNode, _ kind: SyntaxKind) -> [NodeID] {
    document.children(of: node.id).filter { document.nodes[Int($0)].kind == kind }
  }

  private func sort(_ parent: AnyNode, _ members: [NodeID], _ what: String) -> CodeAction? {
    let comments = document.tokens(in: parent.range).filter { $0.kind == .comment }.map(\.range)
    let pieces = members.map { piece($0, comments) }
    let order = members.indices.sorted { sortKey(members[$0]) < sortKey(members[$1]) }
    guard order != Array(members.indices) else { return nil }
    let ends = Set(comments.map(\.upperBound))
    let edits = zip(members.indices, order).filter { $0 != $1 }.map { slot, member in
      let text = document.source.text(pieces[member])
      // Without a line break, the following text would become part of the comment.
      let endsLine = ends.contains(pieces[member].upperBound) && !isEndOfLine(pieces[slot].upperBound)
      return TextEdit(range: pieces[slot], text: endsLine ? text + "\n" : text)
    }
    return CodeAction(kind: .sort, title: "Sort \(what) by name", edits: edits)
  }

  private func isEndOfLine(_ offset: Int) -> Bool {
    let rest = document.source.bytes[offset...].first { $0 != 0x20 && $0 != 0x09 && $0 != 0x2C }
    return rest.map { $0 == 0x0A || $0 == 0x0D } ?? true
  }

  /// Fields, then spreads, then inline fragments, each sorted by name. The sort is stable.
  private func sortKey(_ id: NodeID) -> SortKey {
    switch document.nodes[Int(id)].kind {
    case .field: SortKey(rank: 0, name: FieldNode(document, id).responseKey, id: id)
    case .fragmentSpread: SortKey(rank: 1, name: FragmentSpreadNode(document, id).name.value, id: id)
    case .inlineFragment:
      SortKey(rank: 2, name: InlineFragmentNode(document, id).typeCondition?.name.value ?? "", id: id)
    case .variableDefinition:
      SortKey(rank: 0, name: VariableDefinitionNode(document, id).variable.name.value, id: id)
    default: SortKey(rank: 0, name: NameNode(document, id + 1).value, id: id)
    }
  }

  private struct SortKey: Comparable {
    let rank: Int
    let name: String
    let id: NodeID

    static func < (left: SortKey, right: SortKey) -> Bool {
      (left.rank, left.name, left.id) < (right.rank, right.name, right.id)
    }
  }

  /// Returns the range of a member with the comment lines before it and the comment after it on the same line.
  private func piece(_ id: NodeID, _ comments: [Range<Int>]) -> Range<Int> {
    let bytes = document.source.bytes
    var range = document.nodes[Int(id)].range
    let following = comments.partitioningIndex { $0.lowerBound >= range.upperBound }
    var before = comments.partitioningIndex { $0.lowerBound >= range.lowerBound }
    while before > 0 {
      before -= 1
      let comment = comments[before]
      var line = comment.lowerBound
      while line > 0, bytes[line - 1] == 0x20 || bytes[line - 1] == 0x09 { line -= 1 }
      let isOnOwnLine = line == 0 || bytes[line - 1] == 0x0A
      guard isOnOwnLine, bytes[comment.upperBound..<range.lowerBound].allSatisfy({ $0 <= 0x20 }) else { break }
      range = comment.lowerBound..<range.upperBound
    }
    if following < comments.count,
      bytes[range.upperBound..<comments[following].lowerBound].allSatisfy({ $0 == 0x20 || $0 == 0x2C || $0 == 0x09 })
    {
      range = range.lowerBound..<comments[following].upperBound
    }
    return range
  }
}
