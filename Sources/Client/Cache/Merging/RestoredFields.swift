extension ChangedKeys.ChangedField {
  /// Whether the change added this field of an embedded record that existed before.
  func isAdded(since snapshot: CacheSnapshot) -> Bool {
    guard isEmbedded, left != nil, let then = snapshot.record(key) else { return false }
    return then[field: field] == nil
  }
}

/// The fields of a record that an undo restores to their state before a change.
struct RestoredFields {
  private let names: Set<String>
  /// Names, without arguments, of fields that contain embedded records.
  private let bareNames: Set<String>
  private let isWhole: Bool

  /// Creates the fields to restore. `places` are the fields that the change affected; those whose value has changed
  /// since then are not restored.
  init(_ places: [ChangedKeys.ChangedField], _ now: CacheSnapshot) {
    var names: Set<String> = []
    var bareNames: Set<String> = []
    var others: Set<String> = []
    var records: [CacheKey: Record] = [:]
    for place in places {
      let record = records[place.key] ?? now.record(place.key)
      records[place.key] = record
      guard record?[field: place.field] == place.left else {
        others.insert(place.base)
        continue
      }
      if place.isEmbedded { bareNames.insert(place.base) } else { names.insert(place.base) }
    }
    self.names = names.subtracting(others)
    self.bareNames = bareNames.subtracting(others)
    isWhole = places.isEmpty
  }

  /// Returns whether a member of an exported record is restored. Metadata (`$…`) always is.
  func contains(_ field: String) -> Bool {
    isWhole || field.hasPrefix("$") || names.contains(field) || bareNames.contains(String(field.prefix { $0 != "(" }))
  }
}
