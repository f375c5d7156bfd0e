import ApusASCII

/// A parsed GraphQL document: its text, the flat tree of it and what is wrong with it. Immutable; there is one for
/// every text, however broken.
package final class Document: Sendable {
  package let source: Source
  /// The tree in preorder; the document itself is node 0.
  package let nodes: ContiguousArray<SyntaxNode>
  /// In the order of the text.
  package let diagnostics: [SyntaxDiagnostic]

  package convenience init(
    parsing text: String, name: String = "GraphQL request", limits: ParserLimits = ParserLimits()
  ) {
    self.init(parsing: Array(text.utf8), name: name, limits: limits)
  }

  package init(
    parsing bytes: [UInt8], name: String = "GraphQL request", limits: ParserLimits = ParserLimits()
  ) {
    source = Source(bytes: bytes, name: name)
    (nodes, diagnostics) = Self.parse(bytes, limits)
  }

  /// The document of a whole file or literal. Text with comments only is an empty document without errors: a new file is not
  /// wrong.
  package init(ofFile source: Source) {
    self.source = source
    let (nodes, diagnostics) = Self.parse(source.bytes, ParserLimits())
    self.nodes = nodes
    // The only diagnostic of such text is that it ends.
    let isEmpty = nodes.count == 1 && diagnostics.count == 1 && source.hasOnlyComments
    self.diagnostics = isEmpty ? [] : diagnostics
  }

  /// Several documents as one, definition behind definition, so that what is asked of all of them is asked once. Its
  /// source knows which of them each place is in.
  package init(joining documents: [Document]) {
    source = Source(joining: documents.map(\.source))
    var nodes: ContiguousArray<SyntaxNode> = []
    nodes.reserveCapacity(documents.reduce(1) { $0 + $1.nodes.count - 1 })
    var diagnostics: [SyntaxDiagnostic] = []
    nodes.append(SyntaxNode(kind: .document, flags: [], start: 0, end: UInt32(source.bytes.count), next: 1))
    var start = 0
    for document in documents {
      let shift = NodeID(nodes.count) - 1
      for var node in document.nodes.dropFirst() {
        node.start += UInt32(start)
        node.end += UInt32(start)
        node.next += shift
        nodes.append(node)
      }
      for diagnostic in document.diagnostics {
        let range = diagnostic.range
        diagnostics.append(
          SyntaxDiagnostic(
            message: diagnostic.message, range: range.lowerBound + start..<range.upperBound + start))
      }
      start += document.source.bytes.count + 1
    }
    nodes[0].next = NodeID(nodes.count)
    self.nodes = nodes
    self.diagnostics = diagnostics
  }

  private static func parse(
    _ bytes: [UInt8], _ limits: ParserLimits
  ) -> (ContiguousArray<SyntaxNode>, [SyntaxDiagnostic]) {
    guard bytes.count < Int(UInt32.max) else {
      let root = SyntaxNode(kind: .document, flags: [], start: 0, end: 0, next: 1)
      let diagnostic = SyntaxDiagnostic(message: "Document is larger than 4 GB. Parsing aborted.", range: 0..<0)
      return ([root], [diagnostic])
    }
    return bytes.withUnsafeBufferPointer { bytes in
      var parser = Parser(bytes, limits: limits)
      parser.parseDocument()
      guard parser.endedInside else { return (parser.nodes, parser.diagnostics) }
      // Something was never closed and has swallowed what follows. A second look, that trusts the line starts, gives
      // the better tree; the first one's diagnostics stand.
      var second = Parser(bytes, limits: limits, isRecovering: true)
      second.parseDocument()
      return (second.nodes, parser.diagnostics)
    }
  }

  package var hasErrors: Bool { !diagnostics.isEmpty }
  package var text: String { source.text }

  // MARK: Definitions

  /// It defines types and has nothing to execute.
  package var isTypeSystem: Bool {
    let definitions = definitions
    return !definitions.isEmpty && definitions.allSatisfy { !$0.isExecutable }
  }

  package var definitions: [DefinitionNode] {
    children(of: 0).compactMap { DefinitionNode(self, $0) }
  }

  package var operations: [OperationDefinitionNode] {
    children(of: 0).filter { nodes[Int($0)].kind == .operationDefinition }.map { OperationDefinitionNode(self, $0) }
  }

  package var fragments: [FragmentDefinitionNode] {
    children(of: 0).filter { nodes[Int($0)].kind == .fragmentDefinition }.map { FragmentDefinitionNode(self, $0) }
  }

  package func fragment(named name: String) -> FragmentDefinitionNode? {
    for id in children(of: 0) where nodes[Int(id)].kind == .fragmentDefinition {
      let fragment = FragmentDefinitionNode(self, id)
      if fragment.name.hasValue(name) { return fragment }
    }
    return nil
  }

  package func operation(named name: String) -> OperationDefinitionNode? {
    for id in children(of: 0) where nodes[Int(id)].kind == .operationDefinition {
      let operation = OperationDefinitionNode(self, id)
      if operation.name?.hasValue(name) == true { return operation }
    }
    return nil
  }

  // MARK: The tree

  package var root: AnyNode { AnyNode(self, 0) }

  @inlinable
  package func children(of id: NodeID) -> SyntaxChildren {
    SyntaxChildren(nodes: nodes, position: id + 1, end: nodes[Int(id)].next)
  }

  /// The nodes that the offset stands in or at the edge of, outermost first.
  package func nodes(containing offset: Int) -> [AnyNode] {
    var path: [AnyNode] = []
    var current: NodeID? = 0
    while let id = current {
      path.append(AnyNode(self, id))
      current = nil
      for child in children(of: id) {
        let node = nodes[Int(child)]
        // Where two meet, the later one is the one being typed.
        if Int(node.start) <= offset, offset <= Int(node.end) { current = child }
        if Int(node.start) > offset { break }
      }
    }
    return path
  }

  // MARK: Tokens

  /// The tokens, comments among them, that meet a range of byte offsets.
  package func tokens(in range: Range<Int>) -> [Token] {
    // Reading begins where a definition does, so that no string is cut.
    var begin = 0
    for id in children(of: 0) {
      let start = Int(nodes[Int(id)].start)
      if start > range.lowerBound { break }
      begin = start
    }
    return tokens(from: begin, to: range.upperBound).filter { $0.range.upperBound > range.lowerBound }
  }

  /// The tokens, comments among them, from an offset at which one may begin to the last that begins before another.
  package func tokens(from start: Int, to end: Int) -> [Token] {
    source.bytes.withUnsafeBufferPointer { bytes in
      var lexer = Lexer(bytes, from: start, keepsComments: true)
      var tokens: [Token] = []
      while true {
        lexer.failure = nil
        let kind = lexer.next()
        if kind == .endOfFile || lexer.start >= end { return tokens }
        tokens.append(Token(kind: kind, range: lexer.start..<lexer.position))
      }
    }
  }

  package var tokens: [Token] { tokens(in: 0..<max(source.bytes.count, 1)) }
}

/// The children of a node, first to last.
@frozen
package struct SyntaxChildren: Sequence, IteratorProtocol {
  @usableFromInline let nodes: ContiguousArray<SyntaxNode>
  @usableFromInline var position: NodeID
  @usableFromInline let end: NodeID

  @inlinable
  init(nodes: ContiguousArray<SyntaxNode>, position: NodeID, end: NodeID) {
    self.nodes = nodes
    self.position = position
    self.end = end
  }

  @inlinable
  package mutating func next() -> NodeID? {
    guard position < end else { return nil }
    let current = position
    position = nodes[Int(current)].next
    return current
  }
}

// MARK: Parts of documents

extension Document {
  /// Whether the text is one name.
  package static func isName(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      guard let first = bytes.first, first.isNameStart else { return false }
      return bytes.allSatisfy(\.isNameByte)
    }
  }

  /// Whether the text is one value without variables.
  package static func isConstantValue(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var parser = Parser(bytes, limits: ParserLimits())
      parser.advance()
      parser.parseValue(isConstant: true)
      return parser.kind == .endOfFile && parser.diagnostics.isEmpty
    }
  }
}
