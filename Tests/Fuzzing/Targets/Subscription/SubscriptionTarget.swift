import ApusClientSubscriptions
import ApusJSON
import FuzzHarness

/// For any messages of a server, one per line, all events belong to an active subscription, and none follows the end.
@main enum SubscriptionTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) {
    for dialect in [WebSocketSubprotocol.transport, .legacy] {
      let now = ContinuousClock.now
      var session = SubscriptionSession(dialect, url: "wss://birds.example", options: SubscriptionOptions(), now: now)
      var active: Set<String> = ["1", "2"]
      var hasEnded = false
      var effects = session.opened(payload: nil, at: now)
      for id in active.sorted() { effects += session.subscribe(id: id, payload: .object([]), at: now) }
      for line in bytes.split(separator: UInt8(ascii: "\n")) {
        effects += session.receive(Array(line), at: now)
        for effect in effects {
          expect(!hasEnded, "an effect follows the end: \(effect)")
          switch effect {
          case .send(let message), .answer(let message):
            expect((try? JSONDocument(parsing: message)) != nil, "the sent data is not JSON")
          case .result(let id, let value, _):
            expect(active.contains(id) && value.kind == .object, "no result: \(value)")
          case .errors(let id, let errors, _):
            expect(active.remove(id) != nil && errors.kind == .array, "no errors: \(errors)")
          case .completed(let id): expect(active.remove(id) != nil, "completed twice: \(id)")
          case .end: hasEnded = true
          case .ping, .acknowledged: break
          }
        }
        effects = []
      }
    }
  }
}
