import GraphQLLanguage

/// Where in a schema's documents something is written.
struct NodeReference: Sendable, BitwiseCopyable {
  var document: UInt32
  var node: NodeID
}

/// A run of records in one of the flat arrays.
struct Run: Sendable, BitwiseCopyable {
  var start: UInt32 = 0
  var count: UInt32 = 0

  var indices: Range<Int> { Int(start)..<Int(start + count) }
}

/// A type reference in eight bytes. The wrappers are read from the outermost in: bit 0 is `!`, bit 1 tells a list,
/// whose element follows two bits further on.
package struct PackedType: Sendable, Hashable, BitwiseCopyable {
  package var name: NameID
  package var wrappers: UInt32

  /// So many lists fit into the bits.
  static let maximumListDepth = 15

  package var isNonNull: Bool { wrappers & 1 != 0 }
  package var isList: Bool { wrappers & 2 != 0 }
  package var nullable: PackedType { PackedType(name: name, wrappers: wrappers & ~1) }
  package var nonNull: PackedType { PackedType(name: name, wrappers: wrappers | 1) }
  package var element: PackedType? { isList ? PackedType(name: name, wrappers: wrappers >> 2) : nil }
}

struct TypeRecord: Sendable {
  var name: NameID
  var kind: TypeKind
  var isOneOf = false
  var isBuiltIn = false
  /// The definition and its extensions.
  var parts = Run()
  var fields = Run()
  /// Of an object or interface: what it implements. Of a union: its members. Type indices.
  var related = Run()
  var inputFields = Run()
  var enumValues = Run()
  /// Of an abstract type: what it may be. Type indices.
  var possibleTypes = Run()
}

struct FieldRecord: Sendable, BitwiseCopyable {
  var name: NameID
  var parent: UInt32
  var type: PackedType
  var arguments: Run
  var place: NodeReference
  var isDeprecated: Bool
}

struct InputValueRecord: Sendable, BitwiseCopyable {
  var name: NameID
  var type: PackedType
  var place: NodeReference
  /// Node of the default value; 0 for none.
  var defaultValue: NodeID
  var isDeprecated: Bool
}

struct EnumValueRecord: Sendable, BitwiseCopyable {
  var name: NameID
  var place: NodeReference
  var isDeprecated: Bool
}

struct DirectiveRecord: Sendable {
  var name: NameID
  var place: NodeReference
  var arguments: Run
  var isRepeatable: Bool
  /// One bit for each `DirectiveLocation`, in the order of its cases.
  var locations: UInt32
  /// Known although the schema does not declare it.
  var isImplied: Bool
}

/// All of a schema, in flat arrays that refer to each other by index.
struct SchemaStorage: Sendable {
  var documents: [Document] = []
  var names = NameTable()
  /// The index in `types` plus one for each name; zero where no type has the name.
  var typeOfName: [UInt32] = []
  var types: [TypeRecord] = []
  var fields: ContiguousArray<FieldRecord> = []
  var inputValues: ContiguousArray<InputValueRecord> = []
  var enumValues: ContiguousArray<EnumValueRecord> = []
  var directives: [DirectiveRecord] = []
  var parts: ContiguousArray<NodeReference> = []
  /// Runs of type indices.
  var typeLists: ContiguousArray<UInt32> = []
  /// `fields` by type and name: open addressing over indices plus one.
  var fieldSlots: [UInt32] = []
  /// For each abstract type one row of bits over all types; `possibleRow` gives the row plus one for each type.
  var possibleBits: [UInt64] = []
  var possibleRow: [UInt32] = []
  var schemaParts: [NodeReference] = []
  var rootTypes: [UInt32?] = [nil, nil, nil]
  /// `__typename`, `__schema`, `__type` in `fields`.
  var typenameField = 0
  var schemaField = 0
  var typeField = 0
  var defects: [SchemaDefect] = []
}
