import ApusClientOperation
import ApusClientRecords
import ApusJSON

/// The selections at one response path, by record type.
final class ReaderNode {
  let node: PlanNode
  private unowned let context: ReaderContext
  private var all: [ReaderSelection] = []
  private var last: ReaderSelection?

  init(node: PlanNode, context: ReaderContext) {
    self.node = node
    self.context = context
  }

  /// Returns the selection for records of a type.
  func shape(type: TypeID?, in storage: StoredRecords) -> ReaderSelection {
    if let last, last.type == type { return last }
    if let shape = all.first(where: { $0.type == type }) {
      last = shape
      return shape
    }
    let typename = type.map { storage.typenames[$0] }
    let made = ReaderSelection(
      type: type, typename: typename ?? node.concreteType, node: node, in: storage, context: context)
    all.append(made)
    last = made
    return made
  }
}

/// The cached selections of one read.
final class ReaderContext {
  let request: RecordRequest
  private var shapes: [ObjectIdentifier: ReaderNode] = [:]

  init(_ request: RecordRequest) { self.request = request }

  func shapes(of node: PlanNode) -> ReaderNode {
    let identifier = ObjectIdentifier(node)
    if let node = shapes[identifier] { return node }
    let made = ReaderNode(node: node, context: self)
    shapes[identifier] = made
    return made
  }
}

/// A field that is selected on records of one type. A class, since it is passed along for each value that is read.
final class ReaderField {
  let responseKey: String
  let name: String
  /// The key in the record: `birds({"first":10})`.
  let key: String
  /// The field's id; `nil` if no record has it.
  let id: FieldID?
  let hash: UInt64
  let child: ReaderNode?
  /// Deferrals of the fragments that contain the field; empty if it is part of the object's initial data.
  let usages: [PlanDeferral]
  /// Whether a missing value is a cache miss.
  let isRequired: Bool
  /// Coverage markers of the fragments that contain the field. Empty unless it is only in fragments of which it is
  /// unknown whether they apply to the object.
  let coverage: [(id: FieldID?, hash: UInt64)]
  /// Records that its arguments identify, for use if no record has the field.
  let redirect: FieldRedirect?
  /// Whether its pages are read as one connection.
  let isConnection: Bool
  /// The requested range of its list, if the field has offset paging.
  let window: OffsetWindow?
  /// The field in the selection plan, with its type.
  let plan: PlanField

  init(_ field: PlanField, of typename: String?, in storage: StoredRecords, context: ReaderContext) {
    let request = context.request
    plan = field
    responseKey = field.responseKey
    name = field.field.name
    key = request.policies.fieldKey(field, of: typename, variables: request.plan.variables)
    id = storage.fieldNames.find(key)
    hash = KeyHash.of(key)
    child = field.child.map(context.shapes(of:))
    usages = field.usages
    isRequired = field.isCertain && !field.isAdded
    let conditions = field.usages.isEmpty && !field.isAdded ? field.conditions : []
    coverage = conditions.map(CoverageMarker.key(of:)).map { (storage.fieldNames.find($0), KeyHash.of($0)) }
    redirect = field.child == nil ? nil : request.redirect(field, of: typename)
    switch request.policies.policy(name, of: typename)?.merge {
    case .connection: (isConnection, window) = (true, nil)
    case .offset(let offset, let limit):
      (isConnection, window) = (false, OffsetWindow(of: field, offset, limit, request.plan.variables))
    case .append, .function, nil: (isConnection, window) = (false, nil)
    }
  }
}

/// A deferred fragment on records of one type.
struct ReaderFragment {
  /// The coverage marker of a fragment: a field whose value says whether the fragment applies to the record.
  typealias Note = (id: FieldID?, hash: UInt64)

  let plan: PlanFragment
  let shapes: ReaderNode
  /// Markers of the enclosing fragments, outermost first.
  let enclosing: [Note]
  /// The marker of the fragment, after those of its enclosing fragments.
  let direct: [Note]

  init(_ plan: PlanFragment, shapes: ReaderNode, in storage: StoredRecords) {
    func notes(_ conditions: [String]) -> [Note] {
      conditions.indices.map { index in
        let key = CoverageMarker.key(of: Array(conditions[...index]))
        return (storage.fieldNames.find(key), KeyHash.of(key))
      }
    }
    self.plan = plan
    self.shapes = shapes
    enclosing = notes(plan.enclosingConditions)
    direct = notes(plan.conditions)
  }
}

/// The selection on records of one type.
final class ReaderSelection {
  let type: TypeID?
  let fields: [ReaderField]
  let fragments: [ReaderFragment]
  // The same values in flat arrays, so that the loop over a record's fields does no reference counting.
  let ids: ContiguousArray<FieldID?>
  let hashes: ContiguousArray<UInt64>
  let hasChild: ContiguousArray<Bool>
  let isDeferred: ContiguousArray<Bool>
  let types: ContiguousArray<TypeShape>
  /// Whether records of the type are possible at this path.
  let isPossible: Bool
  /// Whether all fields are found only by their key.
  let isPlain: Bool
  /// Whether there are fields that apply only to some records, according to coverage markers.
  let isUncertain: Bool
  private let members: ContiguousArray<UInt8>
  private let memberEnds: ContiguousArray<Int>

  init(type: TypeID?, typename: String?, node: PlanNode, in storage: StoredRecords, context: ReaderContext) {
    let plan = node.fields(for: type == nil ? nil : typename)
    self.type = type
    isPossible = node.isPossible(typename)
    fields = plan.fields.map { ReaderField($0, of: typename, in: storage, context: context) }
    fragments = plan.fragments.map { ReaderFragment($0, shapes: context.shapes(of: $0.node), in: storage) }
    ids = ContiguousArray(fields.map(\.id))
    hashes = ContiguousArray(fields.map(\.hash))
    hasChild = ContiguousArray(fields.map { $0.child != nil })
    isUncertain = fields.contains { !$0.coverage.isEmpty }
    isPlain = fields.allSatisfy { $0.redirect == nil && !$0.isConnection }
    types = ContiguousArray(plan.fields.map(\.shape))
    isDeferred = ContiguousArray(fields.map { !$0.usages.isEmpty })
    var bytes: ContiguousArray<UInt8> = []
    var ends: ContiguousArray<Int> = [0]
    for field in fields {
      bytes.append(contentsOf: JSONBytes.member(field.responseKey))
      ends.append(bytes.count)
    }
    members = bytes
    memberEnds = ends
  }

  /// Appends a field's response key in quotes, with a colon.
  @inline(__always)
  func appendMember(_ index: Int, to text: ByteBuffer) {
    members.withUnsafeBufferPointer {
      text.append(UnsafeBufferPointer(rebasing: $0[memberEnds[index]..<memberEnds[index + 1]]))
    }
  }
}
