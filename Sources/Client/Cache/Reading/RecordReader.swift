import ApusClientAPI
import ApusClientOperation
import ApusClientRecords
import ApusJSON

/// The time of a read, and whether it accepts expired values.
struct ReadOptions {
  /// The time in seconds since 1970.
  let time: UInt32
  let allowsStale: Bool
  /// Whether the read records which records it used.
  var notesUse = false
}

/// Assembles a response from records.
///
/// 1. Starting at the root record, writes the selected fields as JSON text in the order of the plan.
/// 2. Before an object is written, its deferred fragments are tried. A fragment is part of the data only if nothing in
///    it is missing. Otherwise it is pending, even if other operations stored some of its fields.
/// 3. A field that no record has may be found through its key arguments or the pages of its connection.
/// 4. A value that contradicts its type counts as missing, even if this client wrote it.
/// 5. The path of a missing value is recorded and the value is omitted, or null if an error is stored for it. All
///    accessed fields are recorded as dependent keys.
struct RecordReader {
  let records: RecordSet
  let storage: StoredRecords
  let plan: SelectionPlan
  private let context: ReaderContext
  private let readOptions: ReadOptions
  let text: ByteBuffer
  var path: [PathComponent] = []
  /// The result for the text so far.
  var outcome = ReadOutcome()
  private var isStale = false
  private var expires: UInt32 = 0
  var contradicted: Set<ResponsePath> = []
  private var dependentKeys = DependentKeys()
  /// The deferrals of the enclosing fragments that are part of the data.
  var open: [PlanDeferral] = []
  /// The rule for deferred fragments.
  var rule: FragmentRule

  /// A rule for deferred fragments.
  enum FragmentRule {
    /// Complete fragments are part of the data.
    case complete
    /// All fragments are part of the data, so that each missing field is found.
    case all
    /// Only open fragments are part of the data. Used while a fragment is tried.
    case trial
  }

  private init(_ records: RecordSet, _ request: RecordRequest, _ readOptions: ReadOptions, _ rule: FragmentRule) {
    self.records = records
    storage = records.storage
    plan = request.plan
    context = ReaderContext(request)
    self.readOptions = readOptions
    self.rule = rule
    text = ByteBuffer(capacity: min(storage.byteCount, 1 << 20))
  }

  static func read(
    _ request: RecordRequest, from records: RecordSet, _ readOptions: ReadOptions, allowPartial: Bool,
    fragments: FragmentRule = .complete
  ) -> CacheRead {
    var reader = RecordReader(records, request, readOptions, fragments)
    return reader.read(root: records.find(request.root), allowPartial: allowPartial)
  }

  private mutating func read(root: RecordID?, allowPartial: Bool) -> CacheRead {
    var data: JSONValue?
    let shapes = context.shapes(of: plan.root)
    if let root, storage.exists(root), context.request.covers(storage.typename(root)) {
      _ = writeRecord(root, shapes: shapes)
    } else {
      writeMissingRoot(root, shapes)
    }
    let isIncomplete = outcome.isIncomplete
    if !isIncomplete || (allowPartial && outcome.found) { data = JSONBytes.document(text.bytes) }
    return CacheRead(
      data: data, isComplete: !isIncomplete && data != nil, missing: outcome.missing, openLists: outcome.openLists,
      fragments: outcome.fragments, errors: outcome.errors, contradicted: contradicted, isStale: isStale,
      expires: expires, use: RecordUse(read: outcome.used), dependentKeys: dependentKeys)
  }

  /// Handles a missing root record: all of its fields are missing unless their arguments identify a record, and the read
  /// depends on them.
  private mutating func writeMissingRoot(_ root: RecordID?, _ shapes: ReaderNode) {
    let hash = root.map { storage.hash(of: $0) } ?? KeyHash.of(context.request.root.text)
    let shape = shapes.shape(type: nil, in: storage)
    dependOn(hash, ChangedKeys.wholeRecord)
    outcome.isIncomplete = true
    for fragment in shape.fragments where fragment.plan.parentUsage.map(isOpen) ?? true {
      if rule == .all, let usage = fragment.plan.usage { open.append(usage) } else { record(fragment, .pending) }
    }
    var isFirst = true
    text.append(UInt8(ascii: "{"))
    for (index, field) in shape.fields.enumerated() {
      dependOn(hash, field.hash)
      guard isOpen(field.usages) else { continue }
      if !writeRedirect(field, index, shape, &isFirst) { miss(field, in: nil) }
    }
    text.append(UInt8(ascii: "}"))
    if outcome.missing.isEmpty, shape.fragments.isEmpty { outcome.isIncomplete = false }
  }

  func exists(_ id: RecordID) -> Bool { storage.exists(id) }

  mutating func dependOn(_ record: UInt64, _ field: UInt64) {
    dependentKeys.hashes.append(KeyHash.dependency(record, field))
  }

  // MARK: Records

  /// Writes a record. Returns false if its type is not possible at this path.
  mutating func writeRecord(_ id: RecordID, shapes: ReaderNode) -> Bool {
    let info = storage[id]
    let shape = shapes.shape(type: info.type, in: storage)
    let hash = storage.hash(of: id)
    dependOn(hash, ChangedKeys.wholeRecord)
    guard shape.isPossible || path.isEmpty else { return false }
    if readOptions.notesUse { outcome.used.append(hash) }
    let outer = open.count
    if rule != .trial {
      for fragment in shape.fragments { decide(on: fragment, in: id) }
    }
    text.append(UInt8(ascii: "{"))
    let expires = info.expires != 0 || storage.notes.hasExpiries
    var isFirst = true
    var position = 0
    for index in 0..<shape.ids.count {
      dependOn(hash, shape.hashes[index])
      if shape.isDeferred[index], !isOpen(shape.fields[index].usages) { continue }
      if shape.isUncertain, !shape.fields[index].coverage.isEmpty {
        switch isCovered(shape.fields[index], in: id) {
        case true?: break
        case false?: continue
        case nil:
          miss(shape.fields[index], in: id)
          continue
        }
      }
      guard let field = shape.ids[index], let slotIndex = storage.index(of: field, in: id, near: position),
        !expires || isFresh(field, of: id)
      else {
        if shape.isPlain {
          missIfRequired(shape.fields[index], index, shape, in: id, &isFirst)
        } else {
          writeAbsent(shape.fields[index], index, shape, of: id, &isFirst)
        }
        continue
      }
      position = slotIndex + 1
      let slot = storage.field(at: slotIndex, of: id)
      let start = text.count
      if !isFirst { text.append(UInt8(ascii: ",")) }
      shape.appendMember(index, to: text)
      let isWritten =
        shape.hasChild[index]
        ? write(slot, field: shape.fields[index])
        : (storage.isSurelyRight(slot, shape.types[index]) || isRight(slot, shape.fields[index]))
          && writeLeaf(slot, of: shape.fields[index])
      if isWritten {
        isFirst = false
      } else {
        text.cut(to: start)
        miss(shape.fields[index], in: id)
      }
    }
    text.append(UInt8(ascii: "}"))
    open.removeSubrange(outer...)
    return true
  }

  /// Returns whether a field applies to a record according to coverage markers, or `nil` if there are none.
  mutating func isCovered(_ field: ReaderField, in id: RecordID) -> Bool? {
    for note in field.coverage { dependOn(storage.hash(of: id), note.hash) }
    return storage.isCovered(field, in: id)
  }

  /// Returns whether a field may be read: it has not expired, or stale reads are allowed. Updates the expiry time and
  /// staleness of the result.
  mutating func isFresh(_ field: FieldID, of id: RecordID) -> Bool {
    let end = storage.expiry(of: field, in: id)
    if end == 0 { return true }
    guard end <= readOptions.time else {
      expires = expires == 0 ? end : min(expires, end)
      return true
    }
    isStale = true
    return readOptions.allowsStale
  }

  /// Writes a field that the record does not have, if its arguments or the pages of its connection provide a value.
  private mutating func writeAbsent(
    _ field: ReaderField, _ index: Int, _ shape: ReaderSelection, of id: RecordID, _ isFirst: inout Bool
  ) {
    if writeRedirect(field, index, shape, &isFirst) { return }
    if field.isConnection, let child = field.child, let stretch = stretch(of: field, of: id) {
      for page in stretch.fields { _ = isFresh(page, of: id) }
      begin(field, index, shape, &isFirst)
      write(stretch, child)
      path.removeLast()
      return
    }
    missIfRequired(field, index, shape, in: id, &isFirst)
  }

  private func stretch(of field: ReaderField, of id: RecordID) -> ConnectionSlice? {
    ConnectionSlice(field.key, of: id, in: storage) { page in
      let end = storage.expiry(of: page, in: id)
      return end == 0 || end > readOptions.time || readOptions.allowsStale
    }
  }

  private mutating func writeRedirect(
    _ field: ReaderField, _ index: Int, _ shape: ReaderSelection, _ isFirst: inout Bool
  ) -> Bool {
    guard let redirect = field.redirect, let child = field.child else { return false }
    var targets: [RecordID?] = []
    for key in redirect.keys {
      dependOn(KeyHash.of(key.text), ChangedKeys.wholeRecord)
      targets.append(records.find(key).flatMap { exists($0) && canStand($0, child) ? $0 : nil })
    }
    guard targets.contains(where: { $0 != nil }) || targets.isEmpty else { return false }
    begin(field, index, shape, &isFirst)
    defer { path.removeLast() }
    guard redirect.isList else {
      if let target = targets[0] { _ = writeRecord(target, shapes: child) }
      return true
    }
    text.append(UInt8(ascii: "["))
    for (position, target) in targets.enumerated() {
      if position > 0 { text.append(UInt8(ascii: ",")) }
      path.append(.index(position))
      if let target { _ = writeRecord(target, shapes: child) } else { missItem() }
      path.removeLast()
    }
    text.append(UInt8(ascii: "]"))
    return true
  }

  private mutating func begin(_ field: ReaderField, _ index: Int, _ shape: ReaderSelection, _ isFirst: inout Bool) {
    if !isFirst { text.append(UInt8(ascii: ",")) }
    isFirst = false
    shape.appendMember(index, to: text)
    path.append(.key(field.responseKey))
  }

  /// Writes a field's value. Returns false if there is none, for example because the reference is dangling or the value
  /// contradicts its type.
  mutating func write(_ slot: StoredValue, field: ReaderField) -> Bool {
    guard let child = field.child else { return false }
    path.append(.key(field.responseKey))
    defer { path.removeLast() }
    guard let window = field.window, slot.kind == .list else {
      return write(slot, child: child, field.plan, level: 0)
    }
    guard canBeList(field.plan.shape, level: 0), let part = window.part(of: slot, in: storage) else { return false }
    writeItems(of: slot, part.range, child: child, field.plan, level: 0)
    if !part.isWhole { outcome.miss(ResponsePath(path + [.index(part.range.count)])) }
    return true
  }

  /// Writes a field's value or a list item. `level` is the number of enclosing lists.
  mutating func write(_ slot: StoredValue, child: ReaderNode, _ field: PlanField, level: Int) -> Bool {
    switch slot.kind {
    case .null:
      guard !field.shape.isNonNull(level: level) else { return false }
      writeNull()
      noteFragmentsOnNull(child)
      return true
    case .reference:
      guard storage.exists(slot.target) else {
        dependOn(storage.hash(of: slot.target), ChangedKeys.wholeRecord)
        return false
      }
      return canBeObject(field.shape, level: level) && writeRecord(slot.target, shapes: child)
    case .list:
      guard canBeList(field.shape, level: level) else { return false }
      writeItems(of: slot, 0..<slot.count, child: child, field, level: level)
      return true
    case .scalar, .missing:
      return false
    }
  }

  private mutating func writeItems(
    of list: StoredValue, _ range: Range<Int>, child: ReaderNode, _ field: PlanField, level: Int
  ) {
    outcome.found = true
    if list.isOpen {
      outcome.isIncomplete = true
      outcome.openLists.append(ResponsePath(path))
    }
    text.append(UInt8(ascii: "["))
    for index in range {
      if index > range.lowerBound { text.append(UInt8(ascii: ",")) }
      path.append(.index(index - range.lowerBound))
      let item = storage.item(at: index, of: list)
      if !write(item, child: child, field, level: level + 1) {
        let errors = errors(of: item, child, field, level: level + 1)
        outcome.errors += errors
        missItem()
      }
      path.removeLast()
    }
    text.append(UInt8(ascii: "]"))
  }

  mutating func writeLeaf(_ slot: StoredValue, of field: ReaderField) -> Bool {
    switch slot.kind {
    case .reference, .missing: return false
    case .list:
      guard slot.isOpen, var list = storage.json(ofList: slot)?.description else { return false }
      outcome.isIncomplete = true
      outcome.openLists.append(ResponsePath(path + [.key(field.responseKey)]))
      outcome.found = true
      list.withUTF8 { text.append($0) }
      return true
    case .null:
      writeNull()
      return true
    case .scalar:
      outcome.found = true
      if slot.isString { text.append(UInt8(ascii: "\"")) }
      storage.append(slot, to: text)
      if slot.isString { text.append(UInt8(ascii: "\"")) }
      return true
    }
  }

  mutating func writeNull() {
    outcome.found = true
    for byte in "null".utf8 { text.append(byte) }
  }

  /// Writes a list that was assembled from several pages.
  mutating func writeList(_ items: [StoredValue], child: ReaderNode, _ field: PlanField) {
    outcome.found = true
    text.append(UInt8(ascii: "["))
    for (index, item) in items.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      path.append(.index(index))
      if !write(item, child: child, field, level: 1) { missItem() }
      path.removeLast()
    }
    text.append(UInt8(ascii: "]"))
  }

  mutating func within<Result>(_ field: ReaderField, _ body: (inout RecordReader) -> Result) -> Result {
    path.append(.key(field.responseKey))
    defer { path.removeLast() }
    return body(&self)
  }

  // MARK: Missing values

  private mutating func missItem() {
    outcome.miss(ResponsePath(path))
    writeNull()
  }

  /// Records a missing field. A field that depends on a fragment is recorded only if the fragment is known to apply.
  mutating func missIfRequired(_ field: ReaderField, in id: RecordID?) {
    if field.isRequired || !field.coverage.isEmpty { miss(field, in: id) }
  }

  /// Records a missing field of the object that is being written. If an error is stored for it, it is written as null.
  private mutating func missIfRequired(
    _ field: ReaderField, _ index: Int, _ shape: ReaderSelection, in id: RecordID, _ isFirst: inout Bool
  ) {
    missIfRequired(field, in: id)
    guard field.isRequired || !field.coverage.isEmpty, isNullByError(field, in: id) else { return }
    begin(field, index, shape, &isFirst)
    writeNull()
    if let child = field.child { noteFragmentsOnNull(child) }
    path.removeLast()
  }

  private func isNullByError(_ field: ReaderField, in id: RecordID) -> Bool {
    guard storage.notes.hasErrors, !field.plan.shape.isNonNull(level: 0), let fieldID = field.id else { return false }
    return storage.notes.error(id, fieldID) != nil && storage.value(of: fieldID, in: id) == nil
  }

  mutating func miss(_ field: ReaderField, in id: RecordID?) {
    outcome.miss(ResponsePath(path + [.key(field.responseKey)]))
    let errors = errors(of: field, in: id)
    outcome.errors += errors
  }
}
