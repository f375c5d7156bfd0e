import ApusClientCache
import ApusJSON

/// A request that an application could perhaps do without.
package struct TrafficHint: Sendable, Equatable {
  package enum Kind: String, Sendable {
    /// The cache had all data of the query.
    case cached
    /// The cache had a part of the data of the query.
    case partlyCached
    /// An equal operation with equal variables was running.
    case repeated
  }

  package let kind: Kind
  /// The number of the operation.
  package let request: Int
  /// The number of the operation that was running; `nil` for other hints.
  package let running: Int?

  /// The description on one line.
  package var description: String {
    switch (kind, running) {
    case (.cached, _): "the cache had all of its data"
    case (.partlyCached, _): "the cache had a part of its data"
    case (.repeated, let running?): "operation \(running) is the same and was still running"
    case (.repeated, nil): "the same operation was still running"
    }
  }
}

/// Finds the hints for requests when they are sent.
///
/// | request | hint |
/// |---|---|
/// | query whose data the cache has, with its deferred fragments | `cached` |
/// | query of which the cache has a value other than `__typename` and `id` | `partlyCached` |
/// | query of which it has none, mutation, subscription, document that is not known | none for the cache |
/// | operation of any type whose text, name and variables are those of a running one | `repeated` |
struct RequestHints {
  /// The running operations, by number.
  private var running: [OperationParameters: [Int]] = [:]

  /// Returns the hints for an operation that begins.
  mutating func began(_ request: TrafficRequest, in store: CacheStore) async -> [TrafficHint] {
    var hints: [TrafficHint] = []
    let other = running[request.parameters]?.last
    running[request.parameters, default: []].append(request.number)
    if let kind = await Self.extent(of: request, in: store) {
      hints.append(TrafficHint(kind: kind, request: request.number, running: nil))
    }
    if let other { hints.append(TrafficHint(kind: .repeated, request: request.number, running: other)) }
    return hints
  }

  mutating func ended(_ request: TrafficRequest) {
    running[request.parameters]?.removeAll { $0 == request.number }
    if running[request.parameters]?.isEmpty == true { running[request.parameters] = nil }
  }

  private static func extent(of request: TrafficRequest, in store: CacheStore) async -> TrafficHint.Kind? {
    guard request.type == .query, let operation = request.compiled,
      let read = try? await store.read(operation, variables: request.parameters.variables, allowPartial: true),
      let data = read.data, hasValue(data)
    else { return nil }
    return read.isComplete ? .cached : .partlyCached
  }

  /// Whether JSON has a value beside types and ids.
  private static func hasValue(_ json: JSONValue) -> Bool {
    switch json.kind {
    case .object: json.members.contains { $0.key != "__typename" && $0.key != "id" && hasValue($0.value) }
    case .array: json.elements.contains(where: hasValue)
    case .string, .number, .bool: true
    case .null: false
    }
  }
}
