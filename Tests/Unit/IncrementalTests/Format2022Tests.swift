import ApusClientAPI
import ApusClientIncremental
import ApusJSON
import Testing

/// The 2022 format, `deferSpec=20220824`.
@Suite struct Format2022Tests {
  static let person = """
    { person { id ... on Person @defer(label: "home") { home { name } } ...Films @defer(label: "films") } }
    fragment Films on Person { films { title } }
    """

  @Test func `subsequent results are merged into the initial result`() throws {
    var delivery = try Delivery(Self.person)
    try delivery.receive(#"{"data":{"person":{"id":"1"}},"hasNext":true}"#)
    #expect(delivery.states == ["home@person pending", "films@person pending"])
    #expect(!delivery.isComplete)
    try delivery.receive(
      #"{"incremental":[{"data":{"home":{"name":"Naboo"}},"path":["person"],"label":"home"}],"hasNext":true}"#)
    #expect(delivery.data == #"{"person":{"id":"1","home":{"name":"Naboo"}}}"#)
    #expect(delivery.states == ["home@person fulfilled", "films@person pending"])
    #expect(delivery.changes == ["person.home"])
    try delivery.receive(
      #"{"incremental":[{"data":{"films":[{"title":"A"}]},"path":["person"],"label":"films"}],"hasNext":false}"#)
    #expect(delivery.states == ["home@person fulfilled", "films@person fulfilled"])
    #expect(delivery.times == [1, 2])
    #expect(delivery.isComplete)
    #expect(delivery.last?.format == .defer20220824)
  }

  @Test(arguments: ["", #""path":null,"#])
  func `an item without a path is merged at the root`(path: String) throws {
    var delivery = try Delivery("{ tags ... @defer(label: \"later\") { person { name } } }")
    try delivery.receive(
      #"{"data":{"tags":[]},"hasNext":true}"#,
      #"{"incremental":[{\#(path)"data":{"person":{"name":"L"}}}],"hasNext":false}"#)
    #expect(delivery.data == #"{"tags":[],"person":{"name":"L"}}"#)
    #expect(delivery.states == ["later@ fulfilled"])
  }

  @Test(arguments: [
    (#""path":"person""#, "the path of a deferred part is not a list of keys and indexes"),
    (#""path":[true]"#, "the path of a deferred part is not a list of keys and indexes"),
    (#""id":"7""#, "the response refers to the deferred part \"7\", which was never announced (id 7)"),
  ])
  func `an item with an invalid path is an error of that item`(place: String, violation: String) throws {
    var delivery = try Delivery(Self.person)
    try delivery.receive(
      #"{"data":{"person":{"id":"1"}},"hasNext":true}"#,
      #"""
      {"incremental":[{\#(place),"data":{"home":null}},{"path":["person"],"label":"films","data":{"films":[]}}],
      "hasNext":false}
      """#)
    #expect(delivery.violations == [violation])
    #expect(delivery.data == #"{"person":{"id":"1","films":[]}}"#)
    #expect(delivery.states == ["home@person failed", "films@person fulfilled"])
    #expect(delivery.isComplete)
  }

  @Test func `an item with an empty path is merged at the root`() throws {
    var delivery = try Delivery("{ tags ... @defer(label: \"later\") { person { name } } }")
    try delivery.receive(
      #"{"data":{"tags":[]},"hasNext":true}"#,
      #"{"incremental":[{"data":{"person":{"name":"L"}},"path":[],"label":"later"}],"hasNext":false}"#)
    #expect(delivery.data == #"{"tags":[],"person":{"name":"L"}}"#)
    #expect(delivery.states == ["later@ fulfilled"])
    #expect(delivery.changes == ["person"])
  }

  @Test func `stream items are inserted from the index in their path`() throws {
    var delivery = try Delivery("{ tags @stream(initialCount: 1, label: \"t\") }")
    try delivery.receive(#"{"data":{"tags":["a"]},"hasNext":true}"#)
    #expect(delivery.last?.streams.map(\.state) == [.pending])
    try delivery.receive(
      #"{"incremental":[{"items":["b","c"],"path":["tags",1],"label":"t"}],"hasNext":true}"#,
      #"{"incremental":[{"items":["d"],"path":["tags",3]}],"hasNext":true}"#)
    #expect(delivery.data == #"{"tags":["a","b","c","d"]}"#)
    #expect(delivery.changes == ["tags[3]"])
    try delivery.receive(#"{"hasNext":false}"#)
    #expect(delivery.last?.streams.map(\.state) == [.fulfilled])
  }

  @Test func `a nested list is streamed by its outer index`() throws {
    var delivery = try Delivery("{ matrix @stream }")
    try delivery.receive(
      #"{"data":{"matrix":[]},"hasNext":true}"#,
      #"{"incremental":[{"items":[[1,2],[3]],"path":["matrix",0]}],"hasNext":false}"#)
    #expect(delivery.data == #"{"matrix":[[1,2],[3]]}"#)
  }

  @Test func `a nested list sent twice is merged once`() throws {
    let part = #"{"incremental":[{"path":["matrix",1],"items":[[2,3]]}],"hasNext":true}"#
    var delivery = try Delivery("{ matrix @stream(initialCount: 1) }")
    try delivery.receive(#"{"data":{"matrix":[[1]]},"hasNext":true}"#, part, part)
    #expect(delivery.data == #"{"matrix":[[1],[2,3]]}"#)
    #expect(delivery.changes.isEmpty)
  }

  @Test func `deferred data is merged deeply into objects of the initial result`() throws {
    var delivery = try Delivery(
      "{ person { id home { name } ... @defer(label: \"x\") { id home { name climate terrain { kind } } } } }")
    try delivery.receive(
      #"{"data":{"person":{"id":"1","home":{"name":"N"}}},"hasNext":true}"#,
      #"""
      {"incremental":[{"data":{"id":"1","home":{"name":"N","climate":"mild","terrain":{"kind":"hills"}}},
      "path":["person"],"label":"x"}],"hasNext":false}
      """#)
    #expect(
      delivery.data == #"{"person":{"id":"1","home":{"name":"N","climate":"mild","terrain":{"kind":"hills"}}}}"#)
    #expect(delivery.changes == ["person.home.climate", "person.home.terrain"])
    #expect(delivery.states == ["x@person fulfilled"])
  }

  @Test func `a null from an error does not remove data of another payload`() throws {
    var delivery = try Delivery("{ person { name home { name } ... @defer(label: \"a\") { home { climate } } } }")
    try delivery.receive(
      #"{"data":{"person":{"name":"A","home":{"name":"H"}}},"hasNext":true}"#,
      """
      {"incremental":[{"path":["person"],"label":"a","data":{"home":null},"errors":[{"message":"no climate"}]}],\
      "hasNext":false}
      """)
    #expect(delivery.data == #"{"person":{"name":"A","home":{"name":"H"}}}"#)
    #expect(delivery.errors == ["no climate"])
    #expect(delivery.last?.changedPaths.isEmpty == true)
  }

  @Test func `null data with errors fails the fragment`() throws {
    var delivery = try Delivery(Self.person)
    try delivery.receive(
      #"{"data":{"person":{"id":"1"}},"hasNext":true}"#,
      #"""
      {"incremental":[{"data":null,"path":["person"],"label":"films",
      "errors":[{"message":"closed","path":["person","films"]}]}],"hasNext":true}
      """#)
    #expect(delivery.data == #"{"person":{"id":"1"}}"#)
    #expect(delivery.errors == ["closed (at person.films)"])
    #expect(delivery.states == ["home@person pending", "films@person failed"])
    #expect(delivery.failures == ["closed"])
    #expect(delivery.changes.isEmpty)
  }

  @Test func `null items end the stream`() throws {
    var delivery = try Delivery("{ tags @stream }")
    try delivery.receive(
      #"{"data":{"tags":["a"]},"hasNext":true}"#,
      #"{"incremental":[{"items":null,"path":["tags",1],"errors":[{"message":"dry"}]}],"hasNext":false}"#)
    #expect(delivery.data == #"{"tags":["a"]}"#)
    #expect(delivery.errors == ["dry"])
    #expect(delivery.last?.streams.map(\.state.name) == ["failed"])
  }

  @Test func `several items in one payload are merged`() throws {
    var delivery = try Delivery(Self.person)
    try delivery.receive(
      #"{"data":{"person":{"id":"1"}},"hasNext":true}"#,
      #"""
      {"incremental":[{"data":{"home":null},"path":["person"],"label":"home"},
      {"data":{"films":[]},"path":["person"],"label":"films"}],"hasNext":true}
      """#)
    #expect(delivery.states == ["home@person fulfilled", "films@person fulfilled"])
    #expect(delivery.changes == ["person.home", "person.films"])
    #expect(!delivery.isComplete)
  }

  @Test func `a label selects the fragment among those with one path`() throws {
    var delivery = try Delivery(Self.person)
    try delivery.receive(
      #"{"data":{"person":{"id":"1"}},"hasNext":true}"#,
      #"{"incremental":[{"data":{"films":[]},"path":["person"],"label":"films"}],"hasNext":true}"#)
    #expect(delivery.states == ["home@person pending", "films@person fulfilled"])
  }

  @Test func `without labels fragments are identified by path and fields`() throws {
    var delivery = try Delivery(
      "{ person { id ... on Person @defer { height } ... on Person @defer { home { name } } ...F @defer } } "
        + "fragment F on Person { nickname }")
    try delivery.receive(
      #"{"data":{"person":{"id":"1"}},"hasNext":true}"#,
      #"{"incremental":[{"data":{"home":{"name":"N"}},"path":["person"]}],"hasNext":true}"#)
    #expect(
      delivery.states == ["on Person@person pending", "on Person@person fulfilled", "...F@person pending"])
    try delivery.receive(
      #"{"incremental":[{"data":null,"path":["person"],"errors":[{"message":"no","path":["person","nickname"]}]}],"hasNext":true}"#
    )
    #expect(
      delivery.states == ["on Person@person pending", "on Person@person fulfilled", "...F@person failed"])
  }

  @Test func `a labeled fragment is settled without its label`() throws {
    var delivery = try Delivery(Self.person)
    try delivery.receive(
      #"{"data":{"person":{"id":"1"}},"hasNext":true}"#,
      #"{"incremental":[{"data":{"films":[]},"path":["person"],"label":null}],"hasNext":true}"#)
    #expect(delivery.states == ["home@person pending", "films@person fulfilled"])
  }

  @Test func `the last payload may contain only hasNext`() throws {
    var delivery = try Delivery(Self.person)
    try delivery.receive(
      #"{"data":{"person":{"id":"1"}},"hasNext":true}"#,
      #"""
      {"incremental":[{"data":{"home":null},"path":["person"],"label":"home"},
      {"data":{"films":[]},"path":["person"],"label":"films"}],"hasNext":true}
      """#,
      #"{"hasNext":false}"#)
    #expect(delivery.isComplete)
    #expect(delivery.results.count == 3)
    #expect(delivery.changes.isEmpty)
  }

  @Test func `the last payload may contain items`() throws {
    var delivery = try Delivery("{ person { id ... @defer { name } } }")
    try delivery.receive(
      #"{"data":{"person":{"id":"1"}},"hasNext":true}"#,
      #"{"incremental":[{"data":{"name":"L"},"path":["person"]}],"hasNext":false}"#)
    #expect(delivery.data == #"{"person":{"id":"1","name":"L"}}"#)
  }

  @Test func `items in the initial payload are merged`() throws {
    var delivery = try Delivery("{ person { id ... @defer(label: \"n\") { name } } }")
    try delivery.receive(
      #"{"data":{"person":{"id":"1"}},"incremental":[{"data":{"name":"L"},"path":["person"],"label":"n"}],"hasNext":false}"#
    )
    #expect(delivery.data == #"{"person":{"id":"1","name":"L"}}"#)
    #expect(delivery.states == ["n@person fulfilled"])
    #expect(delivery.isComplete)
  }

  @Test func `deferred fields in the initial result fulfill their fragment`() throws {
    var delivery = try Delivery("{ person { id ... @defer(label: \"n\") { name } } }")
    try delivery.receive(#"{"data":{"person":{"id":"1","name":"L"}},"hasNext":false}"#)
    #expect(delivery.states == ["n@person fulfilled"])
    #expect(delivery.times == [0])

    var mixed = try Delivery(Self.person)
    try mixed.receive(#"{"data":{"person":{"id":"1","home":{"name":"N"}}},"hasNext":true}"#)
    #expect(mixed.states == ["home@person fulfilled", "films@person pending"])
  }

  @Test func `a JSON response is one complete result`() throws {
    var delivery = try Delivery("{ person { id ... @defer(label: \"n\") { name } } }")
    try delivery.receive(#"{"data":{"person":{"id":"1","name":"L"}}}"#)
    #expect(delivery.isComplete)
    #expect(delivery.states == ["n@person fulfilled"])
  }

  @Test func `a fragment with fields of the initial result stays pending`() throws {
    var delivery = try Delivery("{ person { id name ... @defer(label: \"n\") { name } } }")
    try delivery.receive(#"{"data":{"person":{"id":"1","name":"L"}},"hasNext":true}"#)
    #expect(delivery.states == ["n@person pending"])
    try delivery.receive(#"{"incremental":[{"data":{"name":"L"},"path":["person"],"label":"n"}],"hasNext":false}"#)
    #expect(delivery.states == ["n@person fulfilled"])
  }

  @Test func `payloads with data at the top level are merged`() throws {
    var delivery = try Delivery(Self.person)
    try delivery.receive(
      #"{"data":{"person":{"id":"1"}},"hasNext":true}"#,
      #"{"data":{"home":{"name":"N"}},"path":["person"],"label":"home","hasNext":true}"#,
      #"{"data":null,"errors":[{"message":"no"}],"path":["person"],"label":"films","hasNext":false}"#)
    #expect(delivery.data == #"{"person":{"id":"1","home":{"name":"N"}}}"#)
    #expect(delivery.states == ["home@person fulfilled", "films@person failed"])
    #expect(delivery.errors == ["no"])
  }

  @Test func `errors without data are a result`() throws {
    var delivery = try Delivery("{ person { id } }")
    try delivery.receive(#"{"errors":[{"message":"Cannot query."}]}"#)
    #expect(delivery.last?.data == nil)
    #expect(delivery.errors == ["Cannot query."])
    #expect(delivery.isComplete)
  }

  @Test func `the initial result is incomplete if more follows`() throws {
    var delivery = try Delivery(Self.person)
    try delivery.receive(#"{"data":{"person":{"id":"1"}},"hasNext":true}"#)
    #expect(delivery.results.map(\.isComplete) == [false])
  }

  @Test func `extensions of payloads and items are merged`() throws {
    var delivery = try Delivery("{ person { id ... @defer { name } } }")
    try delivery.receive(
      #"{"data":{"person":{"id":"1"}},"extensions":{"cost":{"a":1}},"hasNext":true}"#,
      #"""
      {"incremental":[{"data":{"name":"L"},"path":["person"],"extensions":{"cost":{"b":2}}}],
      "extensions":{"trace":true},"hasNext":false}
      """#)
    #expect(delivery.last?.extensions?.description == #"{"cost":{"a":1,"b":2},"trace":true}"#)
  }

  @Test func `heartbeats are ignored`() throws {
    var delivery = try Delivery("{ person { id ... @defer { name } } }")
    try delivery.receive("{}", #"{"data":{"person":{"id":"1"}},"hasNext":true}"#, "{}")
    #expect(delivery.results.count == 1)
  }

  @Test func `deferred fragments of a mutation are merged`() throws {
    var delivery = try Delivery("mutation { rename(name: \"x\") { id ... @defer(label: \"n\") { name } } }")
    try delivery.receive(
      #"{"data":{"rename":{"id":"1"}},"hasNext":true}"#,
      #"{"incremental":[{"data":{"name":"x"},"path":["rename"],"label":"n"}],"hasNext":false}"#)
    #expect(delivery.data == #"{"rename":{"id":"1","name":"x"}}"#)
    #expect(delivery.states == ["n@rename fulfilled"])
  }

  @Test func `a payload for a missing path is an error of that payload`() throws {
    var delivery = try Delivery(
      "{ person { id ... @defer(label: \"home\") { home { name } } } tags ... @defer { people { id } } }")
    try delivery.receive(
      #"{"data":{"person":null,"tags":[]},"hasNext":true}"#,
      #"{"incremental":[{"data":{"name":"N"},"path":["person","home"],"label":"home"}],"hasNext":true}"#,
      #"{"incremental":[{"data":{"people":[]},"path":[]}],"hasNext":false}"#)
    #expect(
      delivery.violations == [
        "a deferred part belongs at \"person.home\", but the response has nothing there to hold it (at person.home)"
      ])
    #expect(delivery.data == #"{"person":null,"tags":[],"people":[]}"#)
    #expect(delivery.isComplete)
  }

  @Test(arguments: ["5", "\"a\"", "true", "[1]", "[]"])
  func `data of the wrong kind fails its fragment, with the reason`(data: String) throws {
    var delivery = try Delivery(Self.person)
    try delivery.receive(
      #"{"data":{"person":{"id":"1"}},"hasNext":true}"#,
      #"{"incremental":[{"data":\#(data),"path":["person"],"label":"home"}],"hasNext":true}"#)
    #expect(delivery.states == ["home@person failed", "films@person pending"])
    #expect(delivery.violations.count == 1)
    #expect(delivery.failures == delivery.last?.violations.map(\.description))
  }

  @Test func `a payload that is not a response is a protocol error`() throws {
    var delivery = try Delivery(Self.person)
    #expect(throws: IncrementalError.notAResponse) { try delivery.receive(#"{"message":"hello"}"#) }
    #expect(throws: IncrementalError.notAnObject) { try delivery.receive("[]") }
    try delivery.receive(#"{"data":{"person":null}}"#)
    #expect(throws: IncrementalError.payloadAfterEnd) {
      try delivery.receive(#"{"incremental":[{"data":{},"path":[]}],"hasNext":false}"#)
    }
    #expect(throws: IncrementalError.payloadAfterEnd) { try delivery.receive(#"{"hasNext":true}"#) }
  }

  @Test func `later payloads may contain only extensions`() throws {
    var delivery = try Delivery(Self.person)
    try delivery.receive(
      #"{"data":{"person":{"id":"1"}},"hasNext":true}"#, #"{"hasNext":true,"extensions":{"cost":1}}"#)
    #expect(delivery.last?.extensions == ["cost": 1])
    #expect(delivery.states == ["home@person pending", "films@person pending"])
    #expect(!delivery.isComplete)
  }

  @Test func `errors of the initial result are kept`() throws {
    var delivery = try Delivery(Self.person)
    try delivery.receive(
      #"{"data":{"person":{"id":"1"}},"errors":[{"message":"first"}],"hasNext":true}"#,
      #"""
      {"incremental":[{"path":["person"],"label":"home","data":{"home":null},"errors":[{"message":"second"}]}],
      "hasNext":true}
      """#)
    #expect(delivery.errors == ["first", "second"])
  }

  /// Early execution: fragments that are ready are sent with the initial payload, although more follow.
  @Test func `items inside an initial payload that is not the last are merged`() throws {
    var delivery = try Delivery(Self.person)
    try delivery.receive(
      #"""
      {"data":{"person":{"id":"1"}},"incremental":[{"path":["person"],"label":"home","data":{"home":{"name":"N"}}}],
      "hasNext":true}
      """#)
    #expect(delivery.data == #"{"person":{"id":"1","home":{"name":"N"}}}"#)
    #expect(delivery.states == ["home@person fulfilled", "films@person pending"])
    #expect(!delivery.isComplete)
  }

  /// At the end, a fragment is fulfilled if its data arrived, otherwise it failed.
  @Test func `at the end fragments without data fail`() throws {
    var delivery = try Delivery(
      "{ person { id name ... @defer(label: \"n\") { name } ... @defer(label: \"h\") { height } } }")
    try delivery.receive(#"{"data":{"person":{"id":"1","name":"L"}},"hasNext":true}"#)
    #expect(delivery.states == ["n@person pending", "h@person pending"])
    try delivery.receive(#"{"hasNext":false}"#)
    #expect(delivery.states == ["n@person fulfilled", "h@person failed"])
  }

  @Test func `repeated stream items replace the old ones`() throws {
    var delivery = try Delivery("{ tags @stream }")
    try delivery.receive(
      #"{"data":{"tags":["a"]},"hasNext":true}"#,
      #"{"incremental":[{"items":["b"],"path":["tags",1]},{"items":["c","d"],"path":["tags",2]}],"hasNext":true}"#)
    #expect(delivery.data == #"{"tags":["a","b","c","d"]}"#)
  }

  @Test(arguments: [#""items":["z"]"#, #""data":"z""#])
  func `stream items after a gap are an error but later ones are kept`(item: String) throws {
    var delivery = try Delivery("{ tags @stream }")
    try delivery.receive(
      #"{"data":{"tags":["a"]},"hasNext":true}"#,
      #"{"incremental":[{\#(item),"path":["tags",7]},{"items":["b"],"path":["tags",1]}],"hasNext":true}"#)
    #expect(delivery.data == #"{"tags":["a","b"]}"#)
    #expect(delivery.violations.first?.hasSuffix("(at tags[7])") == true)
    try delivery.receive(#"{"hasNext":false}"#)
    #expect(delivery.last?.streams.map(\.state.name) == ["failed"], "an item is lost")
  }

  @Test(arguments: [
    #"{"incremental":5,"hasNext":true}"#, #"{"incremental":[5],"hasNext":true}"#,
    #"{"incremental":[{"data":{},"path":"person"}],"hasNext":true}"#,
    #"{"incremental":[{"data":{},"path":[true]}],"hasNext":true}"#,
    #"{"incremental":[{"data":{},"path":["person",-1]}],"hasNext":true}"#,
    #"{"incremental":[{"data":5,"path":["person"]}],"hasNext":true}"#,
    #"{"incremental":[{"items":{},"path":["person"]}],"hasNext":true}"#,
    #"{"incremental":[{"data":{},"path":["person","id","x"]}],"hasNext":true}"#,
    #"{"pending":{},"hasNext":true}"#, #"{"pending":[{"id":5}],"hasNext":true}"#,
    #"{"completed":[{}],"hasNext":true}"#, #"{"hasNext":"yes"}"#, #""text""#, "5", "null",
  ])
  func `malformed payloads are an error or partly read`(payload: String) throws {
    var delivery = try Delivery(Self.person)
    try delivery.receive(#"{"data":{"person":{"id":"1"}},"hasNext":true}"#)
    do { try delivery.receive(payload) } catch is IncrementalError {}
    #expect(delivery.data == #"{"person":{"id":"1"}}"#, "what arrived stays as it was")
  }

  @Test(arguments: [
    (#"{"incremental":{},"hasNext":true}"#, "incremental"), (#"{"incremental":["x"],"hasNext":true}"#, "incremental"),
    (#"{"completed":{"id":"0"},"hasNext":false}"#, "completed"), (#"{"pending":"0","hasNext":true}"#, "pending"),
    (#"{"incremental":[{"items":"ab","path":["person","films"]}],"hasNext":true}"#, "items"),
    (#"{"incremental":[],"hasNext":"true"}"#, "hasNext"), (#"{"hasNext":1}"#, "hasNext"),
  ])
  func `a payload member of the wrong kind is an error`(payload: String, member: String) throws {
    var delivery = try Delivery(Self.person)
    try delivery.receive(#"{"data":{"person":{"id":"1","films":[]}},"hasNext":true}"#)
    try delivery.receive(payload)
    #expect(delivery.violations.count == 1)
    #expect(delivery.violations.first?.hasPrefix("the '\(member)' of a payload is not ") == true)
    #expect(delivery.data == #"{"person":{"id":"1","films":[]}}"#)
  }

  @Test(arguments: ["1", "\"text\"", "[]", "true"])
  func `data that is not an object is an error`(data: String) throws {
    var delivery = try Delivery("{ tags }")
    #expect(throws: IncrementalError.malformed("data", "an object or null")) {
      try delivery.receive("{\"data\":\(data)}")
    }
  }

  @Test func `null members count as missing`() throws {
    var delivery = try Delivery(Self.person)
    try delivery.receive(#"{"data":{"person":null},"pending":null,"incremental":null,"completed":null,"hasNext":null}"#)
    #expect(delivery.isComplete)
  }
}
