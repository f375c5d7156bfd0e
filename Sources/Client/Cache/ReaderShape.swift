import ClientOperation
import JSON

/// The shapes of the objects at one place of a response, as the reader needs them.
final class ReaderShapes {
  let node: PlanNode
  private var all: [ReaderShape] = []
  private var last: ReaderShape?

  init(node: PlanNode) { self.node = node }

  /// The shape for records of a type, given by its symbol in a table.
  func shape(type: UInt32, in table: RecordTable, context: ReaderContext) -> ReaderShape {
    if let last, last.type == type { return last }
    if let known = all.first(where: { $0.type == type }) {
      last = known
      return known
    }
    let typename = type == RecordTable.none ? nil : table.typenames.name(type)
    let made = ReaderShape(type: type, node.fields(for: typename), in: table, context: context)
    all.append(made)
    last = made
    return made
  }
}

/// One read's shapes, each made once.
final class ReaderContext {
  private var shapes: [ObjectIdentifier: ReaderShapes] = [:]

  func shapes(of node: PlanNode) -> ReaderShapes {
    let identifier = ObjectIdentifier(node)
    if let known = shapes[identifier] { return known }
    let made = ReaderShapes(node: node)
    shapes[identifier] = made
    return made
  }
}

/// A field as the reader meets it in a record of one type.
struct ReaderField {
  let responseKey: String
  /// `RecordTable.none` when no record has such a field.
  let symbol: UInt32
  let hash: UInt64
  let child: ReaderShapes?
  /// The deferred fragments that bring it; empty when it comes with the object.
  let usages: [DeferUsage]
  /// Whether its absence is a miss.
  let isRequired: Bool
}

/// A deferred fragment on records of one type.
struct ReaderFragment {
  let plan: PlanFragment
  let shapes: ReaderShapes
}

/// What is selected on records of one type.
final class ReaderShape {
  let type: UInt32
  let fields: [ReaderField]
  let fragments: [ReaderFragment]
  // The same, for the loop over a record's fields, which must not touch what counts references.
  let symbols: ContiguousArray<UInt32>
  let hashes: ContiguousArray<UInt64>
  let hasChild: ContiguousArray<Bool>
  let isDeferred: ContiguousArray<Bool>
  private let members: ContiguousArray<UInt8>
  private let memberEnds: ContiguousArray<Int>

  init(type: UInt32, _ plan: PlanFields, in table: RecordTable, context: ReaderContext) {
    self.type = type
    fields = plan.fields.map { field in
      ReaderField(
        responseKey: field.responseKey,
        symbol: table.fieldKeys.index(of: field.argumentsKey) ?? RecordTable.none,
        hash: KeyHash.of(field.argumentsKey), child: field.child.map(context.shapes(of:)), usages: field.usages,
        isRequired: field.isCertain && !field.isAdded)
    }
    fragments = plan.fragments.map { ReaderFragment(plan: $0, shapes: context.shapes(of: $0.node)) }
    symbols = ContiguousArray(fields.map(\.symbol))
    hashes = ContiguousArray(fields.map(\.hash))
    hasChild = ContiguousArray(fields.map { $0.child != nil })
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
  func appendMember(_ index: Int, to text: TextBuffer) {
    members.withUnsafeBufferPointer {
      text.append(UnsafeBufferPointer(rebasing: $0[memberEnds[index]..<memberEnds[index + 1]]))
    }
  }
}
