import Synchronization
import Testing

@testable import ApusClientTraffic

/// The release of payloads that wait.
struct DeliveryControlTests {
  private static let (one, two) = (TrafficOperationID(exchange: 1), TrafficOperationID(exchange: 2, message: "a"))

  /// A control with two operations whose next payload waits, and the operations that it woke.
  private final class Waiting: Sendable {
    let control: DeliveryControl
    let woken = Mutex<Set<TrafficOperationID>>([])

    init() {
      var rules = DeliveryRules()
      rules.holds = true
      control = DeliveryControl(rules)
      for operation in [one, two] { #expect(!isReleased(operation)) }
    }

    func isReleased(_ operation: TrafficOperationID) -> Bool {
      control.takeRelease(of: operation) { [self] in _ = woken.withLock { $0.insert(operation) } }
    }
  }

  enum Call: CaseIterable {
    case release, releaseNext, releaseAll, useHolding, useOther
  }

  /// The operations that are sent, and whether later payloads wait.
  private static func expected(_ call: Call) -> (sent: Set<TrafficOperationID>, laterWait: Bool) {
    switch call {
    case .release: ([one], true)
    case .releaseNext: ([one, two], true)
    case .releaseAll, .useOther: ([one, two], false)
    case .useHolding: ([], true)
    }
  }

  @Test(arguments: Call.allCases)
  func `a call releases the payloads of its row`(_ call: Call) {
    let waiting = Waiting()
    switch call {
    case .release: waiting.control.release(Self.one)
    case .releaseNext: waiting.control.releaseNext()
    case .releaseAll: waiting.control.releaseAll()
    case .useHolding:
      var rules = waiting.control.rules
      rules.cutAfter = 1
      waiting.control.use(rules)
      #expect(waiting.control.rules.cutAfter == 1)
    case .useOther: waiting.control.use(DeliveryRules())
    }
    let (sent, laterWait) = Self.expected(call)
    #expect(waiting.woken.withLock { $0 } == sent)
    for operation in [Self.one, Self.two] {
      #expect(waiting.isReleased(operation) == (sent.contains(operation) || !laterWait))
      #expect(waiting.isReleased(operation) == !laterWait)
    }
  }

  @Test func `a release of an operation that does not wait has no effect`() {
    let waiting = Waiting()
    let other = TrafficOperationID(exchange: 3)
    waiting.control.release(other)
    #expect(!waiting.isReleased(other))
    waiting.control.release(Self.one)
    waiting.control.release(Self.one)
    #expect(waiting.isReleased(Self.one))
    #expect(!waiting.isReleased(Self.one))
  }

  @Test func `all payloads of one operation are released, and those of others wait`() {
    let waiting = Waiting()
    waiting.control.releaseAll(of: Self.one)
    #expect(waiting.woken.withLock { $0 } == [Self.one])
    for _ in 1...3 { #expect(waiting.isReleased(Self.one) && !waiting.isReleased(Self.two)) }
    waiting.control.forget(Self.one)
    #expect(!waiting.isReleased(Self.one))
  }

  @Test func `an operation that ended is forgotten`() {
    let waiting = Waiting()
    waiting.control.forget(Self.one)
    waiting.control.releaseNext()
    #expect(waiting.woken.withLock { $0 } == [Self.two])
    waiting.control.forget(Self.two)
    #expect(!waiting.isReleased(Self.two))
  }
}
