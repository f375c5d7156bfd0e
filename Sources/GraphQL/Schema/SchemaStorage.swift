import ApusGraphQLLanguage

/// A reference to a syntax node in one of the schema's documents.
package struct NodeReference: Sendable, BitwiseCopyable {
  package var document: UInt32
  package var node: NodeID
}

/// A range of records in one of the flat arrays.
package struct MemberRun: Sendable, BitwiseCopyable {
  package var start: UInt32 = 0
  package var count: UInt32 = 0

  package var indices: Range<Int> { Int(start)..<Int(start + count) }
}

/// A type reference in eight bytes. The wrappers are encoded from the outermost in: bit 0 is `!`, bit 1 is a list,
/// whose element type follows in the next two bits. `[Bird!]!` has the bits `0111`.
package struct PackedType: Sendable, Hashable, BitwiseCopyable {
  package var name: NameID
  package var wrappers: UInt32

  /// The number of nested lists that the bits can hold.
  package static let maximumListDepth = 15

  package var isNonNull: Bool { wrappers & 1 != 0 }
  package var isList: Bool { wrappers & 2 != 0 }
  package init(name: NameID, wrappers: UInt32) {
    self.name = name
    self.wrappers = wrappers
  }

  package var nullable: PackedType { PackedType(name: name, wrappers: wrappers & ~1) }
  package var element: PackedType? { isList ? PackedType(name: name, wrappers: wrappers >> 2) : nil }
}

package struct TypeRecord: Sendable {
  package var name: NameID
  package var kind: TypeKind
  package var isOneOf = false
  package var isBuiltIn = false
  /// Whether the type has a definition and not only extensions.
  package var isDefined = false
  /// The definition and its extensions.
  package var parts = MemberRun()
  package var fields = MemberRun()
  /// Interfaces of an object or interface, or the members of a union, as type indices.
  package var related = MemberRun()
  package var inputFields = MemberRun()
  package var enumValues = MemberRun()
  /// Possible types of an abstract type, as type indices.
  package var possibleTypes = MemberRun()
  /// `possibleTypes` in ascending order.
  package var possibleSet = MemberRun()
}

package struct FieldRecord: Sendable, BitwiseCopyable {
  package var name: NameID
  package var parent: UInt32
  package var type: PackedType
  package var arguments: MemberRun
  package var place: NodeReference
  package var isDeprecated: Bool
}

/// A record that is found by its name among those of its owner.
protocol NamedRecord {
  var name: NameID { get }
}

package struct InputValueRecord: NamedRecord, Sendable, BitwiseCopyable {
  package var name: NameID
  package var type: PackedType
  package var place: NodeReference
  /// The node of the default value; 0 for none.
  package var defaultValue: NodeID
  package var isDeprecated: Bool
}

package struct EnumValueRecord: NamedRecord, Sendable, BitwiseCopyable {
  package var name: NameID
  package var place: NodeReference
  package var isDeprecated: Bool
}

package struct DirectiveRecord: Sendable {
  package var name: NameID
  package var place: NodeReference
  package var arguments: MemberRun
  package var isRepeatable: Bool
  /// One bit per `DirectiveLocation`, in the order of its cases.
  package var locations: UInt32
  /// Whether the directive is available although the schema does not declare it.
  package var isImplied: Bool
  /// Whether the directive accepts the arguments of a fragment, which no definition lists.
  package var takesFragmentArguments = false

  package func allows(_ location: DirectiveLocation) -> Bool {
    DirectiveLocation.allCases.firstIndex(of: location).map { locations & (1 << UInt32($0)) != 0 } ?? false
  }
}

/// The data of a schema, in flat arrays that refer to each other by index.
package struct SchemaStorage: Sendable {
  package var documents: [Document] = []
  /// The number of documents that the schema was loaded from. The documents of dialects and built-in definitions
  /// follow.
  package var ownDocumentCount = 0
  /// The requested dialects.
  package var selection = DialectSelection.automatic
  package var dialects: [DialectUse] = []
  package var federation: Federation?
  /// Specifications that the schema links.
  package var links: [FeatureLink] = []
  /// The index in `fields` of a field that a dialect adds to every composite type, such as Relay's `__id`.
  package var clientField: Int?
  package var impliesIncremental = true
  package var names = NameTable()
  /// For each name, the index in `types` plus one; zero if no type has the name.
  package var typeOfName: [UInt32] = []
  package var types: [TypeRecord] = []
  /// For each name, the index in `directives` plus one; zero if no directive has the name.
  package var directiveOfName: [UInt32] = []
  package var fields: ContiguousArray<FieldRecord> = []
  package var inputValues: ContiguousArray<InputValueRecord> = []
  package var enumValues: ContiguousArray<EnumValueRecord> = []
  package var directives: [DirectiveRecord] = []
  package var parts: ContiguousArray<NodeReference> = []
  /// Ranges of type indices.
  package var typeLists: ContiguousArray<UInt32> = []
  /// A hash table of `fields` by type and name: open addressing over indices plus one.
  package var fieldSlots: [UInt32] = []
  var inputValueIndex = MemberIndex()
  var enumValueIndex = MemberIndex()
  package var schemaParts: [NodeReference] = []
  package var rootTypes: [UInt32?] = [nil, nil, nil]
  /// Indices in `fields` of `__typename`, `__schema` and `__type`.
  package var typenameField = 0
  package var schemaField = 0
  package var typeField = 0

  package init() {}

  /// Whether a node is in the definitions of a dialect.
  func isFromDialect(_ place: NodeReference) -> Bool {
    Int(place.document) >= ownDocumentCount && Int(place.document) < documents.count - 1
  }

  /// Returns the index of an argument or input field in a range, by name.
  package func inputValue(named name: NameID, in run: MemberRun) -> Int? {
    inputValueIndex.find(name, in: run, of: inputValues)
  }

  /// Returns the index of an enum value in a range, by name.
  package func enumValue(named name: NameID, in run: MemberRun) -> Int? {
    enumValueIndex.find(name, in: run, of: enumValues)
  }

  /// Returns the index of a directive by name.
  package func directive(named name: NameID) -> Int? {
    Int(name) < directiveOfName.count && directiveOfName[Int(name)] != 0 ? Int(directiveOfName[Int(name)]) - 1 : nil
  }
}

/// Finds members of a range by name. Short ranges, which are most common, are searched; long ones have an index.
struct MemberIndex: Sendable {
  private static let shortest = 16

  /// The index of each member, keyed by the start of its range and its name.
  private var places: [UInt64: UInt32] = [:]

  mutating func add(_ run: MemberRun, of records: ContiguousArray<some NamedRecord>) {
    guard run.count >= Self.shortest else { return }
    for index in run.indices { places[Self.key(run, records[index].name)] = UInt32(index) }
  }

  func find(_ name: NameID, in run: MemberRun, of records: ContiguousArray<some NamedRecord>) -> Int? {
    guard run.count >= Self.shortest else { return run.indices.first { records[$0].name == name } }
    return places[Self.key(run, name)].map { Int($0) }
  }

  private static func key(_ run: MemberRun, _ name: NameID) -> UInt64 { UInt64(run.start) << 32 | UInt64(name) }
}
