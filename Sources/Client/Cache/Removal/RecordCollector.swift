import ApusClientRecords

/// Garbage collection: removal of records that are not reachable from the roots.
extension RecordSet {
  /// Returns the records that are reachable from the roots and from `others`.
  func reachable(and others: Set<RecordID> = []) -> RecordMarks {
    var marks = RecordMarks(for: storage.keys)
    var stack = (CacheKey.keptRoots.compactMap(find) + others).filter { storage.exists($0) && marks.insert($0) }
    while let record = stack.popLast() {
      storage.forEachTarget(of: record) { target in
        if storage.exists(target), marks.insert(target) { stack.append(target) }
      }
    }
    return marks
  }

  mutating func collect(rootFields: Set<String>?, keeping requests: [RecordRequest], log: inout ChangeLog) {
    // Requests can reach records through key arguments, without a field of a root.
    let retained = reachableRecords(by: requests)
    if let rootFields {
      for root in CacheKey.keptRoots {
        guard let record = self[root] else { continue }
        for field in record.fields where !rootFields.contains("\(root.text).\(field.key)") {
          let name = field.key.prefix { $0 != "(" }
          if rootFields.contains("\(root.text).\(name)(*)") { continue }
          removeField(field.key, of: root, log: &log)
        }
      }
    }
    let marks = reachable(and: retained)
    for record in storage.keys where !marks.contains(record) && storage.exists(record) {
      removeRecord(record, log: &log)
    }
  }
}
