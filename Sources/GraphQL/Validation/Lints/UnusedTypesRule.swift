import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Every type can be reached from a root or from a directive's arguments.
///
/// A lint: the specification allows it.
enum UnusedTypesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    let storage = context.storage
    var used = [Bool](repeating: false, count: storage.types.count)
    var pending: [UInt32] = []
    func use(_ type: UInt32?) {
      guard let type, !used[Int(type)] else { return }
      used[Int(type)] = true
      pending.append(type)
    }
    func use(_ values: MemberRun) {
      for value in values.indices { use(context.type(of: storage.inputValues[value].type)) }
    }
    for root in storage.rootTypes { use(root) }
    for directive in storage.directives { use(directive.arguments) }
    while let type = pending.popLast() {
      let record = storage.types[Int(type)]
      for field in record.fields.indices {
        use(context.type(of: storage.fields[field].type))
        use(storage.fields[field].arguments)
      }
      use(record.inputFields)
      for related in storage.typeLists[record.related.indices] { use(related) }
      for possible in storage.typeLists[record.possibleTypes.indices] { use(possible) }
    }
    for type in context.ownTypes where !used[Int(type)] && storage.types[Int(type)].isDefined {
      context.report(
        "The type \"\(context.typeName(type))\" is never used.", nodes: Array(context.parts(of: type).prefix(1)))
    }
  }
}
