import ApusClientOperation

/// When the records of the model were used last, each moment a number.
struct ModelUses {
  private(set) var numbers: [String: Int] = [:]
  private var now = 0
  private var lastWrite = Int.max

  mutating func note(_ key: String) { numbers[key] = now }

  mutating func beginReading() { now += 1 }

  /// Takes the latest uses of some records back.
  mutating func forgetLatest(of keys: [String], but before: ModelUses) {
    for key in keys where numbers[key] == now { numbers[key] = before.numbers[key] }
  }

  mutating func beginWriting() {
    now += 1
    lastWrite = now
  }

  /// What was used in the last write or since stays.
  func isSpared(_ key: String) -> Bool { numbers[key].map { $0 >= lastWrite } ?? false }
}

extension CacheModel {
  private static let roots: Set = ["QUERY_ROOT", "MUTATION_ROOT", "SUBSCRIPTION_ROOT"]

  /// Whether a record goes by itself when the cache is trimmed: it has a key of its own, or lies in a root's field.
  private func isTrimmable(_ key: String) -> Bool {
    if Self.roots.contains(key) { return false }
    guard key.contains(".") else { return true }
    let parts = key.split(separator: ".")
    return Self.roots.contains(String(parts[0])) && parts.dropFirst(2).allSatisfy { Int($0) != nil }
  }

  /// Takes away what a cache took away when it was trimmed, and tells what was wrong with its choice.
  mutating func trim(removing removed: Set<String>, keeping plans: [SelectionPlan], isEnough: Bool) -> String? {
    let kept = plans.reduce(into: Set<String>()) { $0.formUnion(reached(by: $1)) }
    let candidates = records.keys.filter { isTrimmable($0) && !kept.contains($0) && !uses.isSpared($0) }
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

  /// Whether an embedded record went because everything around it did.
  private func isOnlyOrphaned(_ key: String, by gone: Set<String>) -> Bool {
    key.contains(".") && gone.contains { $0 != key }
  }
}
