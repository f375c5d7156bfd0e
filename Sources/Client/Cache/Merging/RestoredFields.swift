/// The fields of one record that are made again what they were before a change.
struct RestoredFields {
  private let names: Set<String>
  /// Of those that embedded records stand in, without arguments.
  private let bareNames: Set<String>
  private let isWhole: Bool

  /// `places` are those that the change touched. What is not as the change left it was written by others since.
  init(_ places: [ChangedKeys.Place], _ now: CacheSnapshot) {
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

  /// Whether a member of a record, as an export has it, is made what it was. What tells of the record goes along.
  func contains(_ field: String) -> Bool {
    isWhole || field.hasPrefix("$") || names.contains(field) || bareNames.contains(String(field.prefix { $0 != "(" }))
  }
}
