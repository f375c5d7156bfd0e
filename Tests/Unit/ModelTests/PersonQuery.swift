import Apus

/// The operation of the `@defer` guide with further constructs: a fragment, a type case, an alias, arguments,
/// conditions, and two deferred fragments, one inline and one named.
struct PersonQuery: GraphQLQuery {
  static let operationName = "PersonQuery"
  static let operationDocument = OperationDocument(
    definition: .init(
      """
      query PersonQuery($personId: ID!, $size: Int = 40, $later: Boolean = true, $mood: Boolean = false) { \
      person(id: $personId) { __typename id firstName lastName avatar: picture(size: $size) mood @include(if: $mood) \
      ...Names ... on User { email ... on User @defer(if: $later, label: "deferredFriends") { \
      friends { __typename id firstName } } ...Profile @defer(label: "profile") } } }
      """,
      fragments: [Names.self, Profile.self]))
  static let __variableDefaults: InputDict = ["size": 40, "later": true, "mood": false]

  var personId: PeopleAPI.ID
  var size: GraphQLNullable<Int>
  var later: GraphQLNullable<Bool>
  var mood: GraphQLNullable<Bool>

  init(
    personId: PeopleAPI.ID, size: GraphQLNullable<Int> = nil, later: GraphQLNullable<Bool> = nil,
    mood: GraphQLNullable<Bool> = nil
  ) {
    self.personId = personId
    self.size = size
    self.later = later
    self.mood = mood
  }

  var __variables: InputDict { ["personId": personId, "size": size, "later": later, "mood": mood] }

  struct Data: PeopleSelectionSet {
    let __data: DataDict
    init(_dataDict: DataDict) { __data = _dataDict }

    static var __parentType: any ParentType { PeopleAPI.Objects.Query }
    static var __selections: [Selection] {
      [.field("person", Person.self, arguments: ["id": .variable("personId")])]
    }

    var person: Person { __data["person"] }

    struct Person: PeopleSelectionSet {
      let __data: DataDict
      init(_dataDict: DataDict) { __data = _dataDict }

      static var __parentType: any ParentType { PeopleAPI.Interfaces.Person }
      static var __selections: [Selection] {
        [
          .field("__typename", String.self),
          .field("id", PeopleAPI.ID.self, scalar: "ID"),
          .field("firstName", String.self),
          .field("lastName", String?.self),
          .field("picture", alias: "avatar", String?.self, arguments: ["size": .variable("size")]),
          .include(if: "mood", .field("mood", GraphQLEnum<PeopleAPI.Mood>.self)),
          .fragment(Names.self),
          .inlineFragment(AsUser.self),
        ]
      }

      var id: PeopleAPI.ID { __data["id"] }
      var firstName: String { __data["firstName"] }
      var lastName: String? { __data["lastName"] }
      var avatar: String? { __data["avatar"] }
      var mood: GraphQLEnum<PeopleAPI.Mood>? { __data["mood"] }
      var asUser: AsUser? { _asInlineFragment() }

      struct Fragments: FragmentContainer {
        let __data: DataDict
        init(_dataDict: DataDict) { __data = _dataDict }
        var names: Names { _toFragment() }
      }

      /// The fields selected on `User` in addition to those of the person.
      struct AsUser: PeopleInlineFragment {
        typealias RootEntityType = Person
        let __data: DataDict
        init(_dataDict: DataDict) { __data = _dataDict }

        static var __parentType: any ParentType { PeopleAPI.Objects.User }
        static var __selections: [Selection] {
          [
            .field("email", String.self),
            .deferred(if: "later", DeferredFriends.self, label: "deferredFriends"),
            .deferred(Profile.self, label: "profile"),
          ]
        }

        var id: PeopleAPI.ID { __data["id"] }
        var firstName: String { __data["firstName"] }
        var email: String { __data["email"] }

        struct Fragments: FragmentContainer {
          let __data: DataDict
          init(_dataDict: DataDict) {
            __data = _dataDict
            _deferredFriends = Deferred(_dataDict: _dataDict)
            _profile = Deferred(_dataDict: _dataDict)
          }
          var names: Names { _toFragment() }
          @Deferred var deferredFriends: DeferredFriends?
          @Deferred var profile: Profile?
        }

        struct DeferredFriends: PeopleInlineFragment {
          typealias RootEntityType = Person
          let __data: DataDict
          init(_dataDict: DataDict) { __data = _dataDict }

          static var __parentType: any ParentType { PeopleAPI.Objects.User }
          static var __selections: [Selection] { [.field("friends", [Friend].self)] }

          var friends: [Friend] { __data["friends"] }

          init(friends: [Friend]) {
            self.init(_dataDict: DataDict(Self.self, typename: "User", ["friends": friends]))
          }

          struct Friend: PeopleSelectionSet {
            let __data: DataDict
            init(_dataDict: DataDict) { __data = _dataDict }

            static var __parentType: any ParentType { PeopleAPI.Interfaces.Person }
            static var __selections: [Selection] {
              [
                .field("__typename", String.self), .field("id", PeopleAPI.ID.self, scalar: "ID"),
                .field("firstName", String.self),
              ]
            }

            var id: PeopleAPI.ID { __data["id"] }
            var firstName: String { __data["firstName"] }

            init(__typename: String, id: PeopleAPI.ID, firstName: String) {
              self.init(_dataDict: DataDict(Self.self, typename: __typename, ["id": id, "firstName": firstName]))
            }
          }
        }

        init(
          id: PeopleAPI.ID, firstName: String, lastName: String? = nil, avatar: String? = nil, email: String,
          deferredFriends: DeferredFriends? = nil, profile: Profile? = nil
        ) {
          self.init(
            _dataDict: DataDict(
              Self.self, typename: "User",
              ["id": id, "firstName": firstName, "lastName": lastName, "avatar": avatar, "email": email],
              deferred: [deferredFriends, profile]))
        }
      }
    }

    init(person: Person) {
      self.init(_dataDict: DataDict(Self.self, typename: "Query", ["person": person]))
    }
  }
}

/// `fragment Names on Person { firstName lastName }`
struct Names: PeopleFragment {
  static let fragmentName = "Names"
  static let fragmentDefinition = "fragment Names on Person { __typename firstName lastName }"
  let __data: DataDict
  init(_dataDict: DataDict) { __data = _dataDict }

  static var __parentType: any ParentType { PeopleAPI.Interfaces.Person }
  static var __selections: [Selection] {
    [.field("__typename", String.self), .field("firstName", String.self), .field("lastName", String?.self)]
  }

  var firstName: String { __data["firstName"] }
  var lastName: String? { __data["lastName"] }
}

/// `fragment Profile on User { birthday address { city } }`
struct Profile: PeopleFragment {
  static let fragmentName = "Profile"
  static let fragmentDefinition = "fragment Profile on User { __typename birthday address { city } }"
  let __data: DataDict
  init(_dataDict: DataDict) { __data = _dataDict }

  static var __parentType: any ParentType { PeopleAPI.Objects.User }
  static var __selections: [Selection] {
    [
      .field("__typename", String.self), .field("birthday", PeopleAPI.Birthday?.self),
      .field("address", Address?.self),
    ]
  }

  var birthday: PeopleAPI.Birthday? { __data["birthday"] }
  var address: Address? { __data["address"] }

  init(birthday: PeopleAPI.Birthday? = nil, address: Address? = nil) {
    self.init(_dataDict: DataDict(Self.self, typename: "User", ["birthday": birthday, "address": address]))
  }

  struct Address: PeopleSelectionSet {
    let __data: DataDict
    init(_dataDict: DataDict) { __data = _dataDict }
    static var __parentType: any ParentType { ObjectType("Address") }
    static var __selections: [Selection] { [.field("city", String.self)] }
    var city: String { __data["city"] }
    init(city: String) { self.init(_dataDict: DataDict(Self.self, typename: "Address", ["city": city])) }
  }
}

/// A local cache mutation over the same person.
struct RenamePerson: LocalCacheMutation {
  var personId: PeopleAPI.ID
  var __variables: InputDict { ["personId": personId] }

  struct Data: PeopleSelectionSet, MutableRootSelectionSet {
    var __data: DataDict
    init(_dataDict: DataDict) { __data = _dataDict }
    static var __parentType: any ParentType { PeopleAPI.Objects.Query }
    static var __selections: [Selection] {
      [.field("person", Person?.self, arguments: ["id": .variable("personId")])]
    }
    var person: Person? {
      get { __data["person"] }
      set { __data["person"] = newValue }
    }

    struct Person: PeopleSelectionSet, MutableRootSelectionSet {
      var __data: DataDict
      init(_dataDict: DataDict) { __data = _dataDict }
      static var __parentType: any ParentType { PeopleAPI.Interfaces.Person }
      static var __selections: [Selection] {
        [
          .field("__typename", String.self), .field("id", PeopleAPI.ID.self, scalar: "ID"),
          .field("firstName", String.self),
        ]
      }
      var id: PeopleAPI.ID {
        get { __data["id"] }
        set { __data["id"] = newValue }
      }
      var firstName: String {
        get { __data["firstName"] }
        set { __data["firstName"] = newValue }
      }
    }
  }
}
