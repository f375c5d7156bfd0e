import Apus
import Testing

/// Reading models of responses.
struct SelectionSetTests {
  @Test
  func `models are equal if their custom scalars are, in any notation`() throws {
    let made = ["1815", "1815-12-10", "1816"].map { year in
      Profile(
        _dataDict: DataDict(
          Profile.self, typename: "User", ["birthday": JSONValue(year), "address": JSONValue.null] as OutputFields))
    }
    #expect(made[0] == made[1] && made[0].hashValue == made[1].hashValue)
    #expect(made[0] != made[2])
    #expect(Set(made).count == 2)
  }

  private func data(_ text: String, _ query: PersonQuery = PersonQuery(personId: "1")) throws -> PersonQuery.Data {
    query.makeData(from: ResponseData(try JSONValue(parsing: text)))
  }

  private let user = """
    {"person":{"__typename":"User","id":"1","firstName":"Ada","lastName":null,"avatar":"a.png","email":"a@b.c"}}
    """

  @Test func `fields are read by their response keys and types`() throws {
    let person = try data(user).person
    #expect(person.id == "1")
    #expect(person.firstName == "Ada")
    #expect(person.lastName == nil)
    #expect(person.avatar == "a.png")
    #expect(person.fragments.names.firstName == "Ada")
    #expect(person.__objectType == PeopleAPI.Objects.User)
  }

  @Test func `a type case is nil for other types`() throws {
    #expect(try data(user).person.asUser?.email == "a@b.c")
    let bot = try data(#"{"person":{"__typename":"Bot","id":"2","firstName":"R2","lastName":null}}"#)
    #expect(bot.person.asUser == nil)
    let newcomer = try data(#"{"person":{"__typename":"Alien","id":"3","firstName":"E.","lastName":"T."}}"#)
    #expect(newcomer.person.asUser == nil)
    #expect(newcomer.person.__objectType == nil)
  }

  @Test func `an unknown enum value keeps its name`() throws {
    let mood = try data(#"{"person":{"__typename":"Bot","id":"2","firstName":"R2","mood":"GRIM"}}"#).person.mood
    #expect(mood == .unknown("GRIM"))
    #expect(mood?.value == nil)
    #expect(GraphQLEnum<PeopleAPI.Mood>(rawValue: "SAD") == .sad)
  }

  @Test func `a deferred fragment is pending until its fields arrive`() throws {
    let pending = try data(user).person.asUser?.fragments
    #expect(pending?.$deferredFriends == .pending)
    #expect(pending?.deferredFriends == nil)
    let all = try data(
      """
      {"person":{"__typename":"User","id":"1","firstName":"Ada","email":"a@b.c",
        "friends":[{"__typename":"Bot","id":"2","firstName":"R2"}]}}
      """)
    let fragments = try #require(all.person.asUser?.fragments)
    guard case .fulfilled(let friends) = fragments.$deferredFriends else {
      Issue.record("\(fragments.$deferredFriends)")
      return
    }
    #expect(friends.friends.map(\.firstName) == ["R2"])
    #expect(fragments.$profile == .pending)
  }

  @Test func `fragment states are matched with if case`() throws {
    let result: GraphQLResult<PersonQuery.Data> = GraphQLResult(data: try data(user))
    if case .fulfilled = result.data?.person.asUser?.fragments.$deferredFriends {
      Issue.record("nothing was fulfilled")
    }
    if case .pending = result.data?.person.asUser?.fragments.$deferredFriends {} else { Issue.record("not pending") }
  }

  @Test func `initialized models read like fetched ones`() throws {
    let friend = PersonQuery.Data.Person.AsUser.DeferredFriends.Friend(__typename: "Bot", id: "2", firstName: "R2")
    let user = PersonQuery.Data.Person.AsUser(
      id: "1", firstName: "Ada", email: "a@b.c", deferredFriends: .init(friends: [friend]))
    let data = PersonQuery.Data(person: user.asRootEntityType)
    #expect(data.person.firstName == "Ada")
    #expect(data.person.asUser?.fragments.deferredFriends?.friends == [friend])
    #expect(data.person.asUser?.fragments.$profile == .pending)
    #expect(
      "\(data)" == """
        {"person":{"__typename":"User","id":"1","firstName":"Ada","lastName":null,\
        "avatar":null,"email":"a@b.c","friends":[{"__typename":"Bot","id":"2","firstName":"R2"}]}}
        """)
    let complete = PersonQuery.Data.Person.AsUser(
      id: "1", firstName: "Ada", email: "a@b.c", profile: Profile(birthday: .init(year: 1815), address: nil))
    #expect(complete.fragments.profile?.birthday?.year == 1815)
  }

  @Test func `a deferred fragment of another model contributes only its fields`() {
    let friend = PersonQuery.Data.Person.AsUser.DeferredFriends.Friend(__typename: "Bot", id: "2", firstName: "R2")
    let ada = PersonQuery.Data.Person.AsUser(
      id: "1", firstName: "Ada", lastName: "Lovelace", email: "a@b.c", deferredFriends: .init(friends: [friend]))
    let grace = PersonQuery.Data.Person.AsUser(
      id: "3", firstName: "Grace", email: "g@h.i", deferredFriends: ada.fragments.deferredFriends)
    #expect(grace.id == "3" && grace.firstName == "Grace" && grace.email == "g@h.i")
    #expect(grace.fragments.deferredFriends?.friends == [friend])
  }

  /// An extension property with this name would hide an optional field.
  @Test func `a field named description is readable`() throws {
    let note = Note(_dataDict: DataDict(Note.self, typename: "User", "description", [Optional("short")]))
    #expect(note.description == "short")
  }

  private struct Note: PeopleSelectionSet {
    let __data: DataDict
    init(_dataDict: DataDict) { __data = _dataDict }
    static var __parentType: any ParentType { PeopleAPI.Objects.User }
    static var __selections: [Selection] { [.field("description", String?.self)] }
    var description: String? { __data["description"] }
  }

  @Test func `changing a copy does not change the original`() throws {
    let before = RenamePerson(personId: "1").makeData(
      from: ResponseData(try JSONValue(parsing: #"{"person":{"__typename":"User","id":"1","firstName":"Ada"}}"#)))
    var after = before
    after.person?.firstName = "Augusta"
    #expect(before.person?.firstName == "Ada")
    #expect(after.person?.firstName == "Augusta")
    #expect(before != after)
    after.person = nil
    #expect("\(after)" == #"{"person":null}"#)
  }

  @Test func `variables keep their order and omit absent values`() {
    #expect(PersonQuery(personId: "1", size: .null).variables.description == #"{"personId":"1","size":null}"#)
    var filter = PeopleAPI.PersonFilter(name: "A", ids: ["1", "2"])
    #expect(filter.__data.json.description == #"{"name":"A","ids":["1","2"]}"#)
    filter.name = nil
    filter.ids = []
    #expect(PeopleAPI.PersonBy.filter(filter)._input?.description == #"{"filter":{"ids":[]}}"#)
  }

  @Test func `the document contains the operation and its fragments`() {
    let compiled = PersonQuery(personId: "1").compiled
    #expect(compiled === PersonQuery(personId: "2").compiled)
    #expect(compiled.documentText.hasSuffix("fragment Profile on User { __typename birthday address { city } }"))
    #expect(compiled.hasIncremental)
    #expect(compiled.rootTypeName == "Query")
  }

  @Test func `an initialized model equals a fetched one`() throws {
    let friend = PersonQuery.Data.Person.AsUser.DeferredFriends.Friend(__typename: "Bot", id: "2", firstName: "R2")
    let made = PersonQuery.Data(
      person: PersonQuery.Data.Person.AsUser(
        id: "1", firstName: "Ada", avatar: "a.png", email: "a@b.c", deferredFriends: .init(friends: [friend])
      ).asRootEntityType)
    let json = try JSONValue(
      parsing: """
        {"person":{"email":"a@b.c","__typename":"User","id":"1","firstName":"Ada","lastName":null,"avatar":"a.png",
          "friends":[{"__typename":"Bot","id":"2","firstName":"R2"}]}}
        """)
    #expect(PersonQuery(personId: "1").makeData(from: ResponseData(json)) == made)
  }
}
