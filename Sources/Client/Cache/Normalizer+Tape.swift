import ApusJSON

/// The way of a response that came as one text: along its tape, with no value made on the way. What was patched, or is
/// written in part, goes the other way; both leave the same records.
extension Normalizer {
  /// Writes an object under `key`, under its own key, or under the path in the record or the list around it.
  mutating func writeObject(
    at object: TapePlace, on tape: Tape, of document: JSONDocument, shapes: NormalizerShapes, as key: UInt32?,
    in place: (record: UInt32, field: UInt32)
  ) -> UInt32 {
    let start = slotStack.count
    let firstMember = memberStack.count
    var keyPlace: TapePlace?
    // Objects of one type come in a row: the last one's shape is tried first.
    var shape: NormalizerShape
    if let last = shapes.last, last.typenameIndex != nil || shapes.node.typenameKey == nil,
      collect(object, tape, document, last, isGuess: true, &keyPlace)
    {
      shape = last
    } else {
      slotStack.cut(to: start)
      memberStack.cut(to: firstMember)
      keyPlace = nil
      shape = self.shape(in: shapes, typename: shapes.typename(of: document.value(at: object)))
      _ = collect(object, tape, document, shape, isGuess: false, &keyPlace)
    }
    if !shape.isPossible { isSuspect = true }
    let id =
      key ?? self.key(of: object, tape, document, shape, keyPlace) ?? path(record: place.record, field: place.field)
    if memberStack.count > firstMember {
      let positions = listPositions
      if !positions.isEmpty { listPositions = [] }
      for number in firstMember..<memberStack.count {
        let member = memberStack[number]
        let field = shape.table[member.field]
        guard let child = shape.fields[member.field].child else { continue }
        var slot: ValueSlot
        let kind = tape.kind(member.place)
        compare(kind: kind, with: field.shape, level: 0)
        if kind == Tape.Kind.object {
          slot = .reference(
            writeObject(at: member.place, on: tape, of: document, shapes: child, as: nil, in: (id, field.pathSymbol)))
        } else {
          slot = writeList(at: member.place, on: tape, of: document, child, (id, field.pathSymbol), field, level: 1)
        }
        slot.field = field.symbol
        slotStack[member.slot] = slot
      }
      memberStack.cut(to: firstMember)
      if !positions.isEmpty { listPositions = positions }
    }
    if shape.hasPolicies, isKept(id) {
      for index in start..<slotStack.count {
        slotStack[index].field = notePolicies(of: slotStack[index], in: id, shape)
      }
    }
    for note in shape.coverage {
      let slot = self.note(note, isThere: { symbol in slotStack.elements(from: start).contains { $0.field == symbol } })
      if let slot { slotStack.push(slot) }
    }
    put(slotStack.elements(from: start), into: id, shape)
    slotStack.cut(to: start)
    return id
  }

  private mutating func put(_ fields: UnsafeBufferPointer<ValueSlot>, into id: UInt32, _ shape: NormalizerShape) {
    guard isKept(id) else { return }
    if shape.expires != 0 { records.table.entries[id].expires = shape.expires }
    // Of members with one key the last counts.
    guard shape.hasRepeatedSymbols || mayRepeat, !fields.isEmpty else {
      return records.put(fields, into: id, type: shape.type)
    }
    for position in fields.indices {
      records.put(UnsafeBufferPointer(rebasing: fields[position...position]), into: id, type: shape.type)
    }
  }

  /// Makes slots of an object's scalars and notes its other members; false when the object turns out to be of another
  /// type than the shape's.
  private mutating func collect(
    _ object: TapePlace, _ tape: Tape, _ document: JSONDocument, _ shape: NormalizerShape, isGuess: Bool,
    _ keyPlace: inout TapePlace?
  ) -> Bool {
    let fields = shape.table
    let count = shape.fieldCount
    let typenameIndex = shape.typenameIndex ?? -1
    let keyIndex = shape.keyIndex ?? -1
    var isOfType = !isGuess || typenameIndex < 0
    var expected = 0
    var place = tape.inside(object)
    let end = tape.end(object)
    while place.isBefore(end) {
      let key = place
      place = tape.next(key)
      let value = place
      place = tape.next(value)
      var found = expected
      if found >= count || !fields[found].isNamed(tape, key) {
        guard let other = search(key, tape, document, shape) else { continue }
        found = other
      }
      if found < expected { mayRepeat = true }
      expected = found + 1
      if found == typenameIndex, isGuess {
        isOfType = shape.isTypename(tape, value)
        if !isOfType { return false }
      } else if found == keyIndex {
        keyPlace = value
      }
      var slot: ValueSlot
      if fields[found].hasChild, tape.kind(value) >= Tape.Kind.array {
        memberStack.push((found, slotStack.count, value))
        slot = .null
      } else {
        slot = scalar(value, tape, document)
      }
      compare(value, tape, document, with: fields[found], of: shape, at: found)
      slot.field = fields[found].symbol
      slotStack.push(slot)
    }
    return isOfType
  }

  private func search(_ key: TapePlace, _ tape: Tape, _ document: JSONDocument, _ shape: NormalizerShape) -> Int? {
    guard tape.hasEscape(key) else {
      for index in 0..<shape.fieldCount where shape.table[index].isNamed(tape, key) { return index }
      return nil
    }
    let name = document.value(at: key).string
    return shape.fields.firstIndex { $0.responseKey == name }
  }

  @inline(__always)
  private mutating func scalar(_ value: TapePlace, _ tape: Tape, _ document: JSONDocument) -> ValueSlot {
    let kind = tape.kind(value)
    if kind == Tape.Kind.null { return .null }
    if kind >= Tape.Kind.array { return scalar(document.value(at: value)) }
    let isString = kind == Tape.Kind.string
    if !isString || !tape.hasEscape(value) { return records.table.makeText(tape.raw(value), isString: isString) }
    // With its quotes it is the JSON text of itself.
    let raw = tape.raw(value)
    return records.table.makeText(
      UnsafeBufferPointer(start: tape.start(value) - 1, count: raw.count + 2), isString: false)
  }

  private mutating func writeList(
    at list: TapePlace, on tape: Tape, of document: JSONDocument, _ child: NormalizerShapes,
    _ place: (record: UInt32, field: UInt32), _ field: ShapeField, level: Int
  ) -> ValueSlot {
    guard tape.kind(list) == Tape.Kind.array else { return scalar(list, tape, document) }
    let start = slotStack.count
    var item = tape.inside(list)
    let end = tape.end(list)
    var position: UInt32 = 0
    while item.isBefore(end) {
      listPositions.append(position)
      let kind = tape.kind(item)
      compare(kind: kind, with: field.shape, level: level)
      let slot: ValueSlot =
        switch kind {
        case Tape.Kind.object:
          .reference(writeObject(at: item, on: tape, of: document, shapes: child, as: nil, in: place))
        case Tape.Kind.array: writeList(at: item, on: tape, of: document, child, place, field, level: level + 1)
        default: scalar(item, tape, document)
        }
      listPositions.removeLast()
      slotStack.push(slot)
      item = tape.next(item)
      position += 1
    }
    let slot = records.table.makeList(slotStack.elements(from: start), field: 0, isOpen: field.isOpen)
    slotStack.cut(to: start)
    return slot
  }

  private mutating func key(
    of object: TapePlace, _ tape: Tape, _ document: JSONDocument, _ shape: NormalizerShape, _ keyPlace: TapePlace?
  ) -> UInt32? {
    guard shape.typename != nil else { return nil }
    guard let keyPlace, case let kind = tape.kind(keyPlace), kind == Tape.Kind.number || kind == Tape.Kind.string,
      !tape.hasEscape(keyPlace)
    else {
      return key(of: document.value(at: object), shape: shape, hasBytes: false)
    }
    keyText.cut(to: 0)
    shape.keyPrefix.withUnsafeBufferPointer { keyText.append($0) }
    keyText.append(tape.raw(keyPlace))
    return keyText.withBytes { records.intern($0) }
  }
}
