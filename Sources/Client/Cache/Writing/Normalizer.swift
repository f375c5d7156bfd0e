import ApusClientAPI
import ApusClientOperation
import ApusClientRecords
import ApusClientResultExecution
import ApusJSON

/// Normalizes a response into records.
///
/// 1. The typename of an object selects its shape: its fields, computed once per path and type.
/// 2. The object's key is found among the fields of the shape. An object without a key is embedded under its path.
/// 3. Each member becomes a value. Nested objects become records, and the value a reference to them.
/// 4. Values are checked against their types. If one does not match, the response is executed to find all
///    contradictions. They are not written, and their errors are stored instead.
///
/// For mutations and subscriptions, only objects with keys are cached: their results are not read again, and their arguments
/// may be secret. An object of the query root type is the query root, whatever returned it.
///
/// A missing member (of a pending fragment) is not written, and never treated as null.
struct Normalizer: ~Copyable {
  let plan: SelectionPlan
  private let resolver: CacheKeyResolver
  private let queryTypeName: String?
  let policies: CachePolicies
  let options: CacheWriteOptions
  /// The time in seconds since 1970.
  private let time: UInt32
  var records = RecordSet()
  /// Whether values are checked against their types during normalization.
  let isChecking: Bool
  /// Whether a value was found that does not match its type.
  var isSuspect = false
  /// The record of the operation's root.
  private(set) var root = RecordID(number: 0)
  /// The root whose embedded records are not cached; `nil` for a query.
  private var unkeptRoot: RecordID?
  /// Whether any value is missing because of an error.
  private(set) var hasErrors = false
  private var shapes: [ObjectIdentifier: NormalizerNode] = [:]
  /// The values of the records and lists being collected, innermost last.
  private var values: ContiguousArray<StoredValue> = []
  /// The indexes of the current value in its enclosing lists.
  var listPositions: ContiguousArray<UInt32> = []
  private let keyText = ByteBuffer(capacity: 256)
  /// Whether members were not in the order of the document, so that one may have occurred twice.
  private var mayRepeat = false

  /// A field with selections, whose value is written when the record of its object is known.
  private struct Member<Place> {
    let field: Int
    /// The index of its value in `values`.
    let value: Int
    let place: Place
  }

  private typealias Members<Source: ResponseSource> = ContiguousArray<Member<Source.Place>>

  private init(_ request: RecordRequest, options: CacheWriteOptions, time: UInt32) {
    isChecking = options.contradictions == nil
    plan = request.plan
    resolver = request.resolver
    queryTypeName = request.queryTypeName
    policies = request.policies
    self.options = options
    self.time = time
  }

  /// Splits a response, or the values at some of its paths, into records. `existing` are the cache's records: a
  /// fragment may belong to an embedded record, whose key only the cache knows.
  static func records(
    of data: JSONValue, _ request: RecordRequest, options: CacheWriteOptions = .complete, time: UInt32 = 0,
    existing: RecordSet? = nil
  ) -> RecordSet {
    guard data.kind == .object else { return RecordSet() }
    var options = options
    // The last payload closes the streamed lists at any path, so the complete response is written.
    let operation = request.plan.operation
    if !options.isPartial, operation.hasIncremental, operation.selections.hasStream { options.paths = nil }
    let explained = options.failedFragments.flatMap(\.state.errors) + options.streamErrors + options.conflicts
    var unanswered = ErroredField.all(options.errors, explained: explained, in: data, request.plan)
    if let contradictions = options.contradictions {
      unanswered += contradictions.map { ErroredField(path: $0.path, errors: [GraphQLError($0)]) }
    }
    unanswered += options.conflicts.compactMap { error in error.path.map { ErroredField(path: $0, errors: [error]) } }
    guard let removal = FieldRemoval(of: unanswered.map(\.path)) else { return RecordSet() }
    var normalizer = Normalizer(request, options: options, time: time)
    let rest = removal.rest(of: data)
    normalizer.write(rest, unanswered.isEmpty ? nil : removal, on: request.root, knownTo: existing)
    for field in unanswered { normalizer.recordError(field, data: rest) }
    for fragment in options.failedFragments { normalizer.recordError(fragment, data: rest) }
    guard normalizer.isChecking, normalizer.isSuspect else { return normalizer.handOff() }
    options.contradictions = ResultExecutor.contradictions(in: data, plan: request.plan)
    return records(of: data, request, options: options, time: time, existing: existing)
  }

  /// Returns the records and releases the normalizer, so that their storage has one owner.
  private consuming func handOff() -> RecordSet {
    records.origin = options.origin
    let operation = plan.operation
    records.writer = CacheWriter(
      operationType: operation.operationType, operationName: operation.name, payloadIndex: options.payloadIndex)
    return records
  }

  private mutating func write(
    _ data: JSONValue, _ removal: FieldRemoval?, on key: CacheKey, knownTo existing: RecordSet?
  ) {
    if let (document, _) = data.position { records.storage.reserve(keys: document.objectCount) }
    root = records.intern(key, knownTo: existing)
    if plan.operation.operationType != .query { unkeptRoot = root }
    if records.storage.isEmbedded(root) { records.named = root }
    hasErrors = removal != nil || !options.errors.isEmpty
    let scope = WriteScope(places: PathFilter(options.paths), removal: removal)
    var members: Members<ValueSource> = []
    _ = write(data, of: ValueSource(), &members, shapes(of: plan.root), as: root, in: nil, scope)
  }

  /// Returns whether a record is cached: it has a key, or is embedded in a record with a key or in the root of a query.
  func isKept(_ record: RecordID) -> Bool {
    unkeptRoot.map { records.storage.base(of: record) != $0 } ?? true
  }

  // MARK: Shapes

  mutating func shapes(of node: PlanNode) -> NormalizerNode {
    if let node = shapes[ObjectIdentifier(node)] { return node }
    let made = NormalizerNode(node: node)
    shapes[ObjectIdentifier(node)] = made
    return made
  }

  mutating func shape(in shapes: NormalizerNode, typename: String?) -> NormalizerSelection {
    if let last = shapes.last, last.typename == typename { return last }
    if let shape = shapes.all.first(where: { $0.typename == typename }) {
      shapes.last = shape
      return shape
    }
    let fields = fields(in: shapes, typename: typename)
    let made = NormalizerSelection(
      typename: typename, type: typename.map { records.storage.typenames.intern($0) },
      fields: fields, node: shapes.node, typenameKey: shapes.typenameKey, resolver: resolver,
      isQueryRoot: typename != nil && typename == queryTypeName,
      expires: policies.expiry(of: typename, from: time, responseAge: options.maximumAge),
      coverage: CoverageMarker.places(fields) { records.storage.fieldNames.intern($0) })
    shapes.all.append(made)
    shapes.last = made
    return made
  }

  private mutating func fields(in shapes: NormalizerNode, typename: String?) -> [NormalizerField] {
    let parent = typename ?? shapes.node.concreteType
    var joined: [FieldID: [JSONValue]] = [:]
    return shapes.node.fields(for: typename).fields.map { field in
      let policy = policies.policy(field.field.name, of: parent)
      let isUnkept = unkeptRoot != nil && shapes.node === plan.root
      let key = isUnkept ? field.field.name : policies.fieldKey(field, of: parent, variables: plan.variables)
      let pathKey = isUnkept ? key : policies.pathKey(field, of: parent, variables: plan.variables)
      let pending = policy?.merge.map { merge in
        PendingMerge(
          merge: merge,
          arguments: .object(field.field.argumentValues(variables: plan.variables).map { ($0.name, $0.value) }))
      }
      var id = records.storage.fieldNames.intern(key)
      if let page = pending?.arguments {
        // Aliases of one list are separate fields here, so that each value is merged with its own arguments.
        let others = joined[id, default: []]
        let number = others.firstIndex(of: page) ?? others.count
        if number == others.count { joined[id] = others + [page] }
        if number > 0 { id = records.internRepeated(id, number) }
      }
      return NormalizerField(
        field, id: id, pathID: records.storage.fieldNames.intern(pathKey),
        child: field.child.map { self.shapes(of: $0) }, isOpen: options.isPartial && field.stream != nil,
        expires: policy?.timeToLive.map { CachePolicies.expiry($0, from: time) }, merge: pending)
    }
  }

  // MARK: Objects

  /// Writes an object to the record `key`, to the record with its own key, or to the record embedded at its path.
  private mutating func write<Source: ResponseSource>(
    _ object: Source.Place, of source: Source, _ members: inout Members<Source>, _ shapes: NormalizerNode,
    as key: RecordID? = nil, in place: FieldLocation?, _ scope: WriteScope
  ) -> RecordID {
    if scope.isEverything, let text = source.text(of: object) {
      var members: Members<TextSource> = []
      return write(text.place, of: text.source, &members, shapes, as: key, in: place, scope)
    }
    let (start, firstMember) = (values.count, members.count)
    // An object without a key is written completely, so that no fields of another response's object remain.
    let isWhole = scope.places == nil || (key == nil && isEmbedded(source.json(object), shapes))
    let localScope = isWhole ? WriteScope(places: nil, removal: scope.removal) : scope
    let (shape, keyPlace) = collect(object, of: source, &members, shapes, localScope)
    if !shape.isPossible { isSuspect = true }
    let record = key ?? recordWithKey(of: object, in: source, shape, keyPlace) ?? path(in: place)
    writeMembers(from: firstMember, of: source, &members, shape, in: record, scope)
    if isWhole {
      for note in shape.coverage {
        let covers = values[start...].contains { note.fields.contains($0.field) }
        if let value = self.marker(note, covers: covers) { values.append(value) }
      }
    }
    if values.count > start || isWhole { put(valuesFrom: start, into: record, shape) }
    values.removeSubrange(start...)
    return record
  }

  private mutating func isEmbedded(_ object: JSONValue, _ shapes: NormalizerNode) -> Bool {
    let shape = shape(in: shapes, typename: shapes.typename(of: object))
    return !shape.isQueryRoot && key(of: object, shape) == nil
  }

  /// Writes the members of an object that have selections, when the object's record is known.
  private mutating func writeMembers<Source: ResponseSource>(
    from first: Int, of source: Source, _ members: inout Members<Source>, _ shape: NormalizerSelection,
    in record: RecordID, _ scope: WriteScope
  ) {
    guard members.count > first else { return }
    // List indexes are relative to the closest object.
    let positions = listPositions
    if !positions.isEmpty { listPositions = [] }
    var wrongLists: [Int] = []
    for index in first..<members.count {
      let member = members[index]
      let field = shape.table[member.field]
      let scope = scope.isEverything ? scope : scope.member(shape.fields[member.field].responseKey)
      let value = write(
        member.place, of: source, &members, field, shape.fields[member.field].child,
        in: FieldLocation(record, field.pathID), scope, level: 0)
      if let value { values[member.value] = value.stored(in: field.id) } else { wrongLists.append(member.value) }
    }
    for index in wrongLists.reversed() { values.remove(at: index) }
    members.removeSubrange(first...)
    if !positions.isEmpty { listPositions = positions }
  }

  /// Writes a value. Returns `nil` for a list with an item that must not be cached; its other items are still written.
  private mutating func write<Source: ResponseSource>(
    _ place: Source.Place, of source: Source, _ members: inout Members<Source>, _ field: ShapeField,
    _ child: NormalizerNode?, in record: FieldLocation, _ scope: WriteScope, level: Int
  ) -> StoredValue? {
    let kind = source.kind(of: place)
    compare(kind, with: field.type, level: level)
    switch kind {
    case .object:
      guard let child else { return nil }
      return .reference(write(place, of: source, &members, child, in: record, scope))
    case .array:
      let start = values.count
      var isWrong = false
      var position = 0
      source.forEachItem(of: place) { item in
        let scope = scope.element(position)
        listPositions.append(UInt32(position))
        let value =
          scope.removal?.isRemoved == true
          ? nil : write(item, of: source, &members, field, child, in: record, scope, level: level + 1)
        listPositions.removeLast()
        if let value { values.append(value) } else { isWrong = true }
        position += 1
      }
      defer { values.removeSubrange(start...) }
      if isWrong { return nil }
      return values.withUnsafeBufferPointer {
        records.storage.list(UnsafeBufferPointer(rebasing: $0[start...]), isOpen: field.isOpen && level == 0)
      }
    case .null, .bool, .number, .string: return scalar(place, of: source)
    }
  }

  /// Creates the values of an object's scalars and collects its other members. Returns the object's shape and its key.
  private mutating func collect<Source: ResponseSource>(
    _ object: Source.Place, of source: Source, _ members: inout Members<Source>, _ shapes: NormalizerNode,
    _ scope: WriteScope
  ) -> (shape: NormalizerSelection, key: Source.Place?) {
    let (start, firstMember) = (values.count, members.count)
    var key: Source.Place?
    // Consecutive objects usually have the same type, so try the last shape first.
    if let last = shapes.last, last.typenameIndex != nil || shapes.node.typenameKey == nil {
      if collect(object, of: source, &members, last, isGuess: true, scope, &key) { return (last, key) }
      values.removeSubrange(start...)
      members.removeSubrange(firstMember...)
      key = nil
    }
    let shape = shape(in: shapes, typename: shapes.typename(of: source.json(object)))
    _ = collect(object, of: source, &members, shape, isGuess: false, scope, &key)
    return (shape, key)
  }

  /// Returns false if the object turns out to have a different type than the shape.
  private mutating func collect<Source: ResponseSource>(
    _ object: Source.Place, of source: Source, _ members: inout Members<Source>, _ shape: NormalizerSelection,
    isGuess: Bool, _ scope: WriteScope, _ key: inout Source.Place?
  ) -> Bool {
    let (fields, typenameIndex, keyIndex) = (shape.table, shape.typenameIndex ?? -1, shape.keyIndex ?? -1)
    var isOfType = !isGuess || typenameIndex < 0
    var expected = 0
    source.forEachMember(of: object) { name, value in
      guard let index = shape.index(of: name, expected: expected) else { return true }
      if index < expected { mayRepeat = true }
      expected = index + 1
      if index == typenameIndex, isGuess {
        isOfType = source.withPlainText(of: value, shape.isTypename) == true
        if !isOfType { return false }
      } else if index == keyIndex {
        key = value
      }
      if !scope.isEverything {
        let name = shape.fields[index].responseKey
        if let places = scope.places, places.member(name) == nil { return true }
        if !fields[index].hasChild, scope.removal?.member(name) != nil { return true }
      }
      let kind = source.kind(of: value)
      if fields[index].hasChild, kind == .object || kind == .array {
        members.append(Member(field: index, value: values.count, place: value))
        values.append(.null.stored(in: fields[index].id))
      } else {
        check(value, of: source, kind, shape, at: index)
        let isList = fields[index].isOpen && kind == .array
        let value = isList ? openList(value, of: source) : scalar(value, of: source)
        values.append(value.stored(in: fields[index].id))
      }
      return true
    }
    return isOfType
  }

  private mutating func put(valuesFrom start: Int, into record: RecordID, _ shape: NormalizerSelection) {
    guard isKept(record) else { return }
    if shape.hasPolicies {
      for index in start..<values.count {
        values[index].field = notePolicies(of: values[index].field, in: record, shape)
      }
    }
    values.withUnsafeBufferPointer { values in
      let fields = UnsafeBufferPointer(rebasing: values[start...])
      if shape.hasRepeatedFields || mayRepeat, Self.repeats(fields) {
        // If members have the same key, the last one takes effect.
        for index in fields.indices {
          records.put(UnsafeBufferPointer(rebasing: fields[index...index]), into: record, type: shape.type)
        }
      } else {
        records.put(fields, into: record, type: shape.type)
      }
    }
    if shape.expires != 0 { records.storage[record].expires = shape.expires }
  }

  private static func repeats(_ values: UnsafeBufferPointer<StoredValue>) -> Bool {
    if values.count <= FieldFinder.searchLimit {
      return values.indices.contains { index in values[..<index].contains { $0.field == values[index].field } }
    }
    var seen: Set<FieldID> = []
    return !values.allSatisfy { seen.insert($0.field).inserted }
  }

  /// Applies the policies of a field. Returns the field under which its value is written.
  private mutating func notePolicies(of id: FieldID, in record: RecordID, _ shape: NormalizerSelection) -> FieldID {
    guard let field = shape.fields.first(where: { $0.id == id }) else { return id }
    var id = id
    if let merge = field.merge {
      // The response has another page of this list for the record, from an alias or another path. Store both.
      var count = 0
      while let other = records.merges[FieldLocation(record, id)], other.arguments != merge.arguments {
        count += 1
        id = records.internRepeated(field.id, count)
      }
      records.merges[FieldLocation(record, id)] = merge
    }
    if let expires = field.expires { records.storage.notes.setExpiry(expires, record, id) }
    return id
  }

  private mutating func scalar<Source: ResponseSource>(_ place: Source.Place, of source: Source) -> StoredValue {
    var value = StoredValue.null
    if source.kind(of: place) == .null { return value }
    source.withStored(place) { text, isString in value = records.storage.scalar(text, isString: isString) }
    return value
  }

  /// Returns an incomplete streamed list without selections. When it is complete, it is stored as one scalar.
  private mutating func openList<Source: ResponseSource>(_ list: Source.Place, of source: Source) -> StoredValue {
    let start = values.count
    source.forEachItem(of: list) { values.append(scalar($0, of: source)) }
    defer { values.removeSubrange(start...) }
    return values.withUnsafeBufferPointer {
      records.storage.list(UnsafeBufferPointer(rebasing: $0[start...]), isOpen: true)
    }
  }

  // MARK: Keys

  private mutating func path(in place: FieldLocation?) -> RecordID {
    place.map { records.storage.record(in: $0.record, $0.field, listPositions) } ?? root
  }

  mutating func path(in place: FieldLocation, _ positions: ContiguousArray<UInt32>) -> RecordID {
    records.storage.record(in: place.record, place.field, positions)
  }

  /// Returns the record of an object with a key or of the query root. `place` is the value that usually is the key.
  private mutating func recordWithKey<Source: ResponseSource>(
    of object: Source.Place, in source: Source, _ shape: NormalizerSelection, _ place: Source.Place?
  ) -> RecordID? {
    guard shape.typename != nil else { return nil }
    if shape.isQueryRoot { return records.intern(.queryRoot) }
    if let place, let keyed = source.withPlainText(of: place, { record(under: $0, shape) }) { return keyed }
    return key(of: source.json(object), shape)
  }

  mutating func key(of object: JSONValue, _ shape: NormalizerSelection) -> RecordID? {
    guard let typename = shape.typename else { return nil }
    if shape.needsResolver {
      return resolver.key(for: shape.byName(object), typename: typename).map { records.intern($0) }
    }
    for candidate in shape.keyResponseKeys {
      guard let value = object[candidate] else { continue }
      if let keyed = JSONBytes.withIdentifier(value, { record(under: $0, shape) }) { return keyed }
    }
    return nil
  }

  /// Returns the record with a key, which consists of the prefix (typename and colon) and an identifier.
  private mutating func record(under identifier: UnsafeBufferPointer<UInt8>, _ shape: NormalizerSelection) -> RecordID {
    keyText.cut(to: 0)
    shape.keyPrefix.withUnsafeBufferPointer { keyText.append($0) }
    keyText.append(identifier)
    return keyText.withBytes { records.storage.record($0) }
  }
}

extension CompiledOperation {
  /// The key of the operation's root record.
  var rootKey: CacheKey {
    switch operationType {
    case .query: .queryRoot
    case .mutation: .mutationRoot
    case .subscription: .subscriptionRoot
    }
  }
}

extension CompiledSelectionSet {
  /// Whether any list in these or nested selections is streamed.
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
