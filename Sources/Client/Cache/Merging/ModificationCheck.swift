import ApusClientOperation
import ApusJSON
import Synchronization

/// Rejects functions that set a field to NaN or infinity. Such a function cannot throw and is called later by the cache. It
/// then changes nothing, and the error is thrown afterwards.
final class ModificationCheck: Sendable {
  private struct State {
    var hasModifications = false
    var refusal: CacheTransactionError?
  }

  private let state = Mutex(State())

  /// Returns the mutation. If it has a function, its result is checked.
  func checked(_ mutation: CacheMutation) -> CacheMutation {
    guard case .modify(let key, let body) = mutation else { return mutation }
    state.withLock { $0.hasModifications = true }
    return .modify(key) { [self] draft in
      var changed = draft
      body(&changed)
      guard let path = changed.nonFinitePath else { return draft = changed }
      state.withLock { $0.refusal = $0.refusal ?? .notFinite(path) }
    }
  }

  /// Whether any checked mutation has a function.
  var hasModifications: Bool { state.withLock { $0.hasModifications } }

  /// Throws the first error that was found.
  func finish() throws(CacheTransactionError) {
    if let refusal = state.withLock({ $0.refusal }) { throw refusal }
  }

  /// Applies the steps to a draft, and throws if one of them is rejected. For steps that must be applied together.
  func tryOut(_ steps: [CacheMutation], on records: RecordLookup) throws {
    guard hasModifications else { return }
    _ = try records(QueryTypeName.root, steps)
    try finish()
  }
}

extension RecordDraft {
  /// The path of the first NaN or infinite value in a changed field.
  fileprivate var nonFinitePath: ResponsePath? {
    for field in changed.sorted() {
      if let value = self[field], let path = value.nonFinitePath { return ResponsePath([.key(field)] + path) }
    }
    return nil
  }
}

extension RecordValue {
  fileprivate var nonFinitePath: [PathComponent]? {
    switch self {
    case .scalar(let value): return value.nonFinitePath?.components
    case .reference, .missing: return nil
    case .list(let items):
      for (index, item) in items.enumerated() {
        if let path = item.nonFinitePath { return [.index(index)] + path }
      }
      return nil
    }
  }
}
