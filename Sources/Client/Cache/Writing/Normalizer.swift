import ApusClientAPI
import ApusClientOperation
import ApusClientRecords
import ApusClientResultExecution
import ApusJSON

/// Splits a response into records.
///
/// 1. The typename of an object chooses the shape of the selected fields, made once for each place and type.
/// 2. Its key is found among the fields that the shape knows; an object without one is kept under its path.
/// 3. Each member becomes a value; objects inside it become other records and leave a reference.
/// 4. On the way each value is compared with its type. Where one does not match, the response is executed, and what
///    contradicts the operation is left out; its error is noted in its place.
///
/// Only the objects with keys are kept of mutations and subscriptions: their results are not read again, and their arguments
/// are private.
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
  private(set) var root = RecordID(number: 0)
  /// The root whose embedded records are not kept; `nil` for a query.
  private var unkeptRoot: RecordID?
  /// Whether something was not answered because of an error.
  private(set) var hasErrors = false
  private var shapes: [ObjectIdentifier: NormalizerShapes] = [:]
  /// The values of the records and lists that are being collected, the innermost last.
  private var values: ContiguousArray<StoredValue> = []
  /// The positions in the lists around the value that is being written.
  var listPositions: ContiguousArray<UInt32> = []
  private let keyText = ByteBuffer(capacity: 256)
  /// Whether members came in another order than the document's: then one may have come twice.
  private var mayRepeat = false

  /// A field with selections whose value is written once its record is known.
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
    guard let removal = FieldRemoval(of: unanswered.map(\.place)) else { return RecordSet() }
    var normalizer = Normalizer(request, options: options, time: time)
    let rest = removal.rest(of: data)
    normalizer.write(rest, unanswered.isEmpty ? nil : removal, on: request.root, knownTo: known)
    for field in unanswered { normalizer.note(field, data: rest) }
    for fragment in options.failedFragments { normalizer.note(fragment, data: rest) }
    guard normalizer.isChecking, normalizer.isSuspect else { return normalizer.handOff() }
    options.contradictions = ResultExecutor.contradictions(in: data, plan: request.plan)
    return records(of: data, request, options: options, time: time, known: known)
  }

  /// Ends the work, so that the storage of the records has one owner.
  private consuming func handOff() -> RecordSet { records }

  private mutating func write(
    _ data: JSONValue, _ removal: FieldRemoval?, on key: CacheKey, knownTo known: RecordSet?
  ) {
    if let (document, _) = data.position { records.storage.reserve(keys: document.objectCount) }
    root = records.intern(key, knownTo: known)
    if plan.operation.operationType != .query { unkeptRoot = root }
    if records.storage.isEmbedded(root) { records.named = root }
    hasErrors = removal != nil || !options.errors.isEmpty
    let scope = WriteScope(places: PathFilter(options.places), removal: removal)
    var members: Members<ValueSource> = []
    _ = write(data, of: ValueSource(), &members, shapes(of: plan.root), as: root, in: nil, scope)
  }

  /// Whether a record is kept: it has a key, or is embedded in a record with a key or in the root of a query.
  func isKept(_ record: RecordID) -> Bool {
    unkeptRoot.map { records.storage.base(of: record) != $0 } ?? true
  }

  // MARK: Shapes

  mutating func shapes(of node: PlanNode) -> NormalizerShapes {
    if let known = shapes[ObjectIdentifier(node)] { return known }
    let made = NormalizerShapes(node: node)
    shapes[ObjectIdentifier(node)] = made
    return made
  }

  mutating func shape(in shapes: NormalizerShapes, typename: String?) -> NormalizerShape {
    if let last = shapes.last, last.typename == typename { return last }
    if let known = shapes.all.first(where: { $0.typename == typename }) {
      shapes.last = known
      return known
    }
    let fields = fields(in: shapes, typename: typename)
    let made = NormalizerShape(
      typename: typename, type: typename.map { records.storage.typenames.intern($0) },
      fields: fields, node: shapes.node, typenameKey: shapes.typenameKey, resolver: resolver,
      expires: policies.expiry(of: typename, from: time, responseAge: options.maximumAge),
      coverage: CoverageNote.places(fields) { records.storage.fieldNames.intern($0) })
    shapes.all.append(made)
    shapes.last = made
    return made
  }

  private mutating func fields(in shapes: NormalizerShapes, typename: String?) -> [NormalizerField] {
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
        // Aliases of one list are separate fields, so that each value is known by its arguments.
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

  /// Writes an object under `key`, under its own key, or under the path in the field or the list around it.
  private mutating func write<Source: ResponseSource>(
    _ object: Source.Place, of source: Source, _ members: inout Members<Source>, _ shapes: NormalizerShapes,
    as key: RecordID? = nil, in place: FieldPlace?, _ scope: WriteScope
  ) -> RecordID {
    if scope.isEverything, let text = source.text(of: object) {
      var members: Members<TextSource> = []
      return write(text.place, of: text.source, &members, shapes, as: key, in: place, scope)
    }
    let (start, firstMember) = (values.count, members.count)
    // An object without a key is written as this response has it, so that no other response's object shows through.
    let isWhole = scope.places == nil || (key == nil && isEmbedded(source.json(object), shapes))
    let own = isWhole ? WriteScope(places: nil, removal: scope.removal) : scope
    let (shape, keyPlace) = collect(object, of: source, &members, shapes, own)
    if !shape.isPossible { isSuspect = true }
    let record = key ?? self.key(of: object, in: source, shape, keyPlace) ?? path(in: place)
    writeMembers(from: firstMember, of: source, &members, shape, in: record, scope)
    if isWhole {
      for note in shape.coverage {
        let covers = values[start...].contains { note.fields.contains($0.field) }
        if let value = self.note(note, covers: covers) { values.append(value) }
      }
    }
    if values.count > start || isWhole { put(valuesFrom: start, into: record, shape) }
    values.removeSubrange(start...)
    return record
  }

  private mutating func isEmbedded(_ object: JSONValue, _ shapes: NormalizerShapes) -> Bool {
    key(of: object, shape(in: shapes, typename: shapes.typename(of: object))) == nil
  }

  /// Writes the members of an object that have selections, now that its record is known.
  private mutating func writeMembers<Source: ResponseSource>(
    from first: Int, of source: Source, _ members: inout Members<Source>, _ shape: NormalizerShape,
    in record: RecordID, _ scope: WriteScope
  ) {
    guard members.count > first else { return }
    // A list inside this object has other positions.
    let positions = listPositions
    if !positions.isEmpty { listPositions = [] }
    var wrongLists: [Int] = []
    for index in first..<members.count {
      let member = members[index]
      let field = shape.table[member.field]
      let scope = scope.isEverything ? scope : scope.member(shape.fields[member.field].responseKey)
      let value = write(
        member.place, of: source, &members, field, shape.fields[member.field].child,
        in: FieldPlace(record, field.pathID), scope, level: 0)
      if let value { values[member.value] = value.stored(in: field.id) } else { wrongLists.append(member.value) }
    }
    for index in wrongLists.reversed() { values.remove(at: index) }
    members.removeSubrange(first...)
    if !positions.isEmpty { listPositions = positions }
  }

  /// Writes a value; `nil` for a list with an item that must not be kept, of which the other items are written.
  private mutating func write<Source: ResponseSource>(
    _ place: Source.Place, of source: Source, _ members: inout Members<Source>, _ field: ShapeField,
    _ child: NormalizerShapes?, in record: FieldPlace, _ scope: WriteScope, level: Int
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

  /// Makes values of an object's scalars and notes its other members. Returns its shape, and the value that is its key.
  private mutating func collect<Source: ResponseSource>(
    _ object: Source.Place, of source: Source, _ members: inout Members<Source>, _ shapes: NormalizerShapes,
    _ scope: WriteScope
  ) -> (shape: NormalizerShape, key: Source.Place?) {
    let (start, firstMember) = (values.count, members.count)
    var key: Source.Place?
    // Objects of one type follow each other: the shape of the last one is tried first.
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

  /// Returns false when the object turns out to be of another type than the shape's.
  private mutating func collect<Source: ResponseSource>(
    _ object: Source.Place, of source: Source, _ members: inout Members<Source>, _ shape: NormalizerShape,
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

  private mutating func put(valuesFrom start: Int, into record: RecordID, _ shape: NormalizerShape) {
    guard isKept(record) else { return }
    if shape.hasPolicies {
      for index in start..<values.count {
        values[index].field = notePolicies(of: values[index].field, in: record, shape)
      }
    }
    values.withUnsafeBufferPointer { values in
      let fields = UnsafeBufferPointer(rebasing: values[start...])
      if shape.hasRepeatedFields || mayRepeat, Self.repeats(fields) {
        // Of members with one key the last counts.
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

  /// Notes what policies say of a field. Returns the field under which its value is to be written.
  private mutating func notePolicies(of id: FieldID, in record: RecordID, _ shape: NormalizerShape) -> FieldID {
    guard let field = shape.fields.first(where: { $0.id == id }) else { return id }
    var id = id
    if let merge = field.merge {
      // Another page of the list that the response has for this record, by an alias or on another way: neither replaces the
      // other.
      var count = 0
      while let other = records.merges[FieldPlace(record, id)], other.arguments != merge.arguments {
        count += 1
        id = records.internRepeated(field.id, count)
      }
      records.merges[FieldPlace(record, id)] = merge
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

  /// A streamed list without selections of which items are still to come. Once it is complete, it is one scalar.
  private mutating func openList<Source: ResponseSource>(_ list: Source.Place, of source: Source) -> StoredValue {
    let start = values.count
    source.forEachItem(of: list) { values.append(scalar($0, of: source)) }
    defer { values.removeSubrange(start...) }
    return values.withUnsafeBufferPointer {
      records.storage.list(UnsafeBufferPointer(rebasing: $0[start...]), isOpen: true)
    }
  }

  // MARK: Keys

  private mutating func path(in place: FieldPlace?) -> RecordID {
    place.map { records.storage.record(in: $0.record, $0.field, listPositions) } ?? root
  }

  mutating func path(in place: FieldPlace, _ positions: ContiguousArray<UInt32>) -> RecordID {
    records.storage.record(in: place.record, place.field, positions)
  }

  /// The record of an object with a key; `place` is the value that is the key in most objects of the shape.
  private mutating func key<Source: ResponseSource>(
    of object: Source.Place, in source: Source, _ shape: NormalizerShape, _ place: Source.Place?
  ) -> RecordID? {
    guard shape.typename != nil else { return nil }
    if let place, let known = source.withPlainText(of: place, { record(under: $0, shape) }) { return known }
    return key(of: source.json(object), shape)
  }

  mutating func key(of object: JSONValue, _ shape: NormalizerShape) -> RecordID? {
    guard let typename = shape.typename else { return nil }
    if shape.needsResolver {
      return resolver.key(for: shape.byName(object), typename: typename).map { records.intern($0) }
    }
    for candidate in shape.keyResponseKeys {
      guard let value = object[candidate] else { continue }
      if let known = JSONText.withIdentifier(value, { record(under: $0, shape) }) { return known }
    }
    return nil
  }

  /// The text of the key is put together as bytes: typename, colon, value.
  private mutating func record(under identifier: UnsafeBufferPointer<UInt8>, _ shape: NormalizerShape) -> RecordID {
    keyText.cut(to: 0)
    shape.keyPrefix.withUnsafeBufferPointer { keyText.append($0) }
    keyText.append(identifier)
    return keyText.withBytes { records.storage.record($0) }
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
  /// Whether a list is streamed here or in a selection below.
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
