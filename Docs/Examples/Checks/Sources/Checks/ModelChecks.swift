import PeopleAPI

private typealias Person = PersonQuery.Data.Person

/// Checks handwritten models: fields, type cases, fragments, equality and component types.
func checkModels(_ report: Report) throws {
  checkInitializers(report)
  checkFragments(report)
  checkInputs(report)
  try checkScalars(report)
  checkDescriptions(report)
}

private func checkInitializers(_ report: Report) {
  let user = Person.AsUser(
    id: "1", name: "Ada", likes: 3, email: "a@b.c", mood: .init(.happy), born: Day("1815-12-10"), weight: 1.5,
    tags: ["x"])
  report.check("a field is read", user.name, is: "Ada")
  report.check("a list is read", user.tags, is: ["x"])
  report.check("an enum is read", user.mood?.value == .happy)
  report.check("a custom scalar is read", user.born?.text, is: "1815-12-10")
  report.check("an object knows its type", user.__typename, is: "User")
  report.check("an object knows its type in the schema", user.__objectType?.name, is: "User")
  let person = user.asRootEntityType
  report.check("a type case has the object's fields", person.id, is: "1")
  report.check("an object has its type case", person.asUser?.email, is: "a@b.c")
  report.check("a field excluded by a condition is nil", Person(__typename: "User", id: "1", name: "Ada").likes == nil)
  report.check("models of the same fields are equal", user == Person.AsUser(_dataDict: user.__data))
  report.check("models of other fields are not", person != Person(__typename: "User", id: "2", name: "Ada"))
  report.check("equal models have one hash", Set([person, user.asRootEntityType]).count, is: 1)
  let mock = PersonQuery.Data.mock(person: .mock(name: "Bob"))
  report.check("a mock has the given values", mock.person?.name, is: "Bob")
  report.check("a mock generates the other values", mock.person?.id.isEmpty, is: false)
  report.check("a model is written as its JSON", mock.debugDescription.hasPrefix("{"))
  var likes = LikesLocalCacheMutation.Data(person: .init(__typename: "User", id: "1", likes: 1))
  likes.person?.likes += 1
  report.check("a mutable model is changed", likes.person?.likes, is: 2)
}

private func checkFragments(_ report: Report) {
  let pending = Person.AsUser(id: "1", name: "Ada", email: "a@b.c", tags: [])
  report.check(
    "a deferred fragment that is not given is pending", pending.fragments.$friends, is: Deferred.State.pending)
  report.check("a pending fragment has no value", pending.fragments.friends == nil)
  let friends = Person.AsUser.Friends(friends: [.init(__typename: "Bot", id: "2", name: "R2")])
  let whole = Person.AsUser(id: "1", name: "Ada", email: "a@b.c", tags: [], friends: friends)
  if case .fulfilled(let part) = whole.fragments.$friends {
    report.check("a given fragment is fulfilled", part.friends, is: friends.friends)
  } else {
    report.check("a given fragment is fulfilled", false)
  }
  report.check("its fields are read", whole.fragments.friends?.friends.map(\.name), is: ["R2"])
  report.check("a named fragment can be read", whole.fragments.naming.name, is: "Ada")
  let data: DataDict = whole.__data
  report.check("data has the state of a fragment", data.state(of: Person.AsUser.Friends.self), is: .fulfilled)
  report.check("data has the type cases that apply", data.covers(Person.AsUser.self))
  report.check("data is read by key", data["name"] as String, is: "Ada")
  report.check("models with different states are not equal", pending != whole)
}

private func checkInputs(_ report: Report) {
  var input = PeopleSchema.PersonInput(id: "1", name: "Ada")
  report.check("an input object is read", input.name ?? "none", is: "Ada")
  input.mood = .null
  report.check("an explicit null is sent", input.__data.json["mood"]?.isNull, is: true)
  input.mood = .none
  report.check("an omitted field is absent", input.__data.json["mood"] == nil)
  report.check("an optional is omitted", GraphQLNullable<String>(nil), is: .none)
  report.check("an optional may be null", GraphQLNullable<String>(orNull: nil), is: .null)
  let nullable: GraphQLNullable<Int> = 5
  report.check("a literal is a value", nullable ?? 0, is: 5)
  let one = PeopleSchema.PersonBy.id("1")
  report.check("a oneof has one field", FindQuery(by: one).variables, is: ["by": ["id": "1"]])
  let dict: InputDict = ["id": "1", "count": nullable]
  report.check("an input dictionary is JSON", dict.json, is: ["id": "1", "count": 5])
  func json(_ value: any InputConvertible) -> JSONValue? { value._input }
  report.check("an input is JSON", json(["a", "b"]), is: ["a", "b"])
  func isOneOf(_ value: any InputObject) -> Bool { value is any OneOfInputObject }
  report.check("a oneOf value is distinguished from others", isOneOf(one) && !isOneOf(input))
  report.check("variables are sent", PersonQuery(id: "1", later: false).variables, is: ["id": "1", "later": false])
}

private func checkScalars(_ report: Report) throws {
  report.check("a custom scalar refuses invalid values", (try? Day(_jsonValue: "soon")) == nil)
  report.check("a custom scalar is written", Day("1815-12-10")._jsonValue, is: "1815-12-10")
  report.check("an enum knows its values", GraphQLEnum<PeopleSchema.Mood>(rawValue: "SAD"), is: .known(.sad))
  report.check(
    "an enum keeps unknown values", GraphQLEnum<PeopleSchema.Mood>(rawValue: "ANGRY").rawValue, is: "ANGRY")
  report.check("an enum has cases", PeopleSchema.Mood.allCases.count, is: 2)
  func cases(_ type: any EnumType.Type) -> String { "\(type)" }
  report.check("an enum is an enum", cases(PeopleSchema.Mood.self), is: "Mood")
}

/// A handwritten implementation of the model protocols.
private struct Named: RootSelectionSet, MutableRootSelectionSet {
  typealias Schema = PeopleSchema.Metadata
  typealias Fragments = NoFragments
  var __data: DataDict
  init(_dataDict: DataDict) { __data = _dataDict }
  static var __parentType: any ParentType { PeopleSchema.Interfaces.Person }
  static var __selections: [Selection] {
    let conditions: Selection.Conditions = "a" && !"b" || true
    let flag: Selection.Flag = .variable("later")
    let stream = Selection.Stream(if: flag, label: "s", initialCount: InputValue.constant(2))
    return [
      .field("id", String.self, scalar: "ID"), .field("name", String.self, arguments: ["x": .variable("y")]),
      .include(if: conditions, .field(Selection.Field("likes", type: Int._outputType))),
      .field("tags", [String].self, stream: stream),
    ]
  }
}

private func checkDescriptions(_ report: Report) {
  report.check("a handwritten model has selections", Named.__selections.count, is: 4)
  let made = Named(
    _dataDict: DataDict(Named.self, typename: "User", ["id": "1", "name": "Ada", "tags": ["x"]] as OutputFields))
  report.check("a handwritten model is read", made.__data["name"] as String, is: "Ada")
  let type: OutputType = String._outputType
  report.check("a type is non-null", { if case .nonNull(.scalar) = type { true } else { false } }())
  report.check(
    "an optional type has its wrapped type", { if case .scalar = String?._outputType { true } else { false } }())
  let condition: ModelSelection.Condition = .value(true)
  report.check(
    "conditions are alternatives of groups", ModelSelection.Conditions([[condition]]).groups, is: [[.value(true)]])
  let user: ObjectType = PeopleSchema.Objects.User
  let interface: InterfaceType = PeopleSchema.Interfaces.Person
  report.check("a type knows its interfaces", user.implements(interface))
  report.check("an interface knows its types", interface.possibleTypes, is: ["User", "Bot"])
  report.check(
    "a union knows its types", UnionType("Result", possibleTypes: ["User", "Bot"]).possibleTypes.count, is: 2)
  let types: ObjectTypes = [user]
  report.check("types are found by their names", types["User"]?.name, is: "User")
  func name(_ type: any ParentType) -> String { type.name }
  report.check("every type has a name", name(interface), is: "Person")
  report.check("the schema knows its types", PeopleSchema.Metadata.objectType(named: "Bot")?.name, is: "Bot")
  func schema(_ type: any SchemaMetadata.Type) -> Bool { type.objectType(named: "Alien") == nil }
  report.check("the schema has no other types", schema(PeopleSchema.Metadata.self))
  let document: OperationDocument = PersonQuery.operationDocument
  report.check("a document has its fragments", document.definition.fragments.count, is: 1)
  report.check("its text has them as well", document.definition.text.contains("fragment Naming"))
  let definition = OperationDocument.Definition("{ a }")
  report.check(
    "a document is created from text", OperationDocument(definition: definition).definition.text, is: "{ a }")
  func fragmentName<Part: Fragment>(_: Part.Type) -> String { Part.fragmentName }
  report.check("a fragment has its name", fragmentName(Naming.self), is: "Naming")
  func isInline<Case: InlineFragment>(_: Case.Type) -> Bool { !(Case.self is any CompositeInlineFragment.Type) }
  report.check("a type case is an inline fragment", isInline(PersonQuery.Data.Person.AsUser.self))
  func isLater<Part: Deferrable>(_: Part.Type) -> Bool { true }
  report.check("a fragment can be deferred", isLater(PersonQuery.Data.Person.AsUser.Friends.self))
  func container<Parts: FragmentContainer>(_: Parts.Type) -> Bool { true }
  report.check("fragments are in a container", container(PersonQuery.Data.Person.Fragments.self))
  func kind<Operation: GeneratedOperation>(_ operation: Operation) -> CompiledOperation.OperationType {
    operation.compiled.operationType
  }
  report.check("a query is a query", kind(PersonQuery(id: "1")), is: .query)
  report.check("a mutation is a mutation", kind(RenameMutation(id: "1", name: "A")), is: .mutation)
  report.check("a subscription is a subscription", kind(RenamedSubscription()), is: .subscription)
  func isQuery<Operation: GraphQLQuery>(_: Operation) -> Bool { true }
  func isMutation<Operation: GraphQLMutation>(_: Operation) -> Bool { true }
  func isSubscription<Operation: GraphQLSubscription>(_: Operation) -> Bool { true }
  func isLocal<Operation: LocalCacheMutation>(_: Operation) -> Bool { true }
  report.check("operations have kinds", isQuery(PersonQuery(id: "1")) && isMutation(RenameMutation(id: "1", name: "A")))
  report.check("and subscriptions", isSubscription(RenamedSubscription()) && isLocal(LikesLocalCacheMutation(id: "1")))
  func output(_ value: any OutputValue) -> JSONValue { value._json }
  report.check("a value is written as a response has it", output(["a"]), is: ["a"])
  func set<Model: SelectionSet>(_ model: Model) -> String? { model.__typename }
  report.check("a model is a selection set", set(made), is: "User")
}

/// A custom scalar that is created directly from its field.
struct Loud: CustomScalar {
  let text: String
  init(_jsonValue value: JSONValue) throws { text = (value.string ?? "").uppercased() }
  init?(_ field: FieldValue) {
    guard let text = field.json.string else { return nil }
    self.text = text.uppercased()
  }
  var _jsonValue: JSONValue { JSONValue(text) }
}
