import Apus

/// The schema of these tests, as a generator would write it.
enum PeopleAPI {
  typealias ID = String

  enum Metadata: SchemaMetadata {
    static func objectType(named typename: String) -> ObjectType? {
      switch typename {
      case "Query": Objects.Query
      case "User": Objects.User
      case "Bot": Objects.Bot
      default: nil
      }
    }
  }

  enum Objects {
    static let Query = ObjectType("Query")
    static let User = ObjectType("User", implementedInterfaces: [Interfaces.Person], keyFields: ["id"])
    static let Bot = ObjectType("Bot", implementedInterfaces: [Interfaces.Person])
  }

  enum Interfaces {
    static let Person = InterfaceType("Person", possibleTypes: ["User", "Bot"])
  }

  enum Mood: String, EnumType {
    case happy = "HAPPY"
    case sad = "SAD"
  }

  struct Birthday: CustomScalar {
    let year: Int
    init(year: Int) { self.year = year }
    init(_jsonValue value: JSONValue) throws {
      guard let year = value.string.flatMap({ Int($0.prefix(4)) }) else { throw NoBirthday() }
      self.year = year
    }
    var _jsonValue: JSONValue { JSONValue("\(year)") }
  }

  struct NoBirthday: Error {}

  struct PersonFilter: InputObject {
    private(set) var __data: InputDict
    init(name: GraphQLNullable<String> = nil, ids: [ID], nested: GraphQLNullable<[PersonFilter]> = nil) {
      __data = ["name": name, "ids": ids, "nested": nested]
    }
    var name: GraphQLNullable<String> {
      get { __data["name"] }
      set { __data["name"] = newValue }
    }
    var ids: [ID] {
      get { __data["ids"] }
      set { __data["ids"] = newValue }
    }
  }

  enum PersonBy: OneOfInputObject {
    case id(ID)
    case filter(PersonFilter)
    var __data: InputDict {
      switch self {
      case .id(let value): ["id": value]
      case .filter(let value): ["filter": value]
      }
    }
  }
}

protocol PeopleSelectionSet: RootSelectionSet where Schema == PeopleAPI.Metadata {}
protocol PeopleInlineFragment: InlineFragment where Schema == PeopleAPI.Metadata {}
protocol PeopleFragment: Fragment, RootSelectionSet where Schema == PeopleAPI.Metadata {}
