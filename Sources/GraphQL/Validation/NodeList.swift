import ApusAlgorithms
import ApusGraphQLLanguage

/// Nodes of one kind in a document, as typed views. It stores their IDs only, in ascending order.
struct NodeList<View: TypedNode>: RandomAccessCollection {
  private let document: Document
  private var ids: [NodeID] = []

  init(_ document: Document) { self.document = document }

  mutating func append(id: NodeID) { ids.append(id) }

  mutating func append(_ range: Range<Int>, of other: Self) { ids.append(contentsOf: other.ids[range]) }

  var startIndex: Int { ids.startIndex }
  var endIndex: Int { ids.endIndex }
  subscript(index: Int) -> View { View(document, ids[index]) }
  func id(at index: Int) -> NodeID { ids[index] }

  /// Returns the nodes of a sorted list that are descendants of a node.
  func within(_ owner: some SyntaxView) -> Slice<Self> { self[indices(within: owner)] }

  func indices(within owner: some SyntaxView) -> Range<Int> {
    let (first, next) = (owner.id, owner.node.next)
    return ids.partitioningIndex { $0 >= first }..<ids.partitioningIndex { $0 >= next }
  }
}
