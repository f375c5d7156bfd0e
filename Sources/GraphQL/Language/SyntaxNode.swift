package enum SyntaxKind: UInt8, Sendable, BitwiseCopyable, CaseIterable {
  case document
  case name
  // Executable definitions.
  case operationDefinition
  case variableDefinition
  case selectionSet
  case field
  case argument
  case fragmentSpread
  case inlineFragment
  case fragmentDefinition
  case directive
  // Values.
  case variable
  case intValue
  case floatValue
  case stringValue
  case booleanValue
  case nullValue
  case enumValue
  case listValue
  case objectValue
  case objectField
  // Type references. A trailing `!` is the flag `isNonNull`, not a node.
  case namedType
  case listType
  // Type system. A definition that begins with `extend` has the flag `isExtension`.
  case schemaDefinition
  case rootOperationTypeDefinition
  case scalarTypeDefinition
  case objectTypeDefinition
  case interfaceTypeDefinition
  case unionTypeDefinition
  case enumTypeDefinition
  case inputObjectTypeDefinition
  case fieldDefinition
  case inputValueDefinition
  case enumValueDefinition
  case directiveDefinition
  case directiveLocation
}

/// Facts about a node that its children do not show.
package struct SyntaxFlags: OptionSet, Sendable, BitwiseCopyable {
  package let rawValue: UInt8
  @inlinable package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The node is missing in the source and was added by the parser.
  package static let isMissing = SyntaxFlags(rawValue: 1)
  package static let isMutation = SyntaxFlags(rawValue: 2)
  package static let isSubscription = SyntaxFlags(rawValue: 4)
  /// An operation that is only a selection set.
  package static let isShorthand = SyntaxFlags(rawValue: 8)
  /// A field with an alias, which is its first name.
  package static let hasAlias = SyntaxFlags(rawValue: 8)
  package static let isNonNull = SyntaxFlags(rawValue: 8)
  package static let isBlock = SyntaxFlags(rawValue: 8)
  package static let isTrue = SyntaxFlags(rawValue: 8)
  package static let isRepeatable = SyntaxFlags(rawValue: 8)
  package static let isExtension = SyntaxFlags(rawValue: 16)
  /// The first child is the description.
  package static let hasDescription = SyntaxFlags(rawValue: 32)
  /// A string without backslashes: its value is the text between the quotes.
  package static let isPlain = SyntaxFlags(rawValue: 64)
}

/// The index of a node in the preorder array of its document.
package typealias NodeID = UInt32

/// A node of the flat preorder tree. Its first child, if any, follows it; `next` is the node after its subtree. In
/// `{ a }` the document is node 0, the operation 1, its selection set 2, the field 3 and its name 4.
package struct SyntaxNode: Sendable, BitwiseCopyable {
  package var kind: SyntaxKind
  package var flags: SyntaxFlags
  package var start: UInt32
  package var end: UInt32
  package var next: NodeID

  @inlinable
  init(kind: SyntaxKind, flags: SyntaxFlags, start: UInt32, end: UInt32, next: NodeID) {
    self.kind = kind
    self.flags = flags
    self.start = start
    self.end = end
    self.next = next
  }

  @inlinable package var range: Range<Int> { Int(start)..<Int(end) }
}

/// A syntax error, with the message of the reference implementation without the prefix `Syntax Error: `.
package struct SyntaxDiagnostic: Error, Sendable, Equatable {
  package let message: String
  /// The range in bytes.
  package let range: Range<Int>

  package init(message: String, range: Range<Int>) {
    self.message = message
    self.range = range
  }
}

/// Limits on the size of a document. Exceeding one ends the parse with a single diagnostic.
package struct ParserLimits: Sendable {
  /// The maximum nesting of selection sets, values and types combined.
  package var depth: Int
  /// The maximum number of tokens, not counting comments.
  package var tokens: Int
  /// Whether fragments may declare variables, and spreads may pass arguments for them (draft of the specification).
  package var allowsFragmentVariables: Bool

  package init(depth: Int = 500, tokens: Int = .max, allowsFragmentVariables: Bool = true) {
    self.depth = depth
    self.tokens = tokens
    self.allowsFragmentVariables = allowsFragmentVariables
  }
}
