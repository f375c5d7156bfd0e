import ApusClientOperation
import ApusClientRecords
import ApusJSON

/// The shapes of the objects at one place of a response, as the reader needs them.
final class ReaderShapes {
  let node: PlanNode
  private unowned let context: ReaderContext
  private var all: [ReaderShape] = []
  private var last: ReaderShape?

  init(node: PlanNode, context: ReaderContext) {
    self.node = node
    self.context = context
  }

  /// The shape for records of a type.
  func shape(type: TypeID?, in storage: StoredRecords) -> ReaderShape {
    if let last, last.type == type { return last }
    if let known = all.first(where: { $0.type == type }) {
      last = known
      return known
    }
    let typename = type.map { storage.typenames[$0] }
    let made = ReaderShape(
      type: type, typename: typename ?? node.concreteType, node: node, in: storage, context: context)
    all.append(made)
    last = made
    return made
  }
}

/// One read's shapes, each made once.
final class ReaderContext {
  let request: RecordRequest
  private var shapes: [ObjectIdentifier: ReaderShapes] = [:]

  init(_ request: RecordRequest) { self.request = request }

  func shapes(of node: PlanNode) -> ReaderShapes {
    let identifier = ObjectIdentifier(node)
    if let known = shapes[identifier] { return known }
    let made = ReaderShapes(node: node, context: self)
    shapes[identifier] = made
    return made
  }
}

/// A field as the reader meets it in a record of one type.
struct ReaderField {
  let responseKey: String
  let name: String
  /// The field's key in the record.
  let key: String
  /// `nil` when no record has such a field.
  let id: FieldID?
  let hash: UInt64
  let child: ReaderShapes?
  /// The deferred fragments that bring it; empty when it comes with the object.
  let usages: [DeferUsage]
  /// Whether its absence is a miss.
  let isRequired: Bool
  /// Where it is in fragments alone of which nobody knows whether they cover the object: what a record would have noted of
  /// them.
  let coverage: [(id: FieldID?, hash: UInt64)]
  /// Where it leads by its arguments when no record has it.
  let redirect: FieldRedirect?
  /// Whether its pages answer for one another.
  let isConnection: Bool
  /// The part of its list that it asks for, where its pages are kept as one.
  let window: OffsetWindow?
  /// What its values must be.
  let plan: PlanField

  /// Whether a key is this field's with other arguments.
  func isPage(_ other: String) -> Bool { other == name || other.hasPrefix(name + "(") }
}

/// A deferred fragment on records of one type.
struct ReaderFragment {
  /// The field of a record that notes whether a fragment covers it.
  typealias Note = (id: FieldID?, hash: UInt64)

  let plan: PlanFragment
  let shapes: ReaderShapes
  /// The notes of the fragments around it, the outermost first.
  let enclosing: [Note]
  /// The note of the fragment itself, after those.
  let own: [Note]

  init(_ plan: PlanFragment, shapes: ReaderShapes, in storage: StoredRecords) {
    func notes(_ conditions: [String]) -> [Note] {
      conditions.indices.map { index in
        let key = CoverageNote.key(of: Array(conditions[...index]))
        return (storage.fieldNames.find(key), KeyHash.of(key))
      }
    }
    self.plan = plan
    self.shapes = shapes
    enclosing = notes(plan.enclosingConditions)
    own = notes(plan.conditions)
  }
}

/// What is selected on records of one type.
final class ReaderShape {
  let type: TypeID?
  let fields: [ReaderField]
  let fragments: [ReaderFragment]
  // The same, for the loop over a record's fields, which must not touch what counts references.
  let ids: ContiguousArray<FieldID?>
  let hashes: ContiguousArray<UInt64>
  let hasChild: ContiguousArray<Bool>
  let isDeferred: ContiguousArray<Bool>
  let types: ContiguousArray<TypeShape>
  /// Whether records of the type can stand here.
  let isPossible: Bool
  /// Whether no field here is found in another way than by its key.
  let isPlain: Bool
  /// Whether there are fields of which only the record can tell whether it has them.
  let isUncertain: Bool
  private let members: ContiguousArray<UInt8>
  private let memberEnds: ContiguousArray<Int>

  init(type: TypeID?, typename: String?, node: PlanNode, in storage: StoredRecords, context: ReaderContext) {
    let plan = node.fields(for: type == nil ? nil : typename)
    self.type = type
    isPossible = node.isPossible(typename)
    fields = plan.fields.map { field in
      let request = context.request
      let key = request.policies.fieldKey(field, of: typename, variables: request.plan.variables)
      var isConnection = false
      var window: OffsetWindow?
      switch request.policies.policy(field.field.name, of: typename)?.merge {
      case .connection: isConnection = true
      case .offset(let offset, let limit): window = OffsetWindow(of: field, offset, limit, request.plan.variables)
      default: break
      }
      return ReaderField(
        responseKey: field.responseKey, name: field.field.name, key: key,
        id: storage.fieldNames.find(key), hash: KeyHash.of(key),
        child: field.child.map(context.shapes(of:)), usages: field.usages,
        isRequired: field.isCertain && !field.isAdded,
        coverage: field.usages.isEmpty && !field.isAdded
          ? field.conditions.map(CoverageNote.key(of:)).map { key in
            (storage.fieldNames.find(key), KeyHash.of(key))
          } : [],
        redirect: field.child == nil ? nil : request.redirect(field, of: typename), isConnection: isConnection,
        window: window, plan: field)
    }
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
      bytes.append(contentsOf: JSONText.member(field.responseKey))
      ends.append(bytes.count)
    }
    members = bytes
    memberEnds = ends
  }

  /// Appends a field's response key with its quotes and its colon.
  @inline(__always)
  func appendMember(_ index: Int, to text: ByteBuffer) {
    members.withUnsafeBufferPointer {
      text.append(UnsafeBufferPointer(rebasing: $0[memberEnds[index]..<memberEnds[index + 1]]))
    }
  }
}
