/// What a node of the syntax tree is.
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

/// The small facts about a node that its children do not tell.
package struct SyntaxFlags: OptionSet, Sendable, BitwiseCopyable {
  package let rawValue: UInt8
  @inlinable package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The parser put the node where the text has none.
  package static let isMissing = SyntaxFlags(rawValue: 1)
  package static let isMutation = SyntaxFlags(rawValue: 2)
  package static let isSubscription = SyntaxFlags(rawValue: 4)
  /// An operation of a bare selection set.
  package static let isShorthand = SyntaxFlags(rawValue: 8)
  /// A field whose first name is an alias.
  package static let hasAlias = SyntaxFlags(rawValue: 8)
  package static let isNonNull = SyntaxFlags(rawValue: 8)
  package static let isBlock = SyntaxFlags(rawValue: 8)
  package static let isTrue = SyntaxFlags(rawValue: 8)
  package static let isRepeatable = SyntaxFlags(rawValue: 8)
  package static let isExtension = SyntaxFlags(rawValue: 16)
  /// The node's first child is a string that describes it.
  package static let hasDescription = SyntaxFlags(rawValue: 32)
  /// A string without a backslash: its text between the quotes is its value.
  package static let isPlain = SyntaxFlags(rawValue: 64)
}

/// The place of a node in its document's preorder array.
package typealias NodeID = UInt32

/// One node of the flat preorder tree: its first child, if it has one, follows it, and `next` is the node after its
/// subtree.
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

/// What the parser has to say about a place in the text, in the reference implementation's words without its
/// `Syntax Error: ` prefix.
package struct SyntaxDiagnostic: Error, Sendable, Equatable {
  package let message: String
  /// Byte offsets.
  package let range: Range<Int>

  package init(message: String, range: Range<Int>) {
    self.message = message
    self.range = range
  }
}

/// How much a document may ask of its reader. What passes a limit ends the parse with one clear diagnostic.
package struct ParserLimits: Sendable {
  /// The deepest nesting of selection sets, values and types together.
  package var depth: Int
  /// The most tokens, comments not counted.
  package var tokens: Int
  /// Whether fragments may declare variables and spreads may pass values for them, as the specification's draft has it.
  package var allowsFragmentVariables: Bool

  package init(depth: Int = 500, tokens: Int = .max, allowsFragmentVariables: Bool = true) {
    self.depth = depth
    self.tokens = tokens
    self.allowsFragmentVariables = allowsFragmentVariables
  }
}
