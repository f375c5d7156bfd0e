import Apus

/// The query for the response of 10,000 items, with models as a generator would create them.
struct ItemsQuery: GraphQLQuery {
  static let operationName = "Items"
  static let operationDocument = OperationDocument(definition: .init(ItemsResponse.query))

  enum Metadata: SchemaMetadata {
    static func objectType(named typename: String) -> ObjectType? {
      ["Query", "Item", "User"].contains(typename) ? ObjectType(typename) : nil
    }
  }

  struct Data: RootSelectionSet {
    typealias Schema = Metadata
    let __data: DataDict
    init(_dataDict: DataDict) { __data = _dataDict }
    static var __parentType: any ParentType { ObjectType("Query") }
    static var __selections: [Selection] { [.field("items", [Item].self)] }
    var items: [Item] { __data["items"] }
  }

  struct Item: RootSelectionSet {
    typealias Schema = Metadata
    let __data: DataDict
    init(_dataDict: DataDict) { __data = _dataDict }
    static var __parentType: any ParentType { ObjectType("Item") }
    static var __selections: [Selection] {
      [
        .field("__typename", String.self), .field("id", String.self), .field("title", String.self),
        .field("body", String.self), .field("price", Double.self), .field("inStock", Bool.self),
        .field("owner", Owner.self),
      ]
    }
    var id: String { __data["id"] }
    var title: String { __data["title"] }
    var body: String { __data["body"] }
    var price: Double { __data["price"] }
    var inStock: Bool { __data["inStock"] }
    var owner: Owner { __data["owner"] }
  }

  struct Owner: RootSelectionSet {
    typealias Schema = Metadata
    let __data: DataDict
    init(_dataDict: DataDict) { __data = _dataDict }
    static var __parentType: any ParentType { ObjectType("User") }
    static var __selections: [Selection] {
      [
        .field("__typename", String.self), .field("id", String.self), .field("name", String.self),
        .field("email", String.self),
      ]
    }
    var id: String { __data["id"] }
    var name: String { __data["name"] }
    var email: String { __data["email"] }
  }
}
