import PeopleAPI
import ScriptedServers

/// A query with a deferred fragment, and its models, handwritten in the form that the generator writes.
private struct CardQuery: GraphQLQuery {
  static let operationName = "Card"
  static let operationDocument = OperationDocument(
    definition: .init(
      """
      query Card($a: Boolean) { person(id: "1") { __typename id ... on User @defer(if: $a, label: "more") { email } } }
      """))
  var __variables: InputDict { ["a": true] }

  struct Data: RootSelectionSet {
    typealias Schema = PeopleSchema.Metadata
    let __data: DataDict
    init(_dataDict: DataDict) { __data = _dataDict }
    static var __parentType: any ParentType { PeopleSchema.Objects.Query }
    static var __selections: [Selection] { [.field("person", Person?.self, arguments: ["id": .constant("1")])] }
    var person: Person? { __data["person"] }

    struct Person: RootSelectionSet {
      typealias Schema = PeopleSchema.Metadata
      let __data: DataDict
      init(_dataDict: DataDict) { __data = _dataDict }
      static var __parentType: any ParentType { PeopleSchema.Interfaces.Person }
      static var __selections: [Selection] {
        [
          .field("__typename", String.self), .field("id", String.self, scalar: "ID"),
          .deferred(if: "a", More.self, label: "more"),
        ]
      }
      // The email address is only in the fragment: deferred fields are not merged into the object.
      var id: String { __data["id"] }

      struct Fragments: FragmentContainer {
        let __data: DataDict
        init(_dataDict: DataDict) {
          __data = _dataDict
          _more = Deferred(_dataDict: _dataDict)
        }
        @Deferred var more: More?
      }

      struct More: InlineFragment {
        typealias Schema = PeopleSchema.Metadata
        typealias RootEntityType = Person
        let __data: DataDict
        init(_dataDict: DataDict) { __data = _dataDict }
        static var __parentType: any ParentType { PeopleSchema.Objects.User }
        static var __selections: [Selection] { [.field("email", String.self)] }
        var email: String { __data["email"] }
      }
    }
  }
}

/// Checks the states of `@Deferred`, the request, and the cached data.
func checkDeferredModels(_ report: Report) async throws {
  let scripted = try Scripted([
    .multipart([
      .text(#"{"data":{"person":{"__typename":"User","id":"1"}},"hasNext":true}"#),
      .text(#"{"incremental":[{"path":["person"],"label":"more","data":{"email":"a@b.c"}}],"hasNext":false}"#),
    ])
  ])
  let query = CardQuery()
  var words: [String] = []
  var wasKept: [Bool] = []
  for try await result in scripted.client.fetch(query: query, cachePolicy: .networkOnly) {
    switch result.completeness {
    case .partial: words.append("partial")
    case .complete: words.append("complete")
    }
    switch result.data?.person?.fragments.$more {
    case .pending: words.append("pending")
    case .fulfilled(let more): words.append(more.email)
    case .failed, .notExecuted, nil: words.append("none")
    }
    wasKept.append(try await scripted.store.read(query) != nil)
  }
  report.check(
    "each payload is a result, with the states of deferred fragments", words,
    is: ["partial", "pending", "complete", "a@b.c"])
  report.check("a partial response is not written", wasKept.first, is: false)
  let data: DataDict? = try await scripted.store.read(query)?.person?.__data
  report.check("data knows what is deferred in it", data?.state(of: CardQuery.Data.Person.More.self), is: .fulfilled)

  let bot = try Scripted([.json(#"{"data":{"person":{"__typename":"Bot","id":"1"}}}"#)])
  let other = try await bot.client.fetch(query).data?.person?.fragments
  report.check("on another type it is not executed", other?.$more, is: .notExecuted)
  report.check("and has no value", other?.more == nil)

  let mutated = try Scripted([.json(#"{"data":{"rename":null}}"#)])
  _ = try await mutated.client.perform(RenameMutation(id: "1", name: "A"))
  var options = SubscriptionOptions()
  options.transport = .multipart
  options.reconnection.maximumAttempts = 0
  let events = try ScriptedServer([.multipart(specification: "subscriptionSpec=1.0", [.text("{}")])])
  _ = await all(GraphQLClient(url: events.url, subscriptions: options).subscribe(subscription: RenamedSubscription()))
  let accepted = [scripted.server, mutated.server, events].map { $0.requests.first?.header("Accept") ?? "" }
  report.check("a query accepts parts by their specification", accepted[0].contains("deferSpec=20220824"))
  report.check("a mutation too", accepted[1].contains("deferSpec=20220824"))
  report.check("a subscription has its own", accepted[2].contains("subscriptionSpec=1.0"))
  events.stop()

  try await checkCachedFragments(report)
}

/// Checks deferred fragments that are cached completely or in part, or written to the cache by hand.
private func checkCachedFragments(_ report: Report) async throws {
  func lines(_ results: [GraphQLResult<PersonQuery.Data>]) -> [String] {
    results.map { result in
      if case .fulfilled = result.data?.person?.asUser?.fragments.$friends {
        "\(result.source.rawValue): all fields"
      } else {
        "\(result.source.rawValue): basic fields"
      }
    }
  }
  let query = PersonQuery(id: "1")
  let scripted = try Scripted([People.inParts(), People.inParts()])
  let first = await all(scripted.client.fetch(query: query)).results
  report.check(
    "basic fields first, then all fields", lines(first), is: ["server: basic fields", "server: all fields"])
  let second = await all(scripted.client.fetch(query: query)).results
  report.check("a complete cached query is one result", lines(second), is: ["cache: all fields"])

  let basic = PersonQuery.Data.Person.AsUser(id: "1", name: "Ada", likes: 3, email: "a@b.c", tags: ["x"])
  let written = try Scripted([People.inParts()])
  try await written.store.write(PersonQuery.Data(person: basic.asRootEntityType), for: query)
  let both = await all(written.client.fetch(query: query, cachePolicy: .cacheAndNetwork)).results
  report.check(
    "without a cached fragment, the basic fields come from the cache, the fragment from the network",
    lines(both),
    is: ["cache: basic fields", "server: basic fields", "server: all fields"])
  guard let data: DataDict = second.first?.data?.__data else {
    return report.check("a model has its dictionary", false)
  }
  let copy = Scripted.store()
  try await copy.write(PersonQuery.Data(_dataDict: data), for: query)
  report.check(
    "a model created from its dictionary is written",
    try await copy.read(query)?.person?.asUser?.fragments.friends != nil)
}
