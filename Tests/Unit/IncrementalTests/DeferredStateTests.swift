import ApusClientAPI
import ApusClientIncremental
import ApusJSON
import Testing

/// The deferred fragments of a response and their states.
@Suite struct DeferredStateTests {
  @Test func `a fragment in a list has a state for each item`() throws {
    var delivery = try Delivery("{ people { id ... @defer(label: \"n\") { name } } }")
    let people = (0..<50).map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
    try delivery.receive(#"{"data":{"people":[\#(people)]},"hasNext":true}"#)
    #expect(delivery.states.count == 50)
    try delivery.receive(
      #"""
      {"incremental":[{"data":{"name":"L"},"path":["people",7],"label":"n"},
      {"data":null,"path":["people",8],"label":"n"}],"hasNext":true}
      """#)
    #expect(delivery.states[7] == "n@people[7] fulfilled")
    #expect(delivery.states[8] == "n@people[8] failed")
    #expect(delivery.states[9] == "n@people[9] pending")
    let summaries = DeferredSummary.summaries(of: try #require(delivery.last).fragments)
    #expect(summaries.count == 1)
    #expect(summaries.map { [$0.pending, $0.fulfilled, $0.failed, $0.notExecuted] } == [[48, 1, 1, 0]])
  }

  @Test func `a fragment with a non matching type condition is not executed`() throws {
    let query =
      "{ search { __typename ... on Film @defer(label: \"f\") { title } ... on Person @defer(label: \"p\") { name } } }"
    var delivery = try Delivery(query)
    try delivery.receive(#"{"data":{"search":[{"__typename":"Film"},{"__typename":"Person"}]},"hasNext":true}"#)
    #expect(
      delivery.states == [
        "f@search[0] pending", "p@search[0] notExecuted", "f@search[1] notExecuted", "p@search[1] pending",
      ])
    try delivery.receive(#"{"hasNext":false}"#)
    #expect(
      delivery.states.map { $0.split(separator: " ").last } == ["failed", "notExecuted", "notExecuted", "failed"])
  }

  @Test func `without a schema a fragment that never arrived is not executed`() throws {
    let query =
      "{ search { __typename ... on Film @defer(label: \"f\") { title } ... on Person @defer(label: \"p\") { name } } }"
    var delivery = try Delivery(query, schema: nil)
    try delivery.receive(
      #"{"data":{"search":[{"__typename":"Film"}]},"hasNext":true}"#,
      #"{"incremental":[{"data":{"title":"T"},"path":["search",0],"label":"f"}],"hasNext":false}"#)
    #expect(delivery.states == ["f@search[0] fulfilled", "p@search[0] notExecuted"])
  }

  @Test func `a fragment in a null parent is not executed`() throws {
    var delivery = try Delivery(
      "{ person { id home { name ... @defer(label: \"c\") { climate terrain { kind } } } } search { ... @defer(label: \"s\") { __typename } } }"
    )
    try delivery.receive(#"{"data":{"person":{"id":"1","home":null},"search":[null]},"hasNext":false}"#)
    #expect(delivery.states == ["c@person.home notExecuted", "s@search[0] notExecuted"])
  }

  @Test func `null data executes no fragment`() throws {
    var delivery = try Delivery("{ ... @defer(label: \"r\") { tags } person { ... @defer(label: \"n\") { name } } }")
    try delivery.receive(#"{"data":null,"errors":[{"message":"no"}]}"#)
    #expect(delivery.states == ["r@ notExecuted", "n@person notExecuted"])
    #expect(delivery.last?.data == JSONValue.null)
  }

  @Test(arguments: ["false", "$later"])
  func `a fragment with @defer(if: false) is fulfilled with the initial result`(condition: String) throws {
    let declaration = condition == "false" ? "" : "query ($later: Boolean!)"
    var delivery = try Delivery(
      "\(declaration) { person { id ... @defer(if: \(condition), label: \"n\") { name } } }",
      variables: #"{"later":false}"#)
    try delivery.receive(#"{"data":{"person":{"id":"1","name":"L"}}}"#)
    #expect(delivery.states == ["n@person fulfilled"])
    #expect(delivery.times == [0])
  }

  @Test func `the condition of @defer uses the default value of a variable`() throws {
    let query = "query ($later: Boolean = false) { person { id ... @defer(if: $later, label: \"n\") { name } } }"
    var inlined = try Delivery(query)
    try inlined.receive(#"{"data":{"person":{"id":"1","name":"L"}},"hasNext":false}"#)
    #expect(inlined.states == ["n@person fulfilled"])
    var deferred = try Delivery(query, variables: #"{"later":true}"#)
    try deferred.receive(#"{"data":{"person":{"id":"1"}},"hasNext":true}"#)
    #expect(deferred.states == ["n@person pending"])
  }

  @Test func `a skipped deferred fragment is not listed`() throws {
    var delivery = try Delivery(
      """
      query ($no: Boolean!) { person { id ... @defer(label: "a") @skip(if: true) { name }
      ... @defer(label: "b") @include(if: $no) { height } ... @defer(label: "c") { nickname } } }
      """, variables: #"{"no":false}"#)
    try delivery.receive(#"{"data":{"person":{"id":"1"}},"hasNext":true}"#)
    #expect(delivery.states == ["c@person pending"])
  }

  @Test func `an unlabeled fragment is identified by path and type condition`() throws {
    var delivery = try Delivery("{ search { __typename ... on Film @defer { title } ... on Person @defer { name } } }")
    try delivery.receive(
      #"{"data":{"search":[{"__typename":"Film"},{"__typename":"Person"}]},"hasNext":true}"#,
      #"""
      {"incremental":[{"data":{"name":"L"},"path":["search",1]},{"data":{"title":"T"},"path":["search",0]}],
      "hasNext":false}
      """#)
    #expect(
      delivery.states == [
        "on Film@search[0] fulfilled", "on Person@search[0] notExecuted", "on Film@search[1] notExecuted",
        "on Person@search[1] fulfilled",
      ])
  }

  @Test func `a nested fragment is listed when the outer one arrives`() throws {
    var delivery = try Delivery(
      "{ person { id ... @defer(label: \"o\") { home { name ... @defer(label: \"i\") { climate } } } } }")
    try delivery.receive(#"{"data":{"person":{"id":"1"}},"hasNext":true}"#)
    #expect(delivery.states == ["o@person pending"])
    try delivery.receive(
      #"{"incremental":[{"data":{"home":{"name":"N"}},"path":["person"],"label":"o"}],"hasNext":true}"#)
    #expect(delivery.states == ["o@person fulfilled", "i@person.home pending"])
    try delivery.receive(
      #"{"incremental":[{"data":{"climate":"mild"},"path":["person","home"],"label":"i"}],"hasNext":false}"#)
    #expect(delivery.states == ["o@person fulfilled", "i@person.home fulfilled"])
  }

  @Test func `a lost connection fails pending fragments`() throws {
    var delivery = try Delivery(Format2022Tests.person)
    try delivery.receive(
      #"{"data":{"person":{"id":"1"}},"hasNext":true}"#,
      #"{"incremental":[{"data":{"home":{"name":"N"}},"path":["person"],"label":"home"}],"hasNext":true}"#)
    delivery.finish(cut: true)
    #expect(delivery.data == #"{"person":{"id":"1","home":{"name":"N"}}}"#, "what arrived stays")
    #expect(!delivery.isComplete)
    #expect(delivery.states == ["home@person fulfilled", "films@person failed"])
    #expect(delivery.failures == ["the response broke off before this part arrived"])
  }

  @Test func `finishing a complete response changes nothing`() throws {
    var delivery = try Delivery("{ person { id } }")
    try delivery.receive(#"{"data":{"person":null}}"#)
    delivery.finish(cut: true)
    #expect(delivery.results.count == 1)
    #expect(delivery.isComplete)
  }

  @Test func `a fragment deferred twice at one path is listed once`() throws {
    var delivery = try Delivery(
      "{ person { id ...N @defer ...N @defer } } fragment N on Person { name }")
    try delivery.receive(#"{"data":{"person":{"id":"1"}},"hasNext":true}"#)
    #expect(delivery.states == ["...N@person pending"])
  }

  @Test func `earlier results are not changed by later payloads`() throws {
    var delivery = try Delivery(Format2022Tests.person)
    try delivery.receive(
      #"{"data":{"person":{"id":"1"}},"hasNext":true}"#,
      #"{"incremental":[{"data":{"films":[]},"path":["person"],"label":"films"}],"hasNext":true}"#)
    #expect(
      delivery.results.map { $0.data?.description } == [
        #"{"person":{"id":"1"}}"#, #"{"person":{"id":"1","films":[]}}"#,
      ])
    #expect(delivery.results[0].fragments.map(\.state) == [.pending, .pending])
  }

  @Test func `a null with exponentially many nested fragments is fast`() throws {
    var text = "{ person { ...F0 } }"
    for level in 0..<40 {
      text += " fragment F\(level) on Person { a: friends { ...F\(level + 1) } b: friends { ...F\(level + 1) } }"
    }
    text += " fragment F40 on Person { ... @defer { name } }"
    var delivery = try Delivery(text)
    try delivery.receive(#"{"data":{"person":null}}"#)
    #expect(delivery.isComplete)
  }

  @Test func `a nested fragment may arrive before the outer one`() throws {
    var delivery = try Delivery(
      "{ person { id home { name } ... @defer(label: \"o\") { height ... @defer(label: \"i\") { nickname } } } }")
    try delivery.receive(
      #"{"data":{"person":{"id":"1","home":null}},"hasNext":true}"#,
      #"{"incremental":[{"data":null,"path":["person"],"label":"i","errors":[{"message":"no"}]}],"hasNext":true}"#)
    #expect(delivery.states == ["o@person pending"])
    try delivery.receive(#"{"incremental":[{"data":{"height":3},"path":["person"],"label":"o"}],"hasNext":true}"#)
    #expect(delivery.states == ["o@person fulfilled", "i@person failed"])
    #expect(delivery.failures == ["no"])
  }
}
