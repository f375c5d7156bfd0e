import ApusClientTraffic
import Testing

@testable import ApusTap

/// The order in which an outbox sends its bytes, and its state meanwhile.
@Suite(.timeLimit(.minutes(1))) struct OutboxTests {
  private let start = ContinuousClock.now

  /// A delivery whose byte is its number, after a delay in milliseconds.
  private func delivery(_ byte: UInt8, after delay: Int = 0, isHeld: Bool = false) -> ResponseEditor.Delivery {
    ResponseEditor.Delivery(delay: .milliseconds(delay), bytes: [byte], isHeld: isHeld)
  }

  private func ready(_ outbox: inout Outbox, at time: Int) -> [UInt8] {
    outbox.takeReady(at: start + .milliseconds(time)).flatMap { $0 }
  }

  @Test func `bytes wait for their time and for those before them`() {
    var outbox = Outbox()
    outbox.add([delivery(1, after: 20), delivery(2, after: 10), delivery(3)], at: start)
    outbox.add([delivery(4, after: 5)], at: start + .milliseconds(30))
    #expect(ready(&outbox, at: 19) == [])
    #expect(ready(&outbox, at: 20) == [1, 2, 3])
    #expect(!outbox.isEmpty)
    #expect(ready(&outbox, at: 34) == [])
    #expect(ready(&outbox, at: 35) == [4])
    #expect(outbox.isEmpty && outbox.untilNext == nil)
  }

  @Test func `held bytes wait for their release, and those after them for theirs`() {
    var outbox = Outbox()
    outbox.add([delivery(1, isHeld: true), delivery(2, isHeld: true), delivery(3)], at: start)
    #expect(outbox.heldCounts == [nil: 2] && outbox.heldOperations == [nil] && outbox.untilNext == nil)
    #expect(ready(&outbox, at: 0) == [])
    outbox.release(nil)
    #expect(outbox.heldCounts == [nil: 1] && outbox.heldOperations == [nil] && outbox.untilNext != nil)
    #expect(ready(&outbox, at: 0) == [1])
    #expect(outbox.heldOperations == [nil] && outbox.untilNext == nil)
    outbox.release(nil)
    #expect(outbox.heldCounts == [:] && outbox.heldOperations == [])
    #expect(ready(&outbox, at: 0) == [2, 3])
  }

  @Test func `a payload behind a released one, which is not due, can be released`() {
    var outbox = Outbox()
    outbox.add([delivery(1, after: 9, isHeld: true), delivery(2, isHeld: true), delivery(3, isHeld: true)], at: start)
    for count in [2, 1] {
      outbox.release(nil)
      #expect(outbox.heldCounts == [nil: count] && outbox.isHeld(nil))
    }
    #expect(ready(&outbox, at: 8) == [])
    #expect(ready(&outbox, at: 9) == [1, 2])
  }

  @Test func `operations do not wait for each other, and a discarded one has nothing left`() {
    var outbox = Outbox()
    outbox.add([delivery(1, isHeld: true)], of: "a", at: start)
    outbox.add([delivery(2), delivery(3, after: 5)], of: "b", at: start)
    outbox.add([delivery(4, after: 9)], of: "c", at: start)
    outbox.release("b")
    #expect(ready(&outbox, at: 0) == [2])
    outbox.discard("c")
    #expect(outbox.isEmpty(of: "c") && !outbox.isEmpty(of: "a") && !outbox.isEmpty(of: "b"))
    #expect(ready(&outbox, at: 9) == [3])
    outbox.release("a")
    #expect(ready(&outbox, at: 9) == [1])
    #expect(outbox.isEmpty)
  }

  @Test func `the last bytes are sent once, after all others`() {
    var outbox = Outbox()
    outbox.add(last: [8])
    outbox.add([delivery(1, after: 5)], at: start)
    outbox.add(last: [9])
    #expect(ready(&outbox, at: 4) == [])
    #expect(ready(&outbox, at: 5) == [1, 8, 9])
    #expect(outbox.isEmpty)
    #expect(ready(&outbox, at: 5) == [])
    outbox.add([delivery(2)], at: start)
    #expect(ready(&outbox, at: 5) == [2])
  }

  @Test func `the outbox is full above a mebibyte, and no longer after it was sent or discarded`() {
    let large = ResponseEditor.Delivery(delay: .zero, bytes: [UInt8](repeating: 0, count: 1 << 20))
    for isDiscarded in [true, false] {
      var outbox = Outbox()
      outbox.add([large], of: "a", at: start)
      #expect(!outbox.isFull)
      outbox.add(last: [1])
      #expect(outbox.isFull)
      if isDiscarded { outbox.discard("a") } else { #expect(ready(&outbox, at: 0).count == (1 << 20) + 1) }
      #expect(!outbox.isFull)
      outbox.add([large], of: "b", at: start)
      #expect(outbox.isFull == isDiscarded)
    }
  }

  @Test func `waking is not held up by signals that nothing has cleared`() throws {
    let signal = try #require(WakeSignal(DescriptorReserve()))
    for _ in 0..<200_000 { signal.signal() }
    signal.clear()
  }
}
