import ApusClientIncremental
import ApusGraphQLSchema
import ApusJSON
import Testing

/// Reads and merges recorded responses of real servers, split at every offset.
@Suite struct RecordedServerTests {
  static let schema = Schema.load(
    sdl: """
      type Query { author(id: ID!): Author }
      type Author { id: ID! name: String! books: [Book!]! streamed: [Book!]! biography: String awards: String! }
      type Book { id: ID! title: String! year: Int! reviews: [String!]! }
      """)

  static let mixed = """
    { author(id: "1") { id ...Bio @defer(label: "bio") ... @defer { awards } books @stream(initialCount: 1) {
    title ... on Book @defer(label: "r") { reviews } } } } fragment Bio on Author { biography name }
    """
  static let streamed = """
    { author(id: "1") { id ...Bio @defer(label: "bio") streamed @stream(initialCount: 1) {
    title ... on Book @defer(label: "r") { reviews } } } } fragment Bio on Author { biography name }
    """
  static let nested = """
    { author(id: "1") { id ... @defer(label: "o") { name books { id ... @defer(label: "i") { title reviews } } } } }
    """

  /// Merges a recorded response with and without a schema, which must give the same result.
  private func run(_ response: String, _ document: String) throws -> Delivery {
    let bodies = try multipartBodies(response, lineEnd: "\n")
    var result = try Delivery(document, schema: Self.schema)
    var blind = try Delivery(document, schema: nil)
    for body in bodies {
      try result.receive(body)
      try blind.receive(body)
    }
    #expect(result.data == blind.data)
    #expect(result.states == blind.states)
    return result
  }

  static let mixedData = """
    {"author":{"id":"1","name":"Selma Lagerlöf","biography":"The life of Selma Lagerlöf.","books":[\
    {"title":"Gösta Berlings saga","reviews":["bold","restless"]},{"title":"Nils Holgersson","reviews":["geese!"]},\
    {"title":"Jerusalem","reviews":[]}]}}
    """
  static let nestedData = """
    {"author":{"id":"1","name":"Selma Lagerlöf","books":[\
    {"id":"10","title":"Gösta Berlings saga","reviews":["bold","restless"]},\
    {"id":"11","title":"Nils Holgersson","reviews":["geese!"]},{"id":"12","title":"Jerusalem","reviews":[]}]}}
    """

  @Test(arguments: [RecordedResponse.pathsMixed, RecordedResponse.pendingMixed])
  func `recorded fragments streams and errors are merged`(response: String) throws {
    let delivery = try run(response, Self.mixed)
    #expect(try delivery.last?.data == json(Self.mixedData))
    #expect(
      Set(delivery.states) == [
        "bio@author fulfilled", "on ?@author failed", "r@author.books[0] fulfilled", "r@author.books[1] fulfilled",
        "r@author.books[2] fulfilled",
      ])
    #expect(delivery.errors == ["The archive of awards is closed. (at author.awards)"])
    #expect(delivery.failures == ["The archive of awards is closed."])
    #expect(delivery.last?.streams.map(\.state) == [.fulfilled])
    #expect(delivery.isComplete)
  }

  @Test func `recorded hybrid responses are merged`() throws {
    let delivery = try run(RecordedResponse.hybridMixed, Self.streamed)
    let expected = Self.mixedData.replacing("\"books\"", with: "\"streamed\"")
    #expect(try delivery.last?.data == json(expected))
    #expect(delivery.states.allSatisfy { $0.hasSuffix("fulfilled") })
    #expect(delivery.states.count == 4)
    #expect(delivery.isComplete)
  }

  @Test(arguments: [RecordedResponse.pathsNested, RecordedResponse.pendingNested, RecordedResponse.hybridNested])
  func `recorded nested fragments are merged`(response: String) throws {
    let delivery = try run(response, Self.nested)
    #expect(try delivery.last?.data == json(Self.nestedData))
    #expect(
      delivery.states == [
        "o@author fulfilled", "i@author.books[0] fulfilled", "i@author.books[1] fulfilled",
        "i@author.books[2] fulfilled",
      ])
    #expect(delivery.results.first?.fragments.map(\.state) == [.pending])
    #expect(delivery.isComplete)
  }
}
