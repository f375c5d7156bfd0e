import ApusClientOperation
import ApusClientRecords
import ApusJSON

/// The shapes of the objects at one path of a response, by type.
final class NormalizerNode {
  let node: PlanNode
  var all: [NormalizerSelection] = []
  /// The last shape that was used. Consecutive objects usually have the same type.
  var last: NormalizerSelection?
  let typenameKey: String

  init(node: PlanNode) {
    self.node = node
    typenameKey = node.typenameKey ?? "__typename"
  }

  /// Returns the typename of an object: its `__typename`, or the only possible type.
  func typename(of object: JSONValue) -> String? {
    guard let value = object[typenameKey] else { return node.concreteType }
    return value.string ?? node.concreteType
  }
}

/// A field that is selected on objects of one type.
struct NormalizerField {
  let responseKey: String
  let name: String
  let hasArguments: Bool
  let id: FieldID
  /// The field's component in the paths of embedded records, with all arguments.
  let pathID: FieldID
  let child: NormalizerNode?
  let isOpen: Bool
  /// The expiry time, if the field has its own time to live.
  let expires: UInt32?
  let merge: PendingMerge?
  let plan: PlanField

  init(
    _ field: PlanField, id: FieldID, pathID: FieldID, child: NormalizerNode?, isOpen: Bool, expires: UInt32?,
    merge: PendingMerge?
  ) {
    plan = field
    responseKey = field.responseKey
    name = field.field.name
    hasArguments = field.argumentsKey != field.field.name
    (self.id, self.pathID, self.child, self.isOpen, self.expires, self.merge) = (
      id, pathID, child, isOpen, expires, merge
    )
  }
}

/// A field in a form without references, so that the loop over an object's members does no reference counting.
struct ShapeField: BitwiseCopyable {
  let name: UnsafePointer<UInt8>
  let length: Int
  let id: FieldID
  let pathID: FieldID
  let hasChild: Bool
  let isOpen: Bool
  /// The type of the field's values.
  let type: TypeShape
}

/// The selected fields of an object of one type, and those that form its key.
final class NormalizerSelection {
  let typename: String?
  /// The type that determines the fields' policies; `nil` if unknown.
  let parentType: String?
  let typenameBytes: ContiguousArray<UInt8>
  let type: TypeID?
  let fields: [NormalizerField]
  let typenameIndex: Int?
  /// The index of the field that is the key, if there is only one candidate.
  let keyIndex: Int?
  /// Response keys of the key candidates. The first with a value is the key.
  let keyResponseKeys: [String]
  /// The typename or its group, and a colon: `Bird:`.
  let keyPrefix: ContiguousArray<UInt8>
  /// Whether the key is computed by a function or from several fields.
  let needsResolver: Bool
  /// The expiry time of the record; 0 for never.
  let expires: UInt32
  /// Whether objects of the type are the query root.
  let isQueryRoot: Bool
  /// Whether objects of the type are possible at this path.
  let isPossible: Bool
  /// Whether any field has its own time to live or a merge policy.
  let hasPolicies: Bool
  /// Whether two members are aliases of one field.
  let hasRepeatedFields: Bool
  /// Coverage markers for fragments that may or may not apply to objects of the type.
  let coverage: [CoverageMarker.Place]
  /// Fields in memory that the shape owns, followed by their response keys.
  let table: UnsafeMutablePointer<ShapeField>
  let fieldCount: Int
  /// Fields of the selection plan, with the same indexes.
  private let planned: FieldTable

  init(
    typename: String?, type: TypeID?, fields: [NormalizerField], node: PlanNode, typenameKey: String,
    resolver: CacheKeyResolver, isQueryRoot: Bool, expires: UInt32, coverage: [CoverageMarker.Place]
  ) {
    self.isQueryRoot = isQueryRoot
    self.expires = expires
    isPossible = node.isPossible(typename)
    hasPolicies = fields.contains { $0.expires != nil || $0.merge != nil }
    self.typename = typename
    parentType = typename ?? node.concreteType
    typenameBytes = ContiguousArray((typename ?? "").utf8)
    self.type = type
    self.fields = fields
    typenameIndex = fields.firstIndex { $0.responseKey == typenameKey }
    let typeKeyFields = typename.flatMap { resolver.keyFields[$0] }
    needsResolver = resolver.cacheKeyInfo != nil || (typeKeyFields?.count ?? 1) != 1
    keyResponseKeys = (typeKeyFields ?? resolver.candidates).compactMap { candidate in
      fields.first { $0.name == candidate && !$0.hasArguments }?.responseKey
    }
    let keys = keyResponseKeys
    keyIndex = needsResolver || keys.isEmpty ? nil : fields.firstIndex { $0.responseKey == keys[0] }
    let group = typename.flatMap { resolver.uniqueKeyGroups[$0] } ?? typename ?? ""
    keyPrefix = ContiguousArray((group + ":").utf8)
    self.coverage = coverage
    hasRepeatedFields = fields.count > 1 && Set(fields.map(\.id)).count != fields.count
    fieldCount = fields.count
    planned = node.fields(for: typename).table
    let tableSize = fields.count * MemoryLayout<ShapeField>.stride
    let size = fields.reduce(max(1, tableSize)) { $0 + $1.responseKey.utf8.count }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: MemoryLayout<ShapeField>.alignment)
    table = memory.bindMemory(to: ShapeField.self, capacity: fields.count)
    var end = (memory + tableSize).bindMemory(to: UInt8.self, capacity: size - tableSize)
    for (index, field) in fields.enumerated() {
      let name = end
      for byte in field.responseKey.utf8 {
        end.initialize(to: byte)
        end += 1
      }
      (table + index).initialize(
        to: ShapeField(
          name: UnsafePointer(name), length: end - name, id: field.id, pathID: field.pathID,
          hasChild: field.child != nil, isOpen: field.isOpen, type: field.plan.shape))
    }
  }

  deinit { table.deallocate() }

  /// Returns the index of a response key. `expected` is the next index in document order.
  @inline(__always)
  func index(of key: UnsafeBufferPointer<UInt8>, expected: Int) -> Int? {
    if expected < fieldCount,
      Self.areEqual(UnsafeBufferPointer(start: table[expected].name, count: table[expected].length), key)
    {
      return expected
    }
    return planned.index(of: key, expected: expected)
  }

  /// Returns whether the value of the field at `typenameIndex` is this shape's typename.
  func isTypename(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    typenameBytes.withUnsafeBufferPointer { Self.areEqual($0, text) }
  }

  @inline(__always)
  private static func areEqual(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    guard let first = left.baseAddress, let second = right.baseAddress else { return true }
    return Tape.areEqual(first, second, count: left.count)
  }

  /// Returns the object with field names instead of response keys, as key resolvers expect it.
  func byName(_ object: JSONValue) -> JSONValue {
    var members: [(String, JSONValue)] = []
    for field in fields where !field.hasArguments {
      if let value = object[field.responseKey] { members.append((field.name, value)) }
    }
    return .object(members)
  }
}
