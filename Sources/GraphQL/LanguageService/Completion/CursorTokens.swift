import ApusGraphQLLanguage

/// The tokens that determine the context of a cursor: those of the definition around it, without complete selections
/// before it. The cost does not depend on the length of the document or the definition.
struct CursorTokens {
  private(set) var tokens: [Token] = []
  /// The innermost selection set around the cursor.
  private(set) var selectionSet: SelectionSetNode?
  private let document: Document
  private let offset: Int

  init(before offset: Int, in document: Document) {
    self.document = document
    self.offset = offset
    readDefinition()
  }

  private mutating func readDefinition() {
    guard let last = lastChild(of: 0) else { return read(from: 0, to: offset) }
    if isClosed(last) {
      read(from: Int(document.nodes[Int(last)].end), to: offset)
    } else {
      read(into: last)
    }
  }

  /// Reads a node that may contain the cursor: its tokens up to the selection set, then the nodes inside it.
  private mutating func read(into id: NodeID) {
    let start = Int(document.nodes[Int(id)].start)
    let set = document.children(of: id).first { document.nodes[Int($0)].kind == .selectionSet }
    guard let set, Int(document.nodes[Int(set)].start) < offset, !document.nodes[Int(set)].flags.contains(.isMissing)
    else { return read(from: start, to: offset) }
    let opening = Int(document.nodes[Int(set)].start)
    read(from: start, to: opening + 1)
    selectionSet = SelectionSetNode(document, set)
    guard let last = lastChild(of: set) else { return read(from: opening + 1, to: offset) }
    if isClosed(last) {
      read(from: Int(document.nodes[Int(last)].end), to: offset)
    } else {
      read(into: last)
    }
  }

  /// Returns the last child that begins before the cursor.
  private func lastChild(of id: NodeID) -> NodeID? {
    var last: NodeID?
    for child in document.children(of: id) {
      let node = document.nodes[Int(child)]
      if Int(node.start) >= offset { break }
      if node.end > node.start { last = child }
    }
    return last
  }

  /// Whether the braces of the node are closed before the cursor, so that nothing more can belong to it.
  private func isClosed(_ id: NodeID) -> Bool {
    let node = document.nodes[Int(id)]
    guard Int(node.end) <= offset, node.end > node.start + 1,
      document.source.bytes[Int(node.end) - 1] == UInt8(ascii: "}")
    else { return false }
    var last: NodeID?
    for child in document.children(of: id) { last = child }
    guard let last, document.nodes[Int(last)].end == node.end else { return true }
    return node.kind != .selectionSet && document.nodes[Int(last)].kind == .selectionSet && isClosed(last)
  }

  private mutating func read(from start: Int, to end: Int) {
    guard start < end else { return }
    tokens += document.tokens(from: start, to: end)
  }
}
