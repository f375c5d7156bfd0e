import ApusGraphQLLanguage
import FuzzHarness

/// Every input of the lexer and parser has a tree that covers it.
@main enum DocumentTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) {
    let document = Document(parsing: bytes)
    expect(Int(document.nodes[0].next) == document.nodes.count, "the tree ends before its last node")
    /// The ends of the enclosing nodes: their `next`, and the end of their text.
    var around: [(next: NodeID, end: UInt32)] = []
    for (index, node) in document.nodes.enumerated() {
      while let last = around.last, last.next <= NodeID(index) { around.removeLast() }
      expect(node.next > NodeID(index), "node \(index) ends before it begins")
      expect(node.start <= node.end && Int(node.end) <= bytes.count, "node \(index) is outside the text")
      if let last = around.last { expect(node.next <= last.next, "node \(index) is longer than its parent") }
      around.append((node.next, node.end))
    }
    for diagnostic in document.diagnostics {
      expect(diagnostic.range.upperBound <= bytes.count, "\(diagnostic) is outside the text")
    }
    _ = document.tokens
  }
}
