import ClientOperation
import JSON

/// Takes a response apart into records.
///
/// 1. An object's typename chooses the shape of what is selected on it, made once for each place and type.
/// 2. Its key is found among the fields that the shape knows; an object without one is kept under its path.
/// 3. Each member becomes a slot; objects inside it become records of their own and leave a reference.
///
/// A member that is not there (of a fragment still to come) is not written: it is never taken for null.
struct Normalizer {
  private let plan: SelectionPlan
  private let resolver: CacheKeyResolver
  /// Whether more of the response is to come: then its streamed lists are open.
  private let isPartial: Bool
  private(set) var records = RecordSet()
  private var shapes: [ObjectIdentifier: NormalizerShapes] = [:]
  /// Slots of the records and lists that are being collected, the innermost last.
  private var slots: ContiguousArray<ValueSlot> = []
  /// The positions in the lists around the value that is being written.
  private var listPositions: ContiguousArray<UInt32> = []
  private var keyBytes: ContiguousArray<UInt8> = []

  init(plan: SelectionPlan, resolver: CacheKeyResolver, isPartial: Bool) {
    self.plan = plan
    self.resolver = resolver
    self.isPartial = isPartial
  }

  /// The records of a whole response, or of the values at some places of it.
  static func records(
    of data: JSONValue, plan: SelectionPlan, resolver: CacheKeyResolver, isPartial: Bool = false,
    places: [ResponsePath]? = nil
  ) -> RecordSet {
    var normalizer = Normalizer(plan: plan, resolver: resolver, isPartial: isPartial)
    guard data.kind == .object else { return normalizer.records }
    let root = normalizer.records.intern(plan.operation.rootKey)
    let shapes = normalizer.shapes(of: plan.root)
    normalizer.writeObject(
      data, as: root, shapes: shapes, typename: plan.root.typename(of: data), filter: PathFilter(places))
    return normalizer.records
  }

  private mutating func shapes(of node: PlanNode) -> NormalizerShapes {
    let identifier = ObjectIdentifier(node)
    if let known = shapes[identifier] { return known }
    let made = NormalizerShapes(node: node)
    shapes[identifier] = made
    return made
  }

  private mutating func shape(in shapes: NormalizerShapes, typename: String?) -> NormalizerShape {
    if let last = shapes.last, last.typename == typename { return last }
    if let known = shapes.all.first(where: { $0.typename == typename }) {
      shapes.last = known
      return known
    }
    let fields = shapes.node.fields(for: typename).fields.map { field in
      NormalizerField(
        field, symbol: records.table.fieldKeys.intern(field.argumentsKey),
        child: field.child.map { self.shapes(of: $0) },
        isOpen: isPartial && field.stream != nil)
    }
    let made = NormalizerShape(
      typename: typename, type: typename.map { records.table.typenames.intern($0) } ?? RecordTable.none,
      fields: fields, resolver: resolver)
    shapes.all.append(made)
    shapes.last = made
    return made
  }

  // MARK: Objects

  private mutating func writeObject(
    _ object: JSONValue, as id: UInt32, shapes: NormalizerShapes, typename: String?, filter: PathFilter?
  ) {
    let shape = shape(in: shapes, typename: typename)
    writeObject(object, as: id, shape: shape, filter: filter)
  }

  private mutating func writeObject(
    _ object: JSONValue, as id: UInt32, shape: NormalizerShape, filter: PathFilter?
  ) {
    let start = slots.count
    var expected = 0
    JSONText.forEachMember(of: object) { key, value in
      guard let index = shape.index(of: key, expected: expected) else { return }
      expected = index + 1
      let field = shape.fields[index]
      var inner: PathFilter?
      if let filter, !filter.isWhole {
        guard let next = filter.members[field.responseKey] else { return }
        inner = next
      }
      var slot = write(value, field: field, record: id, filter: inner)
      slot.field = field.symbol
      slots.append(slot)
    }
    if shape.hasRepeatedSymbols {
      for position in start..<slots.count {
        let slot = slots[position]
        withUnsafePointer(to: slot) {
          records.put(UnsafeBufferPointer(start: $0, count: 1), into: id, type: shape.type)
        }
      }
      if start == slots.count { records.put(UnsafeBufferPointer(start: nil, count: 0), into: id, type: shape.type) }
    } else {
      slots.withUnsafeBufferPointer {
        records.put(UnsafeBufferPointer(rebasing: $0[start...]), into: id, type: shape.type)
      }
    }
    slots.removeSubrange(start...)
  }

  private mutating func write(
    _ value: JSONValue, field: NormalizerField, record: UInt32, filter: PathFilter?
  ) -> ValueSlot {
    guard let child = field.child else { return scalar(value) }
    switch value.kind {
    case .object:
      let typename = child.typename(of: value)
      let shape = shape(in: child, typename: typename)
      let id = key(of: value, shape: shape) ?? path(record: record, field: field.symbol)
      // What stands in a list inside this object has positions of its own.
      let positions = listPositions
      if !positions.isEmpty { listPositions = [] }
      writeObject(value, as: id, shape: shape, filter: filter)
      if !positions.isEmpty { listPositions = positions }
      return .reference(id)
    case .array:
      let start = slots.count
      var position: UInt32 = 0
      for element in value.elements {
        listPositions.append(position)
        // A list is one value of its record, so all of it is written; beneath its items the filter counts again.
        let slot = write(element, field: field, record: record, filter: filter?.element(Int(position)))
        listPositions.removeLast()
        slots.append(slot)
        position += 1
      }
      let list = slots.withUnsafeBufferPointer {
        records.table.makeList(UnsafeBufferPointer(rebasing: $0[start...]), field: field.symbol, isOpen: field.isOpen)
      }
      slots.removeSubrange(start...)
      return list
    default:
      return scalar(value)
    }
  }

  private mutating func scalar(_ value: JSONValue) -> ValueSlot {
    if value.isNull { return .null }
    var slot = ValueSlot.null
    JSONText.withStored(value) { bytes, isString in slot = records.table.makeText(bytes, isString: isString) }
    return slot
  }

  // MARK: Keys

  private mutating func path(record: UInt32, field: UInt32) -> UInt32 {
    var id = records.intern(parent: record, component: .field(field))
    for position in listPositions { id = records.intern(parent: id, component: .index(position)) }
    return id
  }

  /// The key's text is put together as bytes: typename, colon, value.
  private mutating func key(of object: JSONValue, shape: NormalizerShape) -> UInt32? {
    guard let typename = shape.typename else { return nil }
    if shape.needsResolver {
      return resolver.key(for: shape.byName(object), typename: typename).map { records.intern($0) }
    }
    for candidate in shape.keyResponseKeys {
      guard let value = object[candidate] else { continue }
      keyBytes.replaceSubrange(0..., with: shape.keyPrefix)
      let isKey = JSONText.withIdentifier(value) { keyBytes.append(contentsOf: $0) } != nil
      guard isKey else { continue }
      return keyBytes.withUnsafeBufferPointer { records.intern($0) }
    }
    return nil
  }
}

extension CompiledOperation {
  /// The key of the record that the operation's own fields lie in.
  var rootKey: CacheKey {
    switch operationType {
    case .query: .queryRoot
    case .mutation: .mutationRoot
    case .subscription: .subscriptionRoot
    }
  }
}

/// Which parts of a response are to be written, as a tree.
final class PathFilter {
  private(set) var isWhole = false
  private(set) var members: [String: PathFilter] = [:]
  private var elements: [Int: PathFilter] = [:]

  private init() {}

  /// `nil` stands for everything.
  init?(_ places: [ResponsePath]?) {
    guard let places else { return nil }
    for place in places { add(place) }
    if isWhole { return nil }
  }

  private func add(_ place: ResponsePath) {
    var node = self
    for component in place.components {
      switch component {
      case .key(let key):
        let next = node.members[key] ?? PathFilter()
        node.members[key] = next
        node = next
      case .index(let index):
        let next = node.elements[index] ?? PathFilter()
        node.elements[index] = next
        node = next
      }
    }
    node.isWhole = true
  }

  /// The part of a list's item; an item of which nothing is to be written has an empty one.
  func element(_ index: Int) -> PathFilter { isWhole ? self : elements[index] ?? PathFilter() }
}
