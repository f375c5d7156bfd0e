import ApusJSON
import Synchronization

/// The values that mutations and arguments gave to objects. Kept in memory only.
final class MockStore: Sendable {
  private struct State {
    var values: [String: [String: JSONValue]] = [:]
    var order: [String] = []
    var made: [String: Int] = [:]
  }

  private let state = Mutex(State())
  /// The maximum number of objects; the oldest are removed.
  private static let most = 100_000

  func value(of field: String, in object: MockObject) -> JSONValue? {
    state.withLock { $0.values["\(object.type) \(object.key)"]?[field] }
  }

  func remember(_ values: [(String, JSONValue)], of object: MockObject) {
    guard !values.isEmpty else { return }
    let key = "\(object.type) \(object.key)"
    state.withLock { state in
      if state.values[key] == nil { state.order.append(key) }
      for (name, value) in values { state.values[key, default: [:]][name] = value }
      if state.order.count > Self.most {
        for old in state.order.prefix(Self.most / 10) { state.values[old] = nil }
        state.order.removeFirst(Self.most / 10)
      }
    }
  }

  /// Returns the number for the next object of a type that a mutation creates, from 1.
  func nextNumber(of type: String) -> Int {
    state.withLock { state in
      state.made[type, default: 0] += 1
      return state.made[type] ?? 1
    }
  }
}
