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
  /// The objects and lists in the objects that are being collected, to be written once their record is known.
  private var members: ContiguousArray<(field: Int, slot: Int, value: JSONValue)> = []

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
    _ = normalizer.writeObject(data, shapes: shapes, as: root, in: nil, filter: PathFilter(places))
    return normalizer.records
  }

  static func records(
    of data: JSONValue, operation: CompiledOperation, variables: JSONValue, resolver: CacheKeyResolver,
    options: CacheWriteOptions
  ) -> RecordSet {
    // The last part closes the streamed lists, wherever it brought something.
    let isClosing = !options.isPartial && operation.hasIncremental && operation.selections.hasStream
    return records(
      of: data, plan: SelectionPlan(operation: operation, variables: variables), resolver: resolver,
      isPartial: options.isPartial, places: isClosing ? nil : options.places)
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
      fields: fields, typenameKey: shapes.typenameKey, resolver: resolver)
    shapes.all.append(made)
    shapes.last = made
    return made
  }

  // MARK: Objects

  /// Writes an object under its own key, under `key`, or under the path in the list or the record around it.
  private mutating func writeObject(
    _ object: JSONValue, shapes: NormalizerShapes, as key: UInt32? = nil, in place: (record: UInt32, field: UInt32)?,
    filter: PathFilter?
  ) -> UInt32 {
    let start = slots.count
    let firstMember = members.count
    // Objects of one type come in a row: the last one's shape is tried first.
    var shape: NormalizerShape
    if let last = shapes.last, last.typenameIndex != nil || shapes.node.typenameKey == nil,
      collect(object, shape: last, isGuess: true, filter: filter)
    {
      shape = last
    } else {
      slots.removeSubrange(start...)
      members.removeSubrange(firstMember...)
      shape = self.shape(in: shapes, typename: shapes.typename(of: object))
      _ = collect(object, shape: shape, isGuess: false, filter: filter)
    }
    let id = key ?? self.key(of: object, shape: shape) ?? place.map { path(record: $0.record, field: $0.field) } ?? 0
    if members.count > firstMember {
      // What stands in a list inside this object has positions of its own.
      let positions = listPositions
      if !positions.isEmpty { listPositions = [] }
      for index in firstMember..<members.count {
        let member = members[index]
        let field = shape.fields[member.field]
        var slot = write(member.value, field: field, record: id, filter: filter?.member(field.responseKey))
        slot.field = field.symbol
        slots[member.slot] = slot
      }
      members.removeSubrange(firstMember...)
      if !positions.isEmpty { listPositions = positions }
    }
    if slots.count > start || filter == nil { put(slotsFrom: start, into: id, shape: shape) }
    slots.removeSubrange(start...)
    return id
  }

  /// Makes slots of an object's scalars and notes its other members, its key's bytes among them; false when the object
  /// turns out to be of another type.
  private mutating func collect(
    _ object: JSONValue, shape: NormalizerShape, isGuess: Bool, filter: PathFilter?
  ) -> Bool {
    var expected = 0
    var isOfType = !isGuess || shape.typenameIndex == nil
    keyBytes.removeAll(keepingCapacity: true)
    JSONText.forEachMember(of: object) { key, value in
      guard let index = shape.index(of: key, expected: expected) else { return true }
      expected = index + 1
      if isGuess, index == shape.typenameIndex {
        isOfType = shape.isTypename(value)
        if !isOfType { return false }
      } else if index == shape.keyIndex {
        keyBytes.append(contentsOf: shape.keyPrefix)
        let isKey = JSONText.withIdentifier(value) { keyBytes.append(contentsOf: $0) } != nil
        if !isKey { keyBytes.removeAll(keepingCapacity: true) }
      }
      if let filter, filter.member(shape.fields[index].responseKey) == nil { return true }
      var slot = ValueSlot.null
      if shape.hasChild[index] {
        members.append((index, slots.count, value))
      } else {
        slot = scalar(value)
      }
      slot.field = shape.symbols[index]
      slots.append(slot)
      return true
    }
    return isOfType
  }

  private mutating func put(slotsFrom start: Int, into id: UInt32, shape: NormalizerShape) {
    guard shape.hasRepeatedSymbols, slots.count > start else {
      return slots.withUnsafeBufferPointer {
        records.put(UnsafeBufferPointer(rebasing: $0[start...]), into: id, type: shape.type)
      }
    }
    for position in start..<slots.count {
      slots.withUnsafeBufferPointer {
        records.put(UnsafeBufferPointer(rebasing: $0[position...position]), into: id, type: shape.type)
      }
    }
  }

  private mutating func write(
    _ value: JSONValue, field: NormalizerField, record: UInt32, filter: PathFilter?
  ) -> ValueSlot {
    guard let child = field.child else { return scalar(value) }
    switch value.kind {
    case .object:
      return .reference(writeObject(value, shapes: child, in: (record, field.symbol), filter: filter))
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
    if shape.keyIndex != nil, !keyBytes.isEmpty {
      return keyBytes.withUnsafeBufferPointer { records.intern($0) }
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

extension CompiledSelectionSet {
  /// Whether a list is streamed here or beneath.
  fileprivate var hasStream: Bool {
    guard hasIncremental else { return false }
    return selections.contains { selection in
      switch selection {
      case .field(let field): field.stream != nil || field.selectionSet?.hasStream == true
      case .fragment(let fragment): fragment.selectionSet.hasStream
      }
    }
  }
}

/// Which parts of a response are to be written, as a tree.
final class PathFilter {
  private var isWhole = false
  private var members: [String: PathFilter] = [:]
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

  /// The part of a member; `nil` when nothing of it is to be written.
  func member(_ key: String) -> PathFilter? { isWhole ? self : members[key] }

  /// The part of a list's item; an item of which nothing is to be written has an empty one.
  func element(_ index: Int) -> PathFilter { isWhole ? self : elements[index] ?? PathFilter() }
}
