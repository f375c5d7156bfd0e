import ApusClientAPI
import ApusClientIncremental
import ApusClientOperation
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusJSON
import Testing

/// A field that two payloads send, by the first tables of `Docs/Development/PayloadsOfOneResponse.md`.
@Suite struct SharedFieldTests {
  /// Returns the delivery of two fragments with these selections and data.
  private static func deliver(
    _ first: String, _ older: String, _ second: String, _ newer: String, schema: Schema? = nil
  ) throws -> Delivery {
    var delivery = try Delivery(
      "{ now ... @defer(label: \"a\") { \(first) } ... @defer(label: \"b\") { \(second) } }", schema: schema)
    try delivery.receive(
      #"{"data":{"now":1},"hasNext":true}"#,
      #"{"incremental":[{"path":[],"label":"a","data":\#(older)}],"hasNext":true}"#,
      #"{"incremental":[{"path":[],"label":"b","data":\#(newer)}],"hasNext":false}"#)
    return delivery
  }

  @Test(arguments: [
    ("[1,2,3]", "[9]", "[9]"), (#"{"a":1,"b":2}"#, #"{"a":3}"#, #"{"a":3}"#), ("1", "null", "1"), ("null", "1", "1"),
    (#"{"a":1}"#, "5", "5"), ("[{\"id\":1}]", "[]", "[]"), ("1", "2", "2"),
  ])
  func `a leaf is replaced as a whole`(older: String, newer: String, expected: String) throws {
    let delivery = try Self.deliver("x", #"{"x":\#(older)}"#, "x", #"{"x":\#(newer)}"#)
    #expect(delivery.data == #"{"now":1,"x":\#(expected)}"#)
    #expect(delivery.errors.isEmpty)
    #expect(delivery.changes == (older == expected ? [] : ["x"]))
  }

  @Test func `elements are paired by their keys`() throws {
    let delivery = try Self.deliver(
      "users { id n }", #"{"users":[{"id":1,"n":"ann"},{"id":2,"n":"bob"}]}"#, "users { id }",
      #"{"users":[{"id":2},{"id":1}]}"#)
    #expect(delivery.data == #"{"now":1,"users":[{"id":2,"n":"bob"},{"id":1,"n":"ann"}]}"#)
    #expect(delivery.states == ["a@ fulfilled", "b@ fulfilled"])
    #expect(delivery.changes == ["users"])
    #expect(delivery.errors.isEmpty)
  }

  @Test func `a key is found through its alias`() throws {
    let delivery = try Self.deliver(
      "users { k: id n }", #"{"users":[{"k":"1","n":"ann"},{"k":"2","n":"bob"}]}"#, "users { id }",
      #"{"users":[{"id":2},{"id":1}]}"#)
    #expect(delivery.data == #"{"now":1,"users":[{"k":"2","n":"bob","id":2},{"k":"1","n":"ann","id":1}]}"#)
  }

  @Test func `edges are paired by the keys of their nodes`() throws {
    let delivery = try Self.deliver(
      "list { edges { cursor node { id } } }",
      #"{"list":{"edges":[{"cursor":"a","node":{"id":1}},{"cursor":"b","node":{"id":2}}]}}"#,
      "list { edges { node { id n } } }",
      #"{"list":{"edges":[{"node":{"id":2,"n":"y"}},{"node":{"id":1,"n":"x"}}]}}"#)
    #expect(
      delivery.data
        == #"{"now":1,"list":{"edges":[{"cursor":"b","node":{"id":2,"n":"y"}},{"cursor":"a","node":{"id":1,"n":"x"}}]}}"#
    )
    #expect(delivery.errors.isEmpty)
  }

  @Test func `types of a union are distinguished`() throws {
    let delivery = try Self.deliver(
      "hits { __typename ... on F { id t } ... on P { id n } }",
      #"{"hits":[{"__typename":"F","id":1,"t":"T"},{"__typename":"P","id":1,"n":"N"}]}"#,
      "hits { __typename ... on F { id } ... on P { id } }",
      #"{"hits":[{"__typename":"P","id":1},{"__typename":"F","id":1}]}"#)
    #expect(
      delivery.data
        == #"{"now":1,"hits":[{"__typename":"P","id":1,"n":"N"},{"__typename":"F","id":1,"t":"T"}]}"#)
  }

  @Test func `a type policy of the schema names the key`() throws {
    let schema = Schema.load(
      sdl: """
        directive @typePolicy(keyFields: String!) on OBJECT | INTERFACE
        type Query { now: Int books: [Book] }
        type Book @typePolicy(keyFields: "isbn lang") { isbn: String lang: String title: String id: ID pages: Int }
        """)
    let delivery = try Self.deliver(
      "books { isbn lang title }",
      #"{"books":[{"isbn":"1","lang":"en","title":"A"},{"isbn":"1","lang":"de","title":"B"}]}"#,
      "books { isbn lang id }", #"{"books":[{"isbn":"1","lang":"de","id":"7"},{"isbn":"1","lang":"en","id":"7"}]}"#,
      schema: schema)
    #expect(
      delivery.data
        == #"{"now":1,"books":[{"isbn":"1","lang":"de","title":"B","id":"7"},{"isbn":"1","lang":"en","title":"A","id":"7"}]}"#
    )
  }

  @Test func `rules of a cache name the key`() throws {
    let operation = try CompiledOperation.compile(
      Document(
        parsing:
          "{ ... @defer(label: \"a\") { l { __typename code n } } ... @defer(label: \"b\") { l { __typename code } } }")
    )
    for rules in [
      KeyRules(fieldsByType: ["T": ["code"]]), KeyRules(key: { _, fields in fields["code"]?.description }),
    ] {
      var merger = IncrementalMerger(plan: SelectionPlan(operation: operation, variables: [:]), keyRules: rules)
      var last: MergedResult?
      for payload in [
        #"{"data":{},"hasNext":true}"#,
        #"{"incremental":[{"path":[],"label":"a","data":{"l":[{"__typename":"T","code":1,"n":"x"},{"__typename":"T","code":2,"n":"y"}]}}],"hasNext":true}"#,
        #"{"incremental":[{"path":[],"label":"b","data":{"l":[{"__typename":"T","code":2}]}}],"hasNext":false}"#,
      ] {
        last = try merger.receive(payload: json(payload), at: .zero)
      }
      #expect(last?.data == (try json(#"{"l":[{"__typename":"T","code":2,"n":"y"}]}"#)))
    }
  }

  @Test(arguments: [
    ("me { __typename n }", #"{"__typename":"A","n":1}"#, "me { __typename }", #"{"__typename":"B"}"#),
    ("me { id n }", #"{"id":1,"n":1}"#, "me { id }", #"{"id":2}"#),
    ("me { f { id } n }", #"{"f":{"id":1},"n":1}"#, "me { f { id } }", #"{"f":{"id":2}}"#),
  ])
  func `another object replaces and lacks fields`(first: String, older: String, second: String, newer: String) throws {
    let delivery = try Self.deliver(first, #"{"me":\#(older)}"#, second, #"{"me":\#(newer)}"#)
    #expect(delivery.data == #"{"now":1,"me":\#(newer)}"#)
    #expect(delivery.last?.conflicts.map(\.path) == [[.key("me")]])
    #expect(delivery.errors.count == 1)
    #expect(delivery.errors.first?.hasPrefix("two payloads contradict each other") == true)
    #expect(delivery.states == ["a@ failed", "b@ fulfilled"])
    #expect(delivery.isComplete)
  }

  @Test func `a third payload may bring the missing field`() throws {
    var delivery = try Delivery(
      """
      { now ... @defer(label: "a") { me { id n } } ... @defer(label: "b") { me { id } }
      ... @defer(label: "c") { me { id n } } }
      """, schema: nil)
    try delivery.receive(
      #"{"data":{"now":1},"hasNext":true}"#,
      #"{"incremental":[{"path":[],"label":"a","data":{"me":{"id":1,"n":1}}}],"hasNext":true}"#,
      #"{"incremental":[{"path":[],"label":"b","data":{"me":{"id":2}}}],"hasNext":true}"#)
    #expect(delivery.errors.count == 1)
    try delivery.receive(
      #"{"incremental":[{"path":[],"label":"c","data":{"me":{"id":2,"n":2}}}],"hasNext":false}"#)
    #expect(delivery.errors.isEmpty)
    #expect(delivery.states == ["a@ fulfilled", "b@ fulfilled", "c@ fulfilled"])
  }

  @Test func `an error of the server explains a missing field`() throws {
    var delivery = try Delivery(
      "{ now ... @defer(label: \"a\") { me { n } } ... @defer(label: \"b\") { me { x } } }", schema: nil)
    try delivery.receive(
      #"{"data":{"now":1},"hasNext":true}"#,
      #"""
      {"incremental":[{"path":[],"label":"a","data":{"me":null},"errors":[{"message":"no","path":["me","n"]}]}],
      "hasNext":true}
      """#,
      #"{"incremental":[{"path":[],"label":"b","data":{"me":{"x":1}}}],"hasNext":false}"#)
    #expect(delivery.data == #"{"now":1,"me":{"x":1}}"#)
    #expect(delivery.errors == ["no (at me.n)"])
    #expect(delivery.states == ["a@ failed", "b@ fulfilled"])
  }

  @Test func `the object at a payload's own path is the same`() throws {
    var delivery = try Delivery("{ me { id n ... @defer { id x f { id } } f { id } } }", schema: nil)
    try delivery.receive(
      #"{"data":{"me":{"id":1,"n":1,"f":{"id":1}}},"hasNext":true}"#,
      #"{"incremental":[{"path":["me"],"data":{"id":2,"x":3,"f":{"id":2}}}],"hasNext":false}"#)
    #expect(delivery.data == #"{"me":{"id":2,"n":1,"f":{"id":2},"x":3}}"#)
    #expect(delivery.errors.isEmpty)
  }

  // MARK: - Streamed lists

  @Test(arguments: [
    (#"[{"id":1}]"#, #"[{"id":1,"n":"a"},{"id":2,"n":"b"}]"#),
    (#"[{"id":2},{"id":1},{"id":3}]"#, #"[{"id":2,"n":"b"},{"id":1,"n":"a"},{"id":3}]"#),
    (#"[{"id":2}]"#, #"[{"id":2,"n":"b"},{"id":1,"n":"a"}]"#), ("[]", #"[{"id":1,"n":"a"},{"id":2,"n":"b"}]"#),
  ])
  func `of a repeated streamed list the longer counts`(newer: String, expected: String) throws {
    var delivery = try Delivery("{ users @stream { id n } ... @defer(label: \"b\") { users { id } } }", schema: nil)
    try delivery.receive(
      #"{"data":{"users":[]},"hasNext":true}"#,
      #"{"incremental":[{"path":["users",0],"items":[{"id":1,"n":"a"},{"id":2,"n":"b"}]}],"hasNext":true}"#,
      #"{"incremental":[{"path":[],"label":"b","data":{"users":\#(newer)}}],"hasNext":false}"#)
    #expect(delivery.data == #"{"users":\#(expected)}"#)
  }

  @Test func `repeated items of a stream merge by index`() throws {
    var delivery = try Delivery("{ users @stream { id n } }", schema: nil)
    try delivery.receive(
      #"{"data":{"users":[{"id":1,"n":"a"}]},"hasNext":true}"#,
      #"{"incremental":[{"path":["users",0],"items":[{"id":1,"n":"b"},{"id":2,"n":"c"}]}],"hasNext":true}"#,
      #"{"incremental":[{"path":["users",1],"items":[null,{"id":3,"n":"d"}]}],"hasNext":false}"#)
    #expect(delivery.data == #"{"users":[{"id":1,"n":"b"},{"id":2,"n":"c"},{"id":3,"n":"d"}]}"#)
  }

  // MARK: - Fragments in moved elements

  @Test func `states and patches follow moved elements`() throws {
    var delivery = try Delivery(
      """
      { users { id ... @defer(label: "n") { n } } ... @defer(label: "again") { users { id } } }
      """, schema: nil)
    try delivery.receive(
      #"{"data":{"users":[{"id":1},{"id":2},{"id":3}]},"hasNext":true}"#,
      #"{"incremental":[{"path":["users",1],"label":"n","data":{"n":"two"}}],"hasNext":true}"#,
      #"{"incremental":[{"path":[],"label":"again","data":{"users":[{"id":2},{"id":1}]}}],"hasNext":true}"#)
    #expect(delivery.data == #"{"users":[{"id":2,"n":"two"},{"id":1}]}"#)
    #expect(delivery.states == ["again@ fulfilled", "n@users[1] pending", "n@users[0] fulfilled"])
    try delivery.receive(
      #"{"incremental":[{"path":["users",0],"label":"n","data":{"n":"one"}}],"hasNext":true}"#,
      #"{"incremental":[{"path":["users",2],"label":"n","data":{"n":"three"}}],"hasNext":false}"#)
    #expect(delivery.data == #"{"users":[{"id":2,"n":"two"},{"id":1,"n":"one"}]}"#)
    #expect(delivery.errors.isEmpty)
    #expect(delivery.states == ["again@ fulfilled", "n@users[1] fulfilled", "n@users[0] fulfilled"])
  }

  @Test func `streamed lists follow moved elements`() throws {
    var delivery = try Delivery(
      """
      { users { id l @stream(initialCount: 1) } ... @defer(label: "again") { users { id } } }
      """, schema: nil)
    try delivery.receive(
      #"{"data":{"users":[{"id":1,"l":[1]},{"id":2,"l":[2]},{"id":3,"l":[3]}]},"hasNext":true}"#,
      #"{"incremental":[{"path":[],"label":"again","data":{"users":[{"id":2},{"id":1}]}}],"hasNext":true}"#,
      #"{"incremental":[{"path":["users",0,"l",1],"items":[10]},{"path":["users",1,"l",1],"items":[20]}],"hasNext":true}"#,
      #"{"incremental":[{"path":["users",2,"l",1],"items":[30]}],"hasNext":false}"#)
    #expect(delivery.data == #"{"users":[{"id":2,"l":[2,20]},{"id":1,"l":[1,10]}]}"#)
    #expect(delivery.errors.isEmpty)
    #expect(
      delivery.last?.streams.map { "\($0.path) \($0.state.name)" } == ["users[1].l fulfilled", "users[0].l fulfilled"])
  }

  @Test func `announced fragments and deferred fields follow moved elements`() throws {
    var announced = try Delivery(
      """
      { users { id ... @defer(label: "n") { n } } ... @defer(label: "again") { users { id } } }
      """, schema: nil)
    try announced.receive(
      #"""
      {"data":{"users":[{"id":1},{"id":2}]},"pending":[{"id":"a","path":[],"label":"again"},
      {"id":"0","path":["users",0],"label":"n"},{"id":"1","path":["users",1],"label":"n"}],"hasNext":true}
      """#,
      #"{"incremental":[{"id":"a","data":{"users":[{"id":2},{"id":1}]}}],"completed":[{"id":"a"}],"hasNext":true}"#,
      #"{"incremental":[{"id":"0","data":{"n":"one"}}],"completed":[{"id":"0"}],"hasNext":true}"#,
      #"{"incremental":[{"id":"1","data":{"n":"two"}}],"completed":[{"id":"1"}],"hasNext":false}"#)
    #expect(announced.data == #"{"users":[{"id":2,"n":"two"},{"id":1,"n":"one"}]}"#)
    #expect(announced.states == ["again@ fulfilled", "n@users[1] fulfilled", "n@users[0] fulfilled"])
    var fields = try Delivery("{ users { id slow @defer } ... @defer(label: \"again\") { users { id } } }", schema: nil)
    try fields.receive(
      #"{"data":{"users":[{"id":1},{"id":2},{"id":3}]},"hasNext":true}"#,
      #"{"incremental":[{"path":[],"label":"again","data":{"users":[{"id":2},{"id":1}]}}],"hasNext":true}"#,
      #"{"path":["users",0,"slow"],"data":1,"hasNext":true}"#, #"{"path":["users",1,"slow"],"data":2,"hasNext":true}"#,
      #"{"path":["users",2,"slow"],"data":3,"hasNext":false}"#)
    #expect(fields.data == #"{"users":[{"id":2,"slow":2},{"id":1,"slow":1}]}"#)
    #expect(fields.errors.isEmpty)
  }

  @Test func `payloads that move elements again and again are followed`() throws {
    var delivery = try Delivery(
      """
      { users { id ... @defer(label: "n") { n } } ... @defer(label: "a") { users { id } } ... @defer(label: "b") { users { id } }
        ... @defer(label: "c") { users { id } } }
      """, schema: nil)
    try delivery.receive(
      #"{"data":{"users":[{"id":1},{"id":2},{"id":3},{"id":4}]},"hasNext":true}"#,
      #"{"incremental":[{"path":[],"label":"a","data":{"users":[{"id":4},{"id":3},{"id":2},{"id":1}]}}],"hasNext":true}"#,
      #"{"incremental":[{"path":["users",3],"label":"n","data":{"n":4}}],"hasNext":true}"#,
      #"{"incremental":[{"path":[],"label":"b","data":{"users":[{"id":2},{"id":4},{"id":1}]}}],"hasNext":true}"#,
      #"{"incremental":[{"path":["users",2],"label":"n","data":{"n":3}}],"hasNext":true}"#,
      #"{"incremental":[{"path":["users",1],"label":"n","data":{"n":2}}],"hasNext":true}"#)
    #expect(
      delivery.states.filter { $0.hasPrefix("n@") } == [
        "n@users[2] pending", "n@users[0] fulfilled", "n@users[1] fulfilled",
      ])
    try delivery.receive(
      #"{"incremental":[{"path":[],"label":"c","data":{"users":[{"id":1},{"id":2}]}}],"hasNext":true}"#,
      #"{"incremental":[{"path":["users",0],"label":"n","data":{"n":1}}],"hasNext":false}"#)
    #expect(delivery.data == #"{"users":[{"id":1,"n":1},{"id":2,"n":2}]}"#)
    #expect(delivery.states.filter { $0.hasPrefix("n@") } == ["n@users[0] fulfilled", "n@users[1] fulfilled"])
    #expect(delivery.errors.isEmpty)
  }

  @Test(arguments: [
    [
      #"{"incremental":[{"path":["l",1],"items":[{"id":2},{"id":3}]}],"hasNext":true}"#,
      #"{"incremental":[{"path":[],"label":"a","data":{"l":[{"id":1,"x":1},{"id":2,"x":2}]}}],"hasNext":false}"#,
    ],
    [
      #"{"incremental":[{"path":[],"label":"a","data":{"l":[{"id":1,"x":1},{"id":2,"x":2}]}}],"hasNext":true}"#,
      #"{"incremental":[{"path":["l",1],"items":[{"id":2},{"id":3}]}],"hasNext":false}"#,
    ],
  ])
  func `items that the list of a fragment does not have lack its fields`(payloads: [String]) throws {
    var delivery = try Delivery(
      "{ l @stream(initialCount: 1) { id } ... @defer(label: \"a\") { l { id x } } }", schema: nil)
    try delivery.receive(#"{"data":{"l":[{"id":1}]},"hasNext":true}"#)
    for payload in payloads { try delivery.receive(payload) }
    #expect(delivery.data == #"{"l":[{"id":1,"x":1},{"id":2,"x":2},{"id":3}]}"#)
    #expect(delivery.last?.conflicts.map(\.path) == [["l", 2]])
    #expect(delivery.states == ["a@ failed"])
  }

  // MARK: - Extensions

  @Test func `extensions of payloads and entries merge by member`() throws {
    var delivery = try Delivery("{ person { id ... @defer(label: \"n\") { name } } }")
    try delivery.receive(
      #"{"data":{"person":{"id":"1"}},"extensions":{"cost":{"a":1,"l":[1,2]}},"pending":[{"id":"0","path":["person"],"label":"n","extensions":{"p":1}}],"hasNext":true}"#,
      #"""
      {"incremental":[{"id":"0","data":{"name":"L"},"extensions":{"cost":{"b":2,"l":[3]}}}],"hasNext":true,
      "completed":[{"id":"0","extensions":{"cost":{"a":{"x":1}},"done":true}}],"extensions":{"cost":{"l":[7,8,9]}}}
      """#,
      #"{"hasNext":false,"extensions":{"done":null}}"#)
    #expect(
      delivery.last?.extensions
        == (try json(#"{"cost":{"a":{"x":1},"l":[3],"b":2},"p":1,"done":null}"#)))
  }
}
