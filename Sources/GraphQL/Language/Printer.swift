/// Writes trees in the layout of the reference implementation's printer. The output parses to the same tree.
package enum Printer {
  package static func print(_ document: Document) -> String {
    print(document, 0, indent: 0)
  }

  /// - Parameter indent: The indentation of the line that the node is on, in spaces.
  package static func print(_ node: some SyntaxView, indent: Int = 0) -> String {
    print(node.document, node.id, indent: indent)
  }

  private static func print(_ document: Document, _ node: NodeID, indent: Int) -> String {
    document.source.bytes.withUnsafeBufferPointer { bytes in
      document.nodes.withUnsafeBufferPointer { nodes in
        var writer = TreeWriter(bytes, nodes)
        writer.output.indent = indent / 2
        writer.write(node)
        return writer.output.text
      }
    }
  }
}
