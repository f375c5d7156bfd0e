import Testing

@testable import ApusClientCache

/// A slot's count has 28 bits; lists and texts may be longer.
struct ValueSlotTests {
  @Test(arguments: [0, 1, 1 << 20, (1 << 28) - 2, (1 << 28) - 1, 1 << 28, (1 << 28) + 1, 1 << 31])
  func aCountComesBackAsItWasWhateverItIs(count: Int) {
    // So long a run has a page of its own, and begins at its start.
    for isOpen in [false, true] {
      let run = ArenaRun(page: 7, start: 0)
      let slot = ValueSlot(kind: .list, count: count, payload: run.packed, flag: isOpen)
      #expect(slot.count == count)
      #expect(slot.kind == .list && slot.isOpen == isOpen)
      #expect(slot.run.page == 7 && slot.run.start == 0)
    }
  }

  @Test func aShortCountKeepsWhereItsRunBegins() {
    let slot = ValueSlot(kind: .longText, count: 12, payload: ArenaRun(page: 7, start: 345).packed)
    #expect(slot.count == 12 && slot.run.page == 7 && slot.run.start == 345)
  }
}
