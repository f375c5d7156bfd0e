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
}
