extension Schema {
  /// Whether each type is reachable for operations, by type index: from the root types and directive arguments through
  /// fields, arguments, interfaces and possible types.
  package var reachableTypes: [Bool] {
    var reached = [Bool](repeating: false, count: storage.types.count)
    var pending: [UInt32] = []
    func reach(_ type: UInt32?) {
      guard let type, !reached[Int(type)] else { return }
      reached[Int(type)] = true
      pending.append(type)
    }
    func reach(_ values: MemberRun) {
      for value in values.indices { reach(typeIndex(of: storage.inputValues[value].type.name)) }
    }
    for root in storage.rootTypes { reach(root) }
    for directive in storage.directives { reach(directive.arguments) }
    while let type = pending.popLast() {
      let record = storage.types[Int(type)]
      for field in record.fields.indices {
        reach(typeIndex(of: storage.fields[field].type.name))
        reach(storage.fields[field].arguments)
      }
      reach(record.inputFields)
      for related in storage.typeLists[record.related.indices] { reach(related) }
      for possible in storage.typeLists[record.possibleTypes.indices] { reach(possible) }
    }
    return reached
  }
}
