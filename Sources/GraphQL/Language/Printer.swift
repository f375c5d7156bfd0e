/// Writes trees in the layout of the reference implementation's printer. The output parses to the same tree.
package enum Printer {
  package static func print(_ document: Document) -> String {
    print(document, 0)
  }

  package static func print(_ node: some SyntaxView) -> String {
    print(node.document, node.id)
  }

  private static func print(_ document: Document, _ node: NodeID) -> String {
    document.source.bytes.withUnsafeBufferPointer { bytes in
      document.nodes.withUnsafeBufferPointer { nodes in
        var writer = TreeWriter(bytes, nodes)
        writer.write(node)
        return writer.output.text
      }
    }
  }
}
