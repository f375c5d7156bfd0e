import Testing

@testable import ApusClientRecords

/// The count of a packed value has 28 bits, but lists and strings can be longer.
struct PackedValueTests {
  @Test(arguments: [0, 1, 1 << 20, (1 << 28) - 2, (1 << 28) - 1, 1 << 28, (1 << 28) + 1, 1 << 31])
  func `a count of any size is preserved`(count: Int) {
    // A run of that size starts at the beginning of a page.
    for isOpen in [false, true] {
      let value = PackedValue(.list, count: count, payload: ArenaRun(page: 7, start: 0).packed, flag: isOpen)
      #expect(value.count == count)
      #expect(value.kind == .list && value.isOpen == isOpen)
      #expect(value.run.page == 7 && value.run.start == 0)
    }
  }

  @Test func `a short count preserves the start of its run`() {
    let value = PackedValue(.longText, count: 12, payload: ArenaRun(page: 7, start: 345).packed)
    #expect(value.count == 12 && value.kind == .scalar && value.run.page == 7 && value.run.start == 345)
  }

  /// Values of each layout are written to a record, removed one by one, and written again: the memory is used again.
  @Test(arguments: 1...12) func `the memory of removed values is used again`(count: Int) {
    let contents = PackedContents(keepsReferrers: false)
    let record = Array("R".utf8).withUnsafeBufferPointer { contents.record($0, hash: KeyHash.of("R")) }
    #expect(contents.begin(record, stamp: 0, time: 0))
    func pages(after rounds: Int) -> [Int] {
      for _ in 0..<rounds {
        let values = (0..<count).map { number -> PackedValue in
          var value = scalar(String(repeating: "x", count: [1, 30, 3000, 40_000][number % 4]), in: contents)
          if number % 3 == 1 {
            value = [value, scalar("item of a list", in: contents)].withUnsafeBufferPointer {
              contents.list($0, isOpen: false)
            }
          }
          value.field = FieldID(number: UInt32(number))
          return value
        }
        values.withUnsafeBufferPointer { contents.add($0, to: record) }
        for _ in 0..<count { contents.removeField(at: 0, of: record) }
      }
      return [contents.values.pages.count, contents.texts.pages.count]
    }
    let once = pages(after: 1)
    #expect(pages(after: 500) == once)
  }

  private func scalar(_ text: String, in contents: PackedContents) -> PackedValue {
    Array(text.utf8).withUnsafeBufferPointer { contents.scalar($0, isString: true) }
  }
}
