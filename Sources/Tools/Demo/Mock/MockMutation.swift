import ApusGraphQLExecution
import ApusGraphQLSchema
import ApusJSON

/// The result of a mutation: its input, stored in the objects concerned, so that it can be read later.
struct MockMutation {
  let world: MockResolver
  let field: FieldDefinition
  let input: JSONValue

  /// The members of input objects, which most schemas use, followed by all arguments.
  private var given: [(String, JSONValue)] {
    let inputMembers = input.members.map { ($0.0, $0.1) }
    return inputMembers.flatMap { $0.1.kind == .object ? $0.1.members.map { ($0.0, $0.1) } : [] } + inputMembers
  }

  private var values: JSONValue { .object(given.filter { $0.1.kind != .object }) }

  var value: ResolvedValue {
    guard let type = field.type.definition else { return .null }
    if type.isLeaf {
      if type.name == "Boolean" { return .bool(true) }
      let object = MockObject(type: "Mutation", key: field.name)
      return type.kind == .enum
        ? .optional(type.enumValues.first?.name, ResolvedValue.string)
        : .leaf(MockText.value(of: type, named: field.name, on: object, seed: world.seed, input.description))
    }
    let answer = subject(type)
    return field.type.isList ? .list([world.resolved(answer)]) : world.resolved(answer)
  }

  /// Returns the object that the mutation returns: a payload with objects, or the object itself.
  private func subject(_ type: TypeDefinition) -> MockObject {
    guard let type = type.isAbstract ? type.possibleTypes.first : type else {
      return MockObject(type: field.type.name, key: field.name)
    }
    if type.field(named: "id") != nil { return changed(type, isOnlyOne: true) }
    let number = world.memory.nextNumber(of: type.name)
    let payload = MockObject(type: type.name, key: "\(field.name)#\(number)")
    var members = world.leafValues(values, of: type)
    for field in type.fields {
      guard let inner = field.type.definition, !field.type.isList else { continue }
      if inner.name == "Boolean", ["success", "ok", "succeeded"].contains(field.name) {
        members.append((field.name, JSONValue(true)))
      } else if inner.isComposite, let id = given.first(where: { $0.0 == "\(field.name)Id" })?.1.string {
        // `starrableId` in the input is the `starrable` of the payload, whatever its type.
        members.append((field.name, JSONValue(id)))
      } else if inner.kind == .object, inner.field(named: "id") != nil {
        members.append((field.name, JSONValue(changed(inner, isOnlyOne: false).key)))
      } else if field.name.hasSuffix("rrors") || field.name.hasSuffix("rror") {
        members.append((field.name, .null))
      }
    }
    world.memory.remember(members, of: payload)
    return payload
  }

  /// Returns the object whose id is in the input, or a new one, with the values of the input stored.
  private func changed(_ type: TypeDefinition, isOnlyOne: Bool) -> MockObject {
    let name = type.name.prefix(1).lowercased() + type.name.dropFirst()
    let isAboutIt = field.name.lowercased().contains(type.name.lowercased()) || isOnlyOne
    var id = given.first { $0.0 == "\(name)Id" }?.1.string
    if id == nil, isAboutIt { id = given.first { $0.0 == "id" }?.1.string }
    if id == nil, !isAboutIt {
      return world.drawn(of: type, "Mutation.\(field.name)", input.description)
    }
    let key = id ?? "\(type.name)_new\(world.memory.nextNumber(of: type.name))"
    let object = MockObject(type: type.name, key: key)
    if isAboutIt { world.memory.remember(world.leafValues(values, of: type) + references(of: type), of: object) }
    return object
  }

  /// Returns the references in the input: `teamId` is the object's `team`.
  private func references(of type: TypeDefinition) -> [(String, JSONValue)] {
    given.compactMap { name, value in
      guard name.hasSuffix("Id"), value.string != nil, let inner = type.field(named: String(name.dropLast(2))),
        inner.type.definition?.isComposite == true, !inner.type.isList
      else { return nil }
      return (inner.name, value)
    }
  }
}
