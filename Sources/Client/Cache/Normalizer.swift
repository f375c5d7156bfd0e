import ApusClientAPI
import ApusClientOperation
import ApusClientResultExecution
import ApusJSON

/// Takes a response apart into records.
///
/// 1. An object's typename chooses the shape of what is selected on it, made once for each place and type.
/// 2. Its key is found among the fields that the shape knows; an object without one is kept under its path.
/// 3. Each member becomes a slot; objects inside it become records of their own and leave a reference.
/// 4. On the way each value is compared with its type. Where one is not what it must be, the response is executed, and
///    what contradicts the operation is left out; its error is noted in its place.
///
/// Of mutations and subscriptions only the objects with keys are kept: nobody asks for their answers again, and their
/// arguments are nobody's business.
///
/// A member that is not there (of a fragment still to come) is not written: it is never taken for null.
struct Normalizer: ~Copyable {
  let plan: SelectionPlan
  private let resolver: CacheKeyResolver
  let policies: CachePolicies
  let options: CacheWriteOptions
  /// Seconds since 1970.
  private let time: UInt32
  var records = RecordSet()
  /// Whether values are compared with their types on the way.
  let isChecking: Bool
  /// Whether a value was met that is not what its type says.
  var isSuspect = false
  /// The record of the operation's own fields.
  private(set) var root: UInt32 = 0
  /// The root of what is not kept under it; `nil` for a query.
  private var unkeptRoot: UInt32?
  /// The shapes of the first few places, and those of all others: most operations have few.
  private var firstShapes: ContiguousArray<NormalizerShapes> = []
  private var otherShapes: [ObjectIdentifier: NormalizerShapes] = [:]
  /// Slots of the records and lists that are being collected, the innermost last.
  private var slots: ContiguousArray<ValueSlot> = []
  /// The positions in the lists around the value that is being written.
  var listPositions: ContiguousArray<UInt32> = []
  private var keyBytes: ContiguousArray<UInt8> = []
  /// Whether members came in another order than the document's: then one may have come twice.
  var mayRepeat = false
  // The same for the walk along a tape.
  let slotStack = Stack<ValueSlot>()
  let memberStack = Stack<(field: Int, slot: Int, place: TapePlace)>()
  let keyText = ByteBuffer(capacity: 256)
  /// The objects and lists in the objects that are being collected, to be written once their record is known.
  private var members: ContiguousArray<(field: Int, slot: Int, value: JSONValue)> = []

  private init(_ request: RecordRequest, options: CacheWriteOptions, time: UInt32, isChecking: Bool) {
    self.isChecking = isChecking
    plan = request.plan
    resolver = request.resolver
    policies = request.policies
    self.options = options
    self.time = time
  }

  /// The records of a whole response, or of the values at some places of it. `known` are those of the cache, where a
  /// fragment may be written into an embedded one.
  static func records(
    of data: JSONValue, _ request: RecordRequest, options: CacheWriteOptions = .whole, time: UInt32 = 0,
    known: RecordSet? = nil
  ) -> RecordSet {
    guard data.kind == .object else { return RecordSet() }
    var options = options
    // The last part closes the streamed lists, wherever it brought something: all of the response is written.
    let operation = request.plan.operation
    if !options.isPartial, operation.hasIncremental, operation.selections.hasStream { options.places = nil }
    let explained = options.failedFragments.flatMap(\.state.errors) + options.streamErrors
    var unanswered = UnansweredField.all(options.errors, explained: explained, in: data, request.plan)
    if let contradictions = options.contradictions {
      unanswered += contradictions.map { UnansweredField(place: $0.path, errors: [GraphQLError($0)]) }
    }
    let isChecking = options.contradictions == nil
    guard let removal = FieldRemoval(of: unanswered.map(\.place)) else { return RecordSet() }
    var normalizer = Normalizer(request, options: options, time: time, isChecking: isChecking)
    let rest = removal.rest(of: data)
    normalizer.write(rest, unanswered.isEmpty ? nil : removal, on: request.root, knownTo: known)
    for field in unanswered { normalizer.note(field, data: rest) }
    for fragment in options.failedFragments { normalizer.note(fragment, data: rest) }
    guard isChecking, normalizer.isSuspect else { return normalizer.handOver() }
    options.contradictions = ResultExecutor.contradictions(in: data, plan: request.plan)
    return records(of: data, request, options: options, time: time, known: known)
  }

  /// What was written. It leaves, so that none of the references in it is counted once more.
  private consuming func handOver() -> RecordSet { records }

  private mutating func write(
    _ data: JSONValue, _ removal: FieldRemoval?, on key: CacheKey, knownTo known: RecordSet?
  ) {
    let operation = plan.operation
    if let (document, _) = data.position { records.reserve(keys: document.objectCount) }
    root = records.intern(key, knownTo: known)
    if operation.operationType != .query { unkeptRoot = root }
    if records.table.entries[root].isPath { records.named = root }
    hasErrors = removal != nil || !options.errors.isEmpty
    _ = writeObject(
      data, shapes: shapes(of: plan.root), as: root, in: nil, filter: PathFilter(options.places), removal)
  }

  /// Whether something was not answered because of an error.
  private(set) var hasErrors = false

  /// Whether a record is kept: it has a key of its own, or is embedded in one that has, or in the root of a query.
  func isKept(_ id: UInt32) -> Bool {
    guard let unkeptRoot else { return true }
    var id = id
    while records.table.entries[id].isPath { id = records.table.entries[id].parent }
    return id != unkeptRoot
  }

  mutating func shapes(of node: PlanNode) -> NormalizerShapes {
    let identifier = ObjectIdentifier(node)
    if let known = firstShapes.first(where: { $0.node === node }) ?? otherShapes[identifier] { return known }
    let made = NormalizerShapes(node: node)
    if firstShapes.count < 16 { firstShapes.append(made) } else { otherShapes[identifier] = made }
    return made
  }

  mutating func shape(in shapes: NormalizerShapes, typename: String?) -> NormalizerShape {
    if let last = shapes.last, last.typename == typename { return last }
    if let known = shapes.all.first(where: { $0.typename == typename }) {
      shapes.last = known
      return known
    }
    let parent = typename ?? shapes.node.concreteType
    var joined: [UInt32: [JSONValue]] = [:]
    let fields = shapes.node.fields(for: typename).fields.map { field in
      let policy = policies.policy(field.field.name, of: parent)
      let isUnkept = unkeptRoot != nil && shapes.node === plan.root
      let key = isUnkept ? field.field.name : policies.fieldKey(field, of: parent, variables: plan.variables)
      let pathKey = isUnkept ? key : policies.pathKey(field, of: parent, variables: plan.variables)
      let arguments = policy?.merge.map { merge in
        PendingMerge(
          merge: merge,
          arguments: .object(field.field.argumentValues(variables: plan.variables).map { ($0.name, $0.value) }))
      }
      var symbol = records.table.fieldKeys.intern(key)
      if let page = arguments?.arguments {
        // Aliases of one list have symbols of their own, so that each value is known by its arguments.
        let others = joined[symbol, default: []]
        let number = others.firstIndex(of: page) ?? others.count
        if number == others.count { joined[symbol] = others + [page] }
        if number > 0 { symbol = records.internRepeated(symbol, number) }
      }
      return NormalizerField(
        field, symbol: symbol,
        pathSymbol: records.table.fieldKeys.intern(pathKey),
        child: field.child.map { self.shapes(of: $0) }, isOpen: options.isPartial && field.stream != nil,
        expires: policy?.timeToLive.map { CachePolicies.expiry($0, from: time) }, merge: arguments)
    }
    let made = NormalizerShape(
      typename: typename, type: typename.map { records.table.typenames.intern($0) } ?? RecordTable.none,
      fields: fields, node: shapes.node, typenameKey: shapes.typenameKey, resolver: resolver,
      expires: policies.expiry(of: typename, from: time, responseAge: options.maximumAge),
      coverage: CoverageNote.places(fields) { records.table.fieldKeys.intern($0) })
    shapes.all.append(made)
    shapes.last = made
    return made
  }

  // MARK: Objects

  /// Writes an object under its own key, under `key`, or under the path in the list or the record around it.
  private mutating func writeObject(
    _ object: JSONValue, shapes: NormalizerShapes, as key: UInt32? = nil, in place: (record: UInt32, field: UInt32)?,
    filter: PathFilter?, _ removal: FieldRemoval?
  ) -> UInt32 {
    let filter = filter?.isWhole == true ? nil : filter
    if filter == nil, removal == nil, let (document, root) = object.position {
      return writeObject(at: root, on: Tape(document), of: document, shapes: shapes, as: key, in: place ?? (0, 0))
    }
    let start = slots.count
    let firstMember = members.count
    // An object without a key is written as this response has it, so that no other response's object shows through.
    let isWhole = filter == nil || (key == nil && isEmbedded(object, shapes))
    let ownFilter = isWhole ? nil : filter
    // Objects of one type come in a row: the last one's shape is tried first.
    var shape: NormalizerShape
    if let last = shapes.last, last.typenameIndex != nil || shapes.node.typenameKey == nil,
      collect(object, shape: last, isGuess: true, filter: ownFilter, removal)
    {
      shape = last
    } else {
      slots.removeSubrange(start...)
      members.removeSubrange(firstMember...)
      shape = self.shape(in: shapes, typename: shapes.typename(of: object))
      _ = collect(object, shape: shape, isGuess: false, filter: ownFilter, removal)
    }
    if !shape.isPossible { isSuspect = true }
    let id = key ?? self.key(of: object, shape: shape) ?? place.map { path(record: $0.record, field: $0.field) } ?? 0
    if members.count > firstMember {
      // What stands in a list inside this object has positions of its own.
      let positions = listPositions
      if !positions.isEmpty { listPositions = [] }
      var wrongLists: [Int] = []
      for index in firstMember..<members.count {
        let member = members[index]
        let field = shape.fields[member.field]
        var slot = write(
          member.value, field: field, record: id, filter: filter.map { $0.member(field.responseKey) ?? .nothing },
          removal?.member(field.responseKey))
        slot?.field = field.symbol
        if let slot { slots[member.slot] = slot } else { wrongLists.append(member.slot) }
      }
      for slot in wrongLists.reversed() { slots.remove(at: slot) }
      members.removeSubrange(firstMember...)
      if !positions.isEmpty { listPositions = positions }
    }
    if isWhole {
      for note in shape.coverage {
        if let slot = self.note(note, isThere: { symbol in slots[start...].contains { $0.field == symbol } }) {
          slots.append(slot)
        }
      }
    }
    if slots.count > start || isWhole { put(slotsFrom: start, into: id, shape: shape) }
    slots.removeSubrange(start...)
    return id
  }

  private mutating func isEmbedded(_ object: JSONValue, _ shapes: NormalizerShapes) -> Bool {
    key(of: object, shape: shape(in: shapes, typename: shapes.typename(of: object)), hasBytes: false) == nil
  }

  /// Makes slots of an object's scalars and notes its other members, its key's bytes among them; false when the object
  /// turns out to be of another type.
  private mutating func collect(
    _ object: JSONValue, shape: NormalizerShape, isGuess: Bool, filter: PathFilter?, _ removal: FieldRemoval?
  ) -> Bool {
    var expected = 0
    var isOfType = !isGuess || shape.typenameIndex == nil
    keyBytes.removeAll(keepingCapacity: true)
    JSONText.forEachMember(of: object) { key, value in
      guard let index = shape.index(of: key, expected: expected) else { return true }
      if index < expected { mayRepeat = true }
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
      if !shape.table[index].hasChild, removal?.member(shape.fields[index].responseKey) != nil { return true }
      if shape.table[index].hasChild {
        members.append((index, slots.count, value))
      } else {
        slot = scalar(value)
        compare(value, with: shape.fields[index].plan)
      }
      slot.field = shape.table[index].symbol
      slots.append(slot)
      return true
    }
    return isOfType
  }

  private mutating func put(slotsFrom start: Int, into id: UInt32, shape: NormalizerShape) {
    guard isKept(id) else { return }
    if shape.expires != 0 { records.table.entries[id].expires = shape.expires }
    if shape.hasPolicies {
      for index in start..<slots.count { slots[index].field = notePolicies(of: slots[index], in: id, shape) }
    }
    guard shape.hasRepeatedSymbols || mayRepeat, slots.count > start else {
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

  /// Notes what policies say of a value, and tells the symbol under which it is to be written.
  mutating func notePolicies(of slot: ValueSlot, in id: UInt32, _ shape: NormalizerShape) -> UInt32 {
    guard let field = shape.fields.first(where: { $0.symbol == slot.field }) else { return slot.field }
    var symbol = slot.field
    if let merge = field.merge {
      // Another page of the list that the response has for this record, by an alias or on another way: neither replaces
      // the other.
      var count = 0
      while let other = records.merges[UInt64(id) << 32 | UInt64(symbol)], other.arguments != merge.arguments {
        count += 1
        symbol = records.internRepeated(slot.field, count)
      }
      records.merges[UInt64(id) << 32 | UInt64(symbol)] = merge
    }
    if let expires = field.expires { records.table.notes.setExpiry(expires, id, symbol) }
    return symbol
  }

  /// Writes a value; `nil` for a list with an item that must not be kept, of which the other items are written.
  private mutating func write(
    _ value: JSONValue, field: NormalizerField, record: UInt32, filter: PathFilter?, _ removal: FieldRemoval?,
    level: Int = 0
  ) -> ValueSlot? {
    guard let child = field.child else { return scalar(value) }
    compare(value.kind, with: field.plan.shape, level: level)
    switch value.kind {
    case .object:
      return .reference(
        writeObject(value, shapes: child, in: (record, field.pathSymbol), filter: filter, removal))
    case .array:
      let start = slots.count
      var isWrong = false
      for (position, element) in value.elements.enumerated() {
        let removal = removal?.element(position)
        listPositions.append(UInt32(position))
        // A list is one value of its record, so all of it is written; beneath its items the filter counts again.
        let slot =
          removal?.isRemoved == true
          ? nil
          : write(element, field: field, record: record, filter: filter?.element(position), removal, level: level + 1)
        listPositions.removeLast()
        if let slot { slots.append(slot) } else { isWrong = true }
      }
      defer { slots.removeSubrange(start...) }
      if isWrong { return nil }
      return slots.withUnsafeBufferPointer {
        records.table.makeList(UnsafeBufferPointer(rebasing: $0[start...]), field: field.symbol, isOpen: field.isOpen)
      }
    default:
      return scalar(value)
    }
  }

  mutating func scalar(_ value: JSONValue) -> ValueSlot {
    if value.isNull { return .null }
    var slot = ValueSlot.null
    JSONText.withStored(value) { bytes, isString in slot = records.table.makeText(bytes, isString: isString) }
    return slot
  }

  // MARK: Keys

  mutating func path(record: UInt32, field: UInt32) -> UInt32 {
    var id = records.intern(parent: record, component: .field(field))
    for position in listPositions { id = records.intern(parent: id, component: .index(position)) }
    return id
  }

  /// The key's text is put together as bytes: typename, colon, value.
  mutating func key(of object: JSONValue, shape: NormalizerShape, hasBytes: Bool = true) -> UInt32? {
    guard let typename = shape.typename else { return nil }
    if shape.needsResolver {
      return resolver.key(for: shape.byName(object), typename: typename).map { records.intern($0) }
    }
    if hasBytes, shape.keyIndex != nil, !keyBytes.isEmpty {
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
  /// A filter for objects with keys of which the key alone is written.
  static var nothing: PathFilter { PathFilter() }

  private(set) var isWhole = false
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
