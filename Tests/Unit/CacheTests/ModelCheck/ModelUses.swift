import ApusClientOperation

/// The last use of each record of the model, as increasing numbers.
struct ModelUses {
  private(set) var numbers: [String: Int] = [:]
  private var now = 0
  private var lastWrite = Int.max

  mutating func note(_ key: String) { numbers[key] = now }

  mutating func beginReading() { now += 1 }

  /// Restores the previous uses of some records.
  mutating func forgetLatest(of keys: [String], but before: ModelUses) {
    for key in keys where numbers[key] == now { numbers[key] = before.numbers[key] }
  }

  mutating func beginWriting() {
    now += 1
    lastWrite = now
  }

  /// Returns whether a record was used in or after the last write, so that trimming keeps it.
  func isSpared(_ key: String) -> Bool { numbers[key].map { $0 >= lastWrite } ?? false }
}

extension CacheModel {
  private static let roots: Set = ["QUERY_ROOT", "MUTATION_ROOT", "SUBSCRIPTION_ROOT"]

  /// Returns whether trimming can remove a record by itself: it has a key, or is embedded in a root's field.
  private func isTrimmable(_ key: String) -> Bool {
    if Self.roots.contains(key) { return false }
    guard key.contains(".") else { return true }
    let parts = key.split(separator: ".")
    return Self.roots.contains(String(parts[0])) && parts.dropFirst(2).allSatisfy { Int($0) != nil }
  }

  /// Removes the records that the cache removed when it was trimmed. Returns a description if the choice was wrong.
  mutating func trim(removing removed: Set<String>, keeping plans: [SelectionPlan], isEnough: Bool) -> String? {
    let saved = plans.reduce(into: Set<String>()) { $0.formUnion(reached(by: $1)) }
    let candidates = records.keys.filter { isTrimmable($0) && !saved.contains($0) && !uses.isSpared($0) }
    let gone = removed.filter(isTrimmable)
    if let wrong = gone.first(where: { !candidates.contains($0) && !isOnlyOrphaned($0, by: gone) }) {
      return "\(wrong) had to stay"
    }
    let staying = candidates.filter { !gone.contains($0) }
    if !isEnough, let missed = staying.first { return "\(missed) had to go" }
    let newest = gone.filter(candidates.contains).compactMap { uses.numbers[$0] }.max() ?? 0
    if let older = staying.first(where: { (uses.numbers[$0] ?? 0) < newest }) { return "\(older) was used before" }
    for key in gone { records[key] = nil }
    for root in Self.roots {
      records[root] = records[root]?.filter { _, value in
        let targets = Self.targets(value)
        return !targets.contains(where: gone.contains) || targets.contains { records[$0] != nil }
      }
    }
    dropOrphans()
    return nil
  }

  /// Returns whether an embedded record was removed only because its parents were.
  private func isOnlyOrphaned(_ key: String, by gone: Set<String>) -> Bool {
    key.contains(".") && gone.contains { $0 != key }
  }
}
