import ApusClientRecords

/// Finds the records that the roots lead to, and removes the others.
extension RecordSet {
  /// The records that can be reached from the root records, and from some others.
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
    // A request may lead to records that no field of a root names.
    let kept = reached(by: requests)
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
    let marks = reachable(and: kept)
    for record in storage.keys where !marks.contains(record) && storage.exists(record) {
      removeRecord(record, log: &log)
    }
  }
}
