import Apus
import ApusTestSupport
import Testing

/// Objects of the query root type in the results of generated mutations and subscriptions.
@Suite(.timeLimit(.minutes(1))) struct QueryRootModelTests {
  private func payload(_ type: String) throws -> JSONValue {
    try JSONDocument(parsing: #"{"change":{"__typename":"Payload","query":{"__typename":"\#(type)","count":2}}}"#).root
  }

  @Test func `a mutation updates the query root by the root types of the generated code`() async throws {
    let store = CacheStore()
    // No query has selected the typename of its root.
    try await store.write(try payload("Root"), operation: ChangeMutation().compiled)
    #expect(try await store.read(CountQuery())?.count == 2)
    #expect(try await store.summaries().map(\.key) == ["QUERY_ROOT"])
  }

  @Test func `an event updates the query root by the root types of the generated code`() async throws {
    let store = CacheStore()
    try await store.write(try payload("Root"), operation: ChangeSubscription().compiled)
    #expect(try await store.read(CountQuery())?.count == 2)
  }

  @Test func `transactions and optimistic results update the query root`() async throws {
    let store = CacheStore()
    let layer = try await store.writeOptimistically(try payload("Root"), operation: ChangeMutation().compiled)
    #expect(try await store.read(CountQuery())?.count == 2)
    await store.rollBack(layer)
    #expect(try await store.read(CountQuery()) == nil)
    let data = try payload("Root")
    try await store.transaction { $0.write(data, operation: ChangeMutation().compiled) }
    #expect(try await store.read(CountQuery())?.count == 2)
  }

  @Test func `a type with the usual name is not the query root`() async throws {
    let store = CacheStore()
    try await store.write(try payload("Query"), operation: ChangeMutation().compiled)
    #expect(try await store.read(CountQuery()) == nil)
  }
}

/// A schema of which the query root type has another name than usual.
private enum RootAPI {
  enum Metadata: SchemaMetadata {
    static func objectType(named typename: String) -> ObjectType? { ObjectType(typename) }
    static let rootTypes: RootTypes? = RootTypes(query: "Root", mutation: "Change", subscription: "Event")
  }
}

private struct CountQuery: GraphQLQuery {
  static let operationName = "Count"
  static let operationDocument = OperationDocument(definition: .init("query Count { count }"))

  struct Data: RootSelectionSet {
    typealias Schema = RootAPI.Metadata
    let __data: DataDict
    init(_dataDict: DataDict) { __data = _dataDict }
    static var __parentType: any ParentType { ObjectType("Root") }
    static var __selections: [Selection] { [.field("count", Int?.self)] }
    var count: Int? { __data["count"] }
  }
}

private struct ChangeMutation: GraphQLMutation {
  static let operationName = "Change"
  static let operationDocument = OperationDocument(
    definition: .init("mutation Change { change { __typename query { __typename count } } }"))

  struct Data: RootSelectionSet {
    typealias Schema = RootAPI.Metadata
    let __data: DataDict
    init(_dataDict: DataDict) { __data = _dataDict }
    static var __parentType: any ParentType { ObjectType("Change") }
    static var __selections: [Selection] { [.field("change", Payload?.self)] }
  }

  struct Payload: RootSelectionSet {
    typealias Schema = RootAPI.Metadata
    let __data: DataDict
    init(_dataDict: DataDict) { __data = _dataDict }
    static var __parentType: any ParentType { ObjectType("Payload") }
    static var __selections: [Selection] {
      [.field("__typename", String.self), .field("query", CountQuery.Data?.self)]
    }
  }
}

private struct ChangeSubscription: GraphQLSubscription {
  static let operationName = "Changes"
  static let operationDocument = OperationDocument(
    definition: .init("subscription Changes { change { __typename query { __typename count } } }"))

  struct Data: RootSelectionSet {
    typealias Schema = RootAPI.Metadata
    let __data: DataDict
    init(_dataDict: DataDict) { __data = _dataDict }
    static var __parentType: any ParentType { ObjectType("Event") }
    static var __selections: [Selection] { [.field("change", ChangeMutation.Payload?.self)] }
  }
}
