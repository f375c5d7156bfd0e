/// Scalars and lists in a storage.
extension PackedContents {
  func scalar(_ text: UnsafeBufferPointer<UInt8>, isString: Bool) -> PackedValue {
    if text.count <= 8 {
      var payload: UInt64 = 0
      withUnsafeMutableBytes(of: &payload) { $0.copyMemory(from: UnsafeRawBufferPointer(text)) }
      return PackedValue(.shortText, count: text.count, payload: payload, flag: isString)
    }
    if texts.isLong(text.count) {
      return PackedValue(.longText, count: 0, payload: texts.storeAsPage(text).packed, flag: isString)
    }
    return PackedValue(.text, count: text.count, payload: texts.store(text).packed, flag: isString)
  }

  func list(_ items: UnsafeBufferPointer<PackedValue>, isOpen: Bool) -> PackedValue {
    let run = items.isEmpty ? ArenaRun(page: 0, start: 0) : values.store(items)
    return PackedValue(.list, count: items.count, payload: run.packed, flag: isOpen)
  }

  @inlinable
  func item(at index: Int, of list: PackedValue) -> PackedValue { values.element(list.run, index) }

  @inlinable
  func withText<Result>(of scalar: PackedValue, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    switch scalar.layout {
    case .text: return body(texts.run(scalar.run, count: scalar.count))
    case .longText: return body(texts.run(scalar.run, count: texts.lengthOfPage(scalar.run)))
    case .null, .reference, .list, .missing, .shortText:
      return withUnsafeBytes(of: scalar.payload) { raw in
        raw.withMemoryRebound(to: UInt8.self) { body(UnsafeBufferPointer(rebasing: $0[..<min(scalar.count, 8)])) }
      }
    }
  }

  @inlinable
  func append(_ scalar: PackedValue, to text: ByteBuffer) {
    switch scalar.layout {
    case .text: text.append(texts.run(scalar.run, count: scalar.count))
    case .longText: text.append(texts.run(scalar.run, count: texts.lengthOfPage(scalar.run)))
    case .null, .reference, .list, .missing, .shortText: text.append(upTo8: scalar.payload, count: scalar.count)
    }
  }

  func isSameText(_ scalar: PackedValue, as other: PackedValue, of storage: PackedContents) -> Bool {
    guard scalar.layout == other.layout, scalar.count == other.count else { return false }
    if scalar.layout == .shortText { return scalar.hasSamePayload(as: other) }
    return withText(of: scalar) { left in storage.withText(of: other) { right in bytesAreEqual(left, right) } }
  }

  func copy(_ value: PackedValue) -> PackedValue {
    switch value.layout {
    case .null, .missing, .shortText: return value
    case .reference: return .reference(value.target).stored(in: value.field)
    case .text, .longText:
      let bytes = withText(of: value) { Array($0) }
      return bytes.withUnsafeBufferPointer { scalar($0, isString: value.isString) }.stored(in: value.field)
    case .list:
      let items = (0..<value.count).map { copy(item(at: $0, of: value)) }
      return items.withUnsafeBufferPointer { list($0, isOpen: value.isOpen) }.stored(in: value.field)
    }
  }

  func discard(_ value: PackedValue) { release(value) }

  /// Frees the memory of a value and removes its references.
  func release(_ value: PackedValue) {
    switch value.layout {
    case .null, .shortText, .missing: break
    case .text: texts.release(value.run, count: value.count)
    case .longText: texts.release(value.run, count: texts.lengthOfPage(value.run))
    case .reference: unlink(value)
    case .list:
      for index in 0..<value.count { release(item(at: index, of: value)) }
      if value.count > 0 { values.release(value.run, count: value.count) }
    }
  }

  func byteCount(of value: PackedValue) -> Int {
    switch value.layout {
    case .null, .shortText, .reference, .missing: 16
    case .text: 16 + value.count
    case .longText: 16 + texts.lengthOfPage(value.run)
    case .list: (0..<value.count).reduce(16) { $0 + byteCount(of: item(at: $1, of: value)) }
    }
  }
}
