import ClientAPI
import ClientOperation
import JSON

/// Puts a response together from records.
///
/// 1. From the root record on, the fields that the plan selects are written as JSON text in the plan's order.
/// 2. A deferred fragment is looked at as a whole before any of its fields is written: only when everything in it is
///    there are its fields part of the data; else it is pending, whatever other operations have stored of it.
/// 3. What is missing is noted by path and left out; what was looked at is noted for whoever watches.
struct RecordReader {
  private let table: RecordTable
  private let plan: SelectionPlan
  private let context = ReaderContext()
  private let text: TextBuffer
  private var path: [PathComponent] = []
  private var missing: [ResponsePath] = []
  private var isIncomplete = false
  private var found = false
  private var fragments: [DeferredFragment] = []
  private var dependentKeys = DependentKeys()
  /// The deferrals whose fragment is there, of the objects around the present one.
  private var open: [DeferUsage] = []

  private init(_ records: RecordSet, plan: SelectionPlan) {
    table = records.table
    self.plan = plan
    text = TextBuffer(capacity: min(table.byteCount, 1 << 20))
  }

  static func read(_ plan: SelectionPlan, from records: RecordSet, allowPartial: Bool) -> CacheRead {
    var reader = RecordReader(records, plan: plan)
    return reader.read(root: records.find(plan.operation.rootKey), allowPartial: allowPartial)
  }

  private mutating func read(root: UInt32?, allowPartial: Bool) -> CacheRead {
    var data: JSONValue?
    let shapes = context.shapes(of: plan.root)
    if let root, table.entries[root].exists {
      writeRecord(root, shapes: shapes)
      if !isIncomplete || (allowPartial && found) { data = JSONText.document(text.bytes) }
    } else {
      missRoot(shapes)
    }
    return CacheRead(
      data: data, isComplete: !isIncomplete && data != nil, missing: missing, fragments: fragments,
      dependentKeys: dependentKeys)
  }

  /// No root record: everything directly on it is missing, and whoever watches waits for it.
  private mutating func missRoot(_ shapes: ReaderShapes) {
    let root = KeyHash.of(plan.operation.rootKey.text)
    let shape = shapes.shape(type: RecordTable.none, in: table, context: context)
    dependentKeys.hashes.append(KeyHash.combine(root, ChangedKeys.wholeRecord))
    for field in shape.fields {
      dependentKeys.hashes.append(KeyHash.combine(root, field.hash))
      if field.usages.isEmpty { miss(field) }
    }
    for fragment in shape.fragments where fragment.plan.parentUsage == nil { note(fragment, isThere: false) }
    isIncomplete = true
  }

  // MARK: Records

  private mutating func writeRecord(_ id: UInt32, shapes: ReaderShapes) {
    let entry = table.entries[id]
    let shape = shapes.shape(type: entry.type, in: table, context: context)
    dependentKeys.hashes.append(KeyHash.combine(entry.hash, ChangedKeys.wholeRecord))
    let outer = open.count
    for fragment in shape.fragments { look(at: fragment, in: id) }
    text.append(UInt8(ascii: "{"))
    var isFirst = true
    var position = 0
    for index in 0..<shape.symbols.count {
      dependentKeys.hashes.append(KeyHash.combine(entry.hash, shape.hashes[index]))
      if shape.isDeferred[index], !isOpen(shape.fields[index].usages) { continue }
      let symbol = shape.symbols[index]
      guard symbol != RecordTable.none, let place = table.position(ofField: symbol, in: entry, hint: position) else {
        if shape.fields[index].isRequired { miss(shape.fields[index]) }
        continue
      }
      position = place + 1
      let slot = table.slots.element(entry.fields, place)
      let start = text.count
      if !isFirst { text.append(UInt8(ascii: ",")) }
      shape.appendMember(index, to: text)
      if shape.hasChild[index] ? write(slot, field: shape.fields[index]) : writeLeaf(slot) {
        isFirst = false
      } else {
        text.cut(to: start)
        miss(shape.fields[index])
      }
    }
    text.append(UInt8(ascii: "}"))
    open.removeSubrange(outer...)
  }

  /// Writes a field's value; false when there is none, as when the record that it refers to is gone.
  private mutating func write(_ slot: ValueSlot, field: ReaderField) -> Bool {
    guard let child = field.child else { return false }
    path.append(.key(field.responseKey))
    defer { path.removeLast() }
    return write(slot, child: child)
  }

  private mutating func write(_ slot: ValueSlot, child: ReaderShapes) -> Bool {
    switch slot.kind {
    case .null:
      writeNull()
      return true
    case .reference:
      guard table.entries[slot.target].exists else {
        dependentKeys.hashes.append(KeyHash.combine(table.entries[slot.target].hash, ChangedKeys.wholeRecord))
        return false
      }
      writeRecord(slot.target, shapes: child)
      return true
    case .list:
      found = true
      if slot.isOpen { isIncomplete = true }
      text.append(UInt8(ascii: "["))
      for index in 0..<slot.count {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        path.append(.index(index))
        if !write(table.slots.element(slot.run, index), child: child) {
          missing.append(ResponsePath(path))
          isIncomplete = true
          writeNull()
        }
        path.removeLast()
      }
      text.append(UInt8(ascii: "]"))
      return true
    case .shortText, .text, .longText:
      return false
    }
  }

  private mutating func writeLeaf(_ slot: ValueSlot) -> Bool {
    switch slot.kind {
    case .reference, .list: return false
    case .null:
      writeNull()
      return true
    case .shortText, .text, .longText:
      found = true
      if slot.isString { text.append(UInt8(ascii: "\"")) }
      // The closure must not hold the reader: the table would be copied for every text.
      let text = text
      table.withText(slot) { text.append($0) }
      if slot.isString { text.append(UInt8(ascii: "\"")) }
      return true
    }
  }

  private mutating func writeNull() {
    found = true
    for byte in "null".utf8 { text.append(byte) }
  }

  private mutating func miss(_ field: ReaderField) {
    isIncomplete = true
    missing.append(ResponsePath(path + [.key(field.responseKey)]))
  }

  // MARK: Deferred fragments

  private func isOpen(_ usages: [DeferUsage]) -> Bool {
    usages.isEmpty || usages.contains { usage in isOpen(usage) }
  }

  private func isOpen(_ usage: DeferUsage) -> Bool { open.contains { $0.isSame(as: usage) } }

  private mutating func look(at fragment: ReaderFragment, in id: UInt32) {
    if let parent = fragment.plan.parentUsage, !isOpen(parent) { return }
    if fragment.plan.application == .never { return note(fragment, isThere: nil) }
    let isThere = isWhole(id, shapes: fragment.shapes, usage: fragment.plan.usage)
    if isThere, let usage = fragment.plan.usage { open.append(usage) }
    note(fragment, isThere: isThere)
    if !isThere { isIncomplete = true }
  }

  private mutating func note(_ fragment: ReaderFragment, isThere: Bool?) {
    let compiled = fragment.plan.fragment
    fragments.append(
      DeferredFragment(
        fragmentID: compiled.id, label: compiled.deferral?.label, path: ResponsePath(path),
        typeCondition: compiled.typeCondition, name: compiled.name,
        state: isThere.map { $0 ? .fulfilled : .pending } ?? .notExecuted))
  }

  /// Whether a record has everything that a fragment selects, but for what is deferred further.
  private mutating func isWhole(_ id: UInt32, shapes: ReaderShapes, usage: DeferUsage?) -> Bool {
    let entry = table.entries[id]
    let shape = shapes.shape(type: entry.type, in: table, context: context)
    var isWhole = true
    for field in shape.fields {
      let isOwn = field.usages.isEmpty || field.usages.contains { used in usage.map(used.isSame(as:)) ?? false }
      guard isOwn else { continue }
      dependentKeys.hashes.append(KeyHash.combine(entry.hash, field.hash))
      guard let slot = field.symbol == RecordTable.none ? nil : table.value(ofField: field.symbol, in: id) else {
        if field.isRequired { isWhole = false }
        continue
      }
      if let child = field.child, !isThere(slot, shapes: child, usage: usage) { isWhole = false }
      if !isWhole { return false }
    }
    return isWhole
  }

  private mutating func isThere(_ slot: ValueSlot, shapes: ReaderShapes, usage: DeferUsage?) -> Bool {
    switch slot.kind {
    case .null: return true
    case .reference:
      dependentKeys.hashes.append(KeyHash.combine(table.entries[slot.target].hash, ChangedKeys.wholeRecord))
      return table.entries[slot.target].exists && isWhole(slot.target, shapes: shapes, usage: usage)
    case .list:
      guard !slot.isOpen else { return false }
      for index in 0..<slot.count {
        if !isThere(table.slots.element(slot.run, index), shapes: shapes, usage: usage) { return false }
      }
      return true
    case .shortText, .text, .longText: return false
    }
  }
}
