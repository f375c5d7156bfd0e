import ApusASCII

/// A parsed GraphQL document: its source, flat syntax tree and diagnostics. Immutable. Parsing never fails; every text
/// has a document.
package final class Document: Sendable {
  package let source: Source
  /// The tree in preorder; the document itself is node 0.
  package let nodes: ContiguousArray<SyntaxNode>
  /// Diagnostics in source order.
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

  /// Creates the document of a whole file or literal. A text with only comments is an empty document without
  /// diagnostics, because a new file is not an error.
  package init(ofFile source: Source) {
    self.source = source
    let (nodes, diagnostics) = Self.parse(source.bytes, ParserLimits())
    self.nodes = nodes
    // Such a text has a single diagnostic, that it is empty.
    let isEmpty = nodes.count == 1 && diagnostics.count == 1 && source.hasOnlyComments
    self.diagnostics = isEmpty ? [] : diagnostics
  }

  /// Joins several documents into one, so that they can be processed together. Locations still refer to the original
  /// sources.
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
      // A brace was never closed and includes the following definitions. A second pass that trusts line starts produces
      // a better tree; the diagnostics of the first pass are kept.
      var second = Parser(bytes, limits: limits, isRecovering: true)
      second.parseDocument()
      return (second.nodes, parser.diagnostics)
    }
  }

  package var hasErrors: Bool { !diagnostics.isEmpty }
  package var text: String { source.text }

  // MARK: Definitions

  /// Whether the document contains only type system definitions.
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

  @inlinable
  package func children(of id: NodeID) -> SyntaxChildren {
    SyntaxChildren(nodes: nodes, position: id + 1, end: nodes[Int(id)].next)
  }

  /// Returns the nodes that contain the offset or touch it, outermost first.
  package func nodes(containing offset: Int) -> [AnyNode] {
    var path: [AnyNode] = []
    var current: NodeID? = 0
    while let id = current {
      path.append(AnyNode(self, id))
      current = nil
      for child in children(of: id) {
        let node = nodes[Int(child)]
        // If two nodes touch, the later one is being typed.
        if Int(node.start) <= offset, offset <= Int(node.end) { current = child }
        if Int(node.start) > offset { break }
      }
    }
    return path
  }

  // MARK: Tokens

  /// Returns the tokens, including comments, that overlap a range of byte offsets.
  package func tokens(in range: Range<Int>) -> [Token] {
    // Start at a definition, so that a string is not entered in the middle.
    var begin = 0
    for id in children(of: 0) {
      let start = Int(nodes[Int(id)].start)
      if start > range.lowerBound { break }
      begin = start
    }
    return tokens(from: begin, to: range.upperBound).filter { $0.range.upperBound > range.lowerBound }
  }

  /// Returns the tokens, including comments, that begin in `start..<end`. `start` must be the beginning of a token.
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

/// The children of a node in order.
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

// MARK: Fragments of documents

extension Document {
  /// Whether the text is a single name.
  package static func isName(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      guard let first = bytes.first, first.isNameStart else { return false }
      return bytes.allSatisfy(\.isNameByte)
    }
  }

  /// Whether the text is a single value without variables.
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
