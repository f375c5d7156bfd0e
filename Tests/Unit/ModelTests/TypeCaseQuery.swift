import Apus

/// A deferred fragment with a type condition, as generated: the model has a type case around it that the document does not.
struct TypeCaseQuery: GraphQLQuery {
  static let operationName = "TypeCaseQuery"
  static let operationDocument = OperationDocument(
    definition: .init(
      "query TypeCaseQuery { person(id: 1) { __typename id ... on User @defer(label: \"mail\") { email } } }"))

  var __variables: InputDict { [:] }

  struct Data: PeopleSelectionSet {
    let __data: DataDict
    init(_dataDict: DataDict) { __data = _dataDict }

    static var __parentType: any ParentType { PeopleAPI.Objects.Query }
    static var __selections: [Selection] { [.field("person", Person?.self, arguments: ["id": 1])] }

    var person: Person? { __data["person"] }

    struct Person: PeopleSelectionSet {
      let __data: DataDict
      init(_dataDict: DataDict) { __data = _dataDict }

      static var __parentType: any ParentType { PeopleAPI.Interfaces.Person }
      static var __selections: [Selection] {
        [
          .field("__typename", String.self), .field("id", PeopleAPI.ID.self, scalar: "ID"),
          .inlineFragment(AsUser.self),
        ]
      }

      var asUser: AsUser? { _asInlineFragment() }

      struct AsUser: PeopleInlineFragment {
        typealias RootEntityType = Person
        let __data: DataDict
        init(_dataDict: DataDict) { __data = _dataDict }

        static var __parentType: any ParentType { PeopleAPI.Objects.User }
        static var __selections: [Selection] { [.deferred(Mail.self, label: "mail", isBesideTypeCase: true)] }

        struct Fragments: FragmentContainer {
          let __data: DataDict
          init(_dataDict: DataDict) {
            __data = _dataDict
            _mail = Deferred(_dataDict: _dataDict)
          }
          @Deferred var mail: Mail?
        }

        struct Mail: PeopleInlineFragment {
          typealias RootEntityType = Person
          let __data: DataDict
          init(_dataDict: DataDict) { __data = _dataDict }

          static var __parentType: any ParentType { PeopleAPI.Objects.User }
          static var __selections: [Selection] { [.field("email", String.self)] }

          var email: String { __data["email"] }
        }
      }
    }
  }
}

/// A type case, and a deferred fragment beside it on the same type. The model has one type case for both.
struct MergedTypeCaseQuery: GraphQLQuery {
  static let operationName = "MergedTypeCaseQuery"
  static let operationDocument = OperationDocument(
    definition: .init(
      """
      query MergedTypeCaseQuery {
        person(id: 1) { __typename id ... on User { firstName } ... on User @defer(label: "mail") { email } }
      }
      """))

  var __variables: InputDict { [:] }

  struct Data: PeopleSelectionSet {
    let __data: DataDict
    init(_dataDict: DataDict) { __data = _dataDict }

    static var __parentType: any ParentType { PeopleAPI.Objects.Query }
    static var __selections: [Selection] { [.field("person", Person?.self, arguments: ["id": 1])] }

    var person: Person? { __data["person"] }

    struct Person: PeopleSelectionSet {
      let __data: DataDict
      init(_dataDict: DataDict) { __data = _dataDict }

      static var __parentType: any ParentType { PeopleAPI.Interfaces.Person }
      static var __selections: [Selection] {
        [
          .field("__typename", String.self), .field("id", PeopleAPI.ID.self, scalar: "ID"),
          .inlineFragment(AsUser.self),
        ]
      }

      var asUser: AsUser? { _asInlineFragment() }

      struct AsUser: PeopleInlineFragment {
        typealias RootEntityType = Person
        let __data: DataDict
        init(_dataDict: DataDict) { __data = _dataDict }

        static var __parentType: any ParentType { PeopleAPI.Objects.User }
        static var __selections: [Selection] {
          [.field("firstName", String.self), .deferred(Mail.self, label: "mail", isBesideTypeCase: true)]
        }

        var firstName: String { __data["firstName"] }

        struct Fragments: FragmentContainer {
          let __data: DataDict
          init(_dataDict: DataDict) {
            __data = _dataDict
            _mail = Deferred(_dataDict: _dataDict)
          }
          @Deferred var mail: Mail?
        }

        struct Mail: PeopleInlineFragment {
          typealias RootEntityType = Person
          let __data: DataDict
          init(_dataDict: DataDict) { __data = _dataDict }

          static var __parentType: any ParentType { PeopleAPI.Objects.User }
          static var __selections: [Selection] { [.field("email", String.self)] }

          var email: String { __data["email"] }
        }
      }
    }
  }
}

/// A deferred fragment in a type case of the document.
struct NestedDeferralQuery: GraphQLQuery {
  static let operationName = "NestedDeferralQuery"
  static let operationDocument = OperationDocument(
    definition: .init(
      """
      query NestedDeferralQuery { person(id: 1) { __typename id ... on User { ... @defer(label: "mail") { email } } } }
      """))

  var __variables: InputDict { [:] }

  struct Data: PeopleSelectionSet {
    let __data: DataDict
    init(_dataDict: DataDict) { __data = _dataDict }

    static var __parentType: any ParentType { PeopleAPI.Objects.Query }
    static var __selections: [Selection] { [.field("person", Person?.self, arguments: ["id": 1])] }

    var person: Person? { __data["person"] }

    struct Person: PeopleSelectionSet {
      let __data: DataDict
      init(_dataDict: DataDict) { __data = _dataDict }

      static var __parentType: any ParentType { PeopleAPI.Interfaces.Person }
      static var __selections: [Selection] {
        [
          .field("__typename", String.self), .field("id", PeopleAPI.ID.self, scalar: "ID"),
          .inlineFragment(AsUser.self),
        ]
      }

      var asUser: AsUser? { _asInlineFragment() }

      struct AsUser: PeopleInlineFragment {
        typealias RootEntityType = Person
        let __data: DataDict
        init(_dataDict: DataDict) { __data = _dataDict }

        static var __parentType: any ParentType { PeopleAPI.Objects.User }
        static var __selections: [Selection] { [.deferred(Mail.self, label: "mail")] }

        struct Fragments: FragmentContainer {
          let __data: DataDict
          init(_dataDict: DataDict) {
            __data = _dataDict
            _mail = Deferred(_dataDict: _dataDict)
          }
          @Deferred var mail: Mail?
        }

        struct Mail: PeopleInlineFragment {
          typealias RootEntityType = Person
          let __data: DataDict
          init(_dataDict: DataDict) { __data = _dataDict }

          static var __parentType: any ParentType { PeopleAPI.Objects.User }
          static var __selections: [Selection] { [.field("email", String.self)] }

          var email: String { __data["email"] }
        }
      }
    }
  }
}
