import ApusClientAPI
import ApusClientIncremental
import ApusJSON
import Testing

/// The v0.2 format, `incrementalSpec=v0.2`.
@Suite struct FormatV02Tests {
  static let person = Format2022Tests.person

  @Test func `a fragment is pending then incremental then completed`() throws {
    var delivery = try Delivery(Self.person)
    try delivery.receive(
      #"""
      {"data":{"person":{"id":"1"}},"hasNext":true,
      "pending":[{"id":"0","path":["person"],"label":"home"},{"id":"1","path":["person"],"label":"films"}]}
      """#)
    #expect(delivery.states == ["home@person pending", "films@person pending"])
    try delivery.receive(#"{"incremental":[{"id":"0","data":{"home":{"name":"N"}}}],"hasNext":true}"#)
    #expect(delivery.states == ["home@person pending", "films@person pending"], "ready only at its own completed")
    #expect(delivery.changes == ["person.home"])
    try delivery.receive(#"{"completed":[{"id":"0"}],"hasNext":true}"#)
    #expect(delivery.states == ["home@person fulfilled", "films@person pending"])
    try delivery.receive(#"{"incremental":[{"id":"1","data":{"films":[]}}],"completed":[{"id":"1"}],"hasNext":false}"#)
    #expect(delivery.data == #"{"person":{"id":"1","home":{"name":"N"},"films":[]}}"#)
    #expect(delivery.states == ["home@person fulfilled", "films@person fulfilled"])
    #expect(delivery.times == [2, 3])
    #expect(delivery.last?.format == .incrementalV02)
  }

  @Test func `an ID may be announced used and completed in one payload`() throws {
    var delivery = try Delivery(
      "{ person { id ... @defer(label: \"o\") { name ... @defer(label: \"i\") { height } } } }")
    try delivery.receive(
      #"{"data":{"person":{"id":"1"}},"pending":[{"id":"0","path":["person"],"label":"o"}],"hasNext":true}"#)
    #expect(delivery.states == ["o@person pending"], "the inner one is not known yet")
    try delivery.receive(
      #"""
      {"pending":[{"id":"1","path":["person"],"label":"i"}],
      "incremental":[{"id":"0","data":{"name":"L"}},{"id":"1","data":{"height":3}}],
      "completed":[{"id":"0"},{"id":"1"}],"hasNext":false}
      """#)
    #expect(delivery.data == #"{"person":{"id":"1","name":"L","height":3}}"#)
    #expect(delivery.states == ["o@person fulfilled", "i@person fulfilled"])
  }

  @Test func `a nested fragment may be completed before the outer one`() throws {
    var delivery = try Delivery(
      """
      { person { id ... @defer(label: "o") { height ...F } ...F } }
      fragment F on Person { ... @defer(label: "i") { name } }
      """)
    try delivery.receive(
      #"""
      {"data":{"person":{"id":"1"}},"hasNext":true,
      "pending":[{"id":"0","path":["person"],"label":"i"},{"id":"1","path":["person"],"label":"o"}]}
      """#,
      #"{"incremental":[{"id":"0","data":{"name":"L"}}],"completed":[{"id":"0"}],"hasNext":true}"#,
      #"{"incremental":[{"id":"1","data":{"height":3}}],"completed":[{"id":"1"}],"hasNext":true}"#)
    #expect(delivery.states == ["o@person fulfilled", "i@person fulfilled"], "nothing more is to come")
  }

  @Test func `a repeated ID is a protocol error`() throws {
    var delivery = try Delivery(Self.person)
    try delivery.receive(
      #"""
      {"data":{"person":{"id":"1"}},"hasNext":true,
      "pending":[{"id":"0","path":["person"],"label":"home"},{"id":"0","path":["person"],"label":"films"}]}
      """#,
      #"{"incremental":[{"id":"0","data":{"home":null}}],"completed":[{"id":"0"}],"hasNext":true}"#)
    #expect(
      delivery.violations == ["the response announces the deferred part \"0\" twice (at person) (id 0)"])
    #expect(delivery.states == ["home@person fulfilled", "films@person pending"], "the first counts")
  }

  @Test func `an object is merged at the pending path and subPath`() throws {
    var delivery = try Delivery(
      "{ ... @defer(label: \"x\") { person { name home { climate } } } person { id home { name } } }")
    try delivery.receive(
      #"""
      {"data":{"person":{"id":"1","home":{"name":"N"}}},"pending":[{"id":"0","path":[],"label":"x"}],"hasNext":true}
      """#,
      #"""
      {"incremental":[{"id":"0","subPath":["person"],"data":{"name":"L"}},
      {"id":"0","subPath":["person","home"],"data":{"climate":"mild"}}],"completed":[{"id":"0"}],"hasNext":false}
      """#)
    #expect(delivery.data == #"{"person":{"id":"1","home":{"name":"N","climate":"mild"},"name":"L"}}"#)
    #expect(delivery.changes == ["person.name", "person.home.climate"])
    #expect(delivery.states == ["x@ fulfilled"])
  }

  @Test func `shared data is sent once and each fragment completes separately`() throws {
    var delivery = try Delivery(
      "{ ... @defer(label: \"a\") { person { name } } person { id ... @defer(label: \"b\") { name height } } }")
    try delivery.receive(
      #"""
      {"data":{"person":{"id":"1"}},
      "pending":[{"id":"0","path":[],"label":"a"},{"id":"1","path":["person"],"label":"b"}],"hasNext":true}
      """#,
      #"{"incremental":[{"id":"1","data":{"name":"L"}}],"completed":[{"id":"0"}],"hasNext":true}"#)
    #expect(delivery.states == ["a@ fulfilled", "b@person pending"])
    try delivery.receive(#"{"incremental":[{"id":"1","data":{"height":3}}],"completed":[{"id":"1"}],"hasNext":false}"#)
    #expect(delivery.states == ["a@ fulfilled", "b@person fulfilled"])
    #expect(delivery.data == #"{"person":{"id":"1","name":"L","height":3}}"#)
  }

  @Test func `fields of an outer fragment are not repeated in a nested one`() throws {
    var delivery = try Delivery(
      "{ person { id ... @defer(label: \"o\") { home { name } ... @defer(label: \"i\") { home { name climate } } } } }")
    try delivery.receive(
      #"{"data":{"person":{"id":"1"}},"pending":[{"id":"0","path":["person"],"label":"o"}],"hasNext":true}"#,
      #"""
      {"pending":[{"id":"1","path":["person"],"label":"i"}],
      "incremental":[{"id":"0","data":{"home":{"name":"N"}}}],"completed":[{"id":"0"}],"hasNext":true}
      """#)
    #expect(delivery.states == ["o@person fulfilled", "i@person pending"])
    try delivery.receive(
      #"{"incremental":[{"id":"1","subPath":["home"],"data":{"climate":"mild"}}],"completed":[{"id":"1"}],"hasNext":false}"#
    )
    #expect(delivery.states == ["o@person fulfilled", "i@person fulfilled"])
    #expect(delivery.data == #"{"person":{"id":"1","home":{"name":"N","climate":"mild"}}}"#)
  }

  @Test func `stream items are appended`() throws {
    var delivery = try Delivery(
      "{ people @stream(initialCount: 1, label: \"p\") { id ... @defer(label: \"n\") { name } } }")
    try delivery.receive(
      #"""
      {"data":{"people":[{"id":"1"}]},"pending":[{"id":"0","path":["people"],"label":"p"},
      {"id":"1","path":["people",0],"label":"n"}],"hasNext":true}
      """#,
      #"""
      {"pending":[{"id":"2","path":["people",1],"label":"n"}],
      "incremental":[{"id":"0","items":[{"id":"2"}]}],"hasNext":true}
      """#)
    #expect(delivery.data == #"{"people":[{"id":"1"},{"id":"2"}]}"#)
    #expect(delivery.changes == ["people[1]"])
    #expect(delivery.states == ["n@people[0] pending", "n@people[1] pending"])
    try delivery.receive(
      #"""
      {"incremental":[{"id":"1","data":{"name":"A"}},{"id":"2","data":{"name":"B"}}],
      "completed":[{"id":"1"},{"id":"2"},{"id":"0"}],"hasNext":false}
      """#)
    #expect(delivery.states == ["n@people[0] fulfilled", "n@people[1] fulfilled"])
    #expect(delivery.last?.streams.map(\.state) == [.fulfilled])
  }

  @Test func `a fragment that is not announced is fulfilled`() throws {
    var delivery = try Delivery(Self.person)
    try delivery.receive(
      #"""
      {"data":{"person":{"id":"1","home":{"name":"N"}}},
      "pending":[{"id":"0","path":["person"],"label":"films"}],"hasNext":true}
      """#)
    #expect(delivery.states == ["home@person fulfilled", "films@person pending"])
    // A fragment whose fields are all in the initial result is not announced either.
    var covered = try Delivery(
      "{ person { id name ... @defer(label: \"a\") { name } ... @defer(label: \"b\") { height } } }")
    try covered.receive(
      #"""
      {"data":{"person":{"id":"1","name":"L"}},"pending":[{"id":"0","path":["person"],"label":"b"}],"hasNext":true}
      """#)
    #expect(covered.states == ["a@person fulfilled", "b@person pending"])
  }

  @Test func `completed with errors fails only that fragment`() throws {
    var delivery = try Delivery(Self.person)
    try delivery.receive(
      #"""
      {"data":{"person":{"id":"1"}},"hasNext":true,
      "pending":[{"id":"0","path":["person"],"label":"home"},{"id":"1","path":["person"],"label":"films"}]}
      """#,
      #"""
      {"incremental":[{"id":"0","data":{"home":{"name":"N"}}}],
      "completed":[{"id":"1","errors":[{"message":"lost","path":["person","films"]}]},{"id":"0"}],"hasNext":false}
      """#)
    #expect(delivery.states == ["home@person fulfilled", "films@person failed"])
    #expect(delivery.errors == ["lost (at person.films)"])
    #expect(delivery.failures == ["lost"])
    #expect(delivery.data == #"{"person":{"id":"1","home":{"name":"N"}}}"#, "what was merged stays")
  }

  @Test func `null propagation in a fragment is a null with errors`() throws {
    var delivery = try Delivery("{ person { id ... @defer(label: \"h\") { home { name } } } }")
    try delivery.receive(
      #"{"data":{"person":{"id":"1"}},"pending":[{"id":"0","path":["person"],"label":"h"}],"hasNext":true}"#,
      #"""
      {"incremental":[{"id":"0","data":{"home":null},"errors":[{"message":"no","path":["person","home","name"]}]}],
      "completed":[{"id":"0"}],"hasNext":false}
      """#)
    #expect(delivery.states == ["h@person fulfilled"])
    #expect(delivery.errors == ["no (at person.home.name)"])
    #expect(delivery.data == #"{"person":{"id":"1","home":null}}"#)
  }

  @Test func `null propagation to a fragment's root fails it`() throws {
    var delivery = try Delivery("{ person { id ... @defer(label: \"n\") { name } } }")
    try delivery.receive(
      #"{"data":{"person":{"id":"1"}},"pending":[{"id":"0","path":["person"],"label":"n"}],"hasNext":true}"#,
      #"{"completed":[{"id":"0","errors":[{"message":"no name"}]}],"hasNext":false}"#)
    #expect(delivery.data == #"{"person":{"id":"1"}}"#)
    #expect(delivery.states == ["n@person failed"])
  }

  @Test func `a null parent has no pending fragments`() throws {
    var delivery = try Delivery(Self.person)
    try delivery.receive(#"{"data":{"person":null}}"#)
    #expect(delivery.states == ["home@person notExecuted", "films@person notExecuted"])
    #expect(delivery.isComplete)
  }

  @Test func `hasNext false fails every ID that was not completed`() throws {
    var delivery = try Delivery(Self.person)
    try delivery.receive(
      #"""
      {"data":{"person":{"id":"1"}},"hasNext":true,
      "pending":[{"id":"0","path":["person"],"label":"home"},{"id":"1","path":["person"],"label":"films"}]}
      """#,
      #"{"incremental":[{"id":"0","data":{"home":{"name":"N"}}}],"hasNext":false}"#)
    #expect(delivery.states == ["home@person failed", "films@person failed"])
    #expect(delivery.data == #"{"person":{"id":"1","home":{"name":"N"}}}"#, "what arrived stays")
    #expect(Set(delivery.failures) == ["the response ended without this part"])
  }

  @Test func `unknown keys are ignored`() throws {
    var delivery = try Delivery("{ person { id ... @defer(label: \"n\") { name } } }")
    try delivery.receive(
      #"{"data":{"person":{"id":"1"}},"pending":[{"id":"0","path":["person"],"label":"n","x":1}],"hasNext":true,"y":[]}"#,
      #"{"incremental":[{"id":"0","data":{"name":"L"},"z":{}}],"completed":[{"id":"0","q":0}],"hasNext":false,"w":null}"#
    )
    #expect(delivery.states == ["n@person fulfilled"])
  }

  @Test func `an unknown ID is an error of that entry`() throws {
    var delivery = try Delivery(Self.person)
    try delivery.receive(
      #"{"data":{"person":{"id":"1"}},"pending":[{"id":"0","path":["person"],"label":"home"}],"hasNext":true}"#,
      #"""
      {"incremental":[{"id":"7","data":{}},{"id":"0","data":{"home":null}}],"completed":[{"id":"8"},{"id":"0"}],
      "hasNext":false}
      """#)
    #expect(
      delivery.violations
        == ["7", "8"].map {
          "the response refers to the deferred part \"\($0)\", which was never announced (id \($0))"
        })
    #expect(delivery.states.first == "home@person fulfilled")
    #expect(delivery.data == #"{"person":{"id":"1","home":null}}"#)
  }

  @Test(arguments: [
    (#"{"id":"0","subPath":["home"],"data":{"climate":"mild"}}"#, "person.home"),
    (#"{"id":"0","subPath":["films",3],"data":{"title":"T"}}"#, "person.films[3]"),
    (#"{"id":"0","items":[1]}"#, "person"), (#"{"id":"0","data":[1]}"#, "person"),
    (#"{"id":"0","items":5}"#, "person"), (#"{"id":"0","subPath":"x","data":{"name":"L"}}"#, "person"),
  ])
  func `an item with an invalid path fails only its fragment`(item: String, place: String) throws {
    var delivery = try Delivery(
      """
      { person { id home { name } films { id } ... @defer(label: "a") { name home { climate } films { title } }
      ... @defer(label: "b") { nickname } } }
      """)
    try delivery.receive(
      #"""
      {"data":{"person":{"id":"1","home":null,"films":[]}},"hasNext":true,
      "pending":[{"id":"0","path":["person"],"label":"a"},{"id":"1","path":["person"],"label":"b"}]}
      """#,
      #"{"incremental":[\#(item),{"id":"0","data":{"name":"L"}},{"id":"1","data":{"nickname":"l"}}],"hasNext":true}"#,
      #"{"completed":[{"id":"0"},{"id":"1"}],"hasNext":false}"#)
    #expect(delivery.violations.count == 1)
    #expect(delivery.violations.first?.hasSuffix(" (at \(place)) (id 0)") == true, "\(delivery.violations)")
    #expect(delivery.states == ["a@person failed", "b@person fulfilled"])
    #expect(delivery.data == #"{"person":{"id":"1","home":null,"films":[],"name":"L","nickname":"l"}}"#)
    #expect(delivery.isComplete)
  }

  @Test func `items in the initial payload are merged`() throws {
    var delivery = try Delivery("{ person { id ... @defer(label: \"n\") { name } } }")
    try delivery.receive(
      #"""
      {"data":{"person":{"id":"1"}},"pending":[{"id":"0","path":["person"],"label":"n"}],
      "incremental":[{"id":"0","data":{"name":"L"}}],"completed":[{"id":"0"}],"hasNext":false}
      """#)
    #expect(delivery.states == ["n@person fulfilled"])
    #expect(delivery.data == #"{"person":{"id":"1","name":"L"}}"#)
  }

  @Test func `the initial payload may contain errors extensions and completed fragments`() throws {
    var delivery = try Delivery(Self.person)
    try delivery.receive(
      #"""
      {"data":{"person":{"id":"1"}},"errors":[{"message":"first"}],"extensions":{"a":1},"hasNext":true,
      "pending":[{"id":"0","path":["person"],"label":"home"},{"id":"1","path":["person"],"label":"films"}],
      "incremental":[{"id":"0","data":{"home":{"name":"N"}}}],"completed":[{"id":"0"}]}
      """#)
    #expect(delivery.errors == ["first"])
    #expect(delivery.last?.extensions == ["a": 1])
    #expect(delivery.states == ["home@person fulfilled", "films@person pending"])
    #expect(!delivery.isComplete)
  }

  @Test(arguments: [
    #"{"pending":[{"id":"9","path":["person"],"label":"home"}],"hasNext":true}"#,
    #"{"completed":[{"id":"0"}],"hasNext":true}"#,
    #"{"incremental":[{"id":"0","data":{"films":[]}}],"hasNext":true}"#, #"{"extensions":{"a":1},"hasNext":true}"#,
    #"{"hasNext":true}"#,
  ])
  func `a subsequent payload may contain any single key`(payload: String) throws {
    var delivery = try Delivery(Self.person)
    try delivery.receive(
      #"{"data":{"person":{"id":"1"}},"pending":[{"id":"0","path":["person"],"label":"films"}],"hasNext":true}"#,
      payload)
    #expect(delivery.results.count == 2)
    #expect(!delivery.isComplete)
  }

  @Test func `reusing a completed ID is a protocol error`() throws {
    var delivery = try Delivery(Self.person)
    try delivery.receive(
      #"{"data":{"person":{"id":"1"}},"pending":[{"id":"0","path":["person"],"label":"home"}],"hasNext":true}"#,
      #"{"incremental":[{"id":"0","data":{"home":null}}],"completed":[{"id":"0"}],"hasNext":true}"#,
      #"""
      {"pending":[{"id":"0","path":["person"],"label":"films"}],"incremental":[{"id":"0","data":{"films":[]}}],
      "completed":[{"id":"0"}],"hasNext":false}
      """#)
    #expect(delivery.violations == ["the response announces the deferred part \"0\" twice (at person) (id 0)"])
    #expect(delivery.states == ["home@person fulfilled", "films@person fulfilled"], "its data is kept")
  }

  @Test func `stream items with errors are appended`() throws {
    var delivery = try Delivery("{ people @stream(label: \"p\") { id name } }")
    try delivery.receive(
      #"{"data":{"people":[]},"pending":[{"id":"0","path":["people"],"label":"p"}],"hasNext":true}"#,
      #"""
      {"incremental":[{"id":"0","items":[null,{"id":"2","name":"B"}],
      "errors":[{"message":"no name","path":["people",0,"name"]}]}],"hasNext":true}
      """#)
    #expect(delivery.data == #"{"people":[null,{"id":"2","name":"B"}]}"#)
    #expect(delivery.errors == ["no name (at people[0].name)"])
    try delivery.receive(#"{"completed":[{"id":"0","errors":[{"message":"dry"}]}],"hasNext":false}"#)
    #expect(delivery.last?.streams.map(\.state.name) == ["failed"])
    #expect(delivery.data == #"{"people":[null,{"id":"2","name":"B"}]}"#, "what came stays")
  }

  @Test func `shared data of a failed fragment is kept for the other one`() throws {
    var delivery = try Delivery(
      "{ person { id ... @defer(label: \"a\") { name height } ... @defer(label: \"b\") { name nickname } } }")
    try delivery.receive(
      #"""
      {"data":{"person":{"id":"1"}},"hasNext":true,
      "pending":[{"id":"0","path":["person"],"label":"a"},{"id":"1","path":["person"],"label":"b"}]}
      """#,
      #"{"incremental":[{"id":"0","data":{"name":"L"}}],"hasNext":true}"#,
      #"{"completed":[{"id":"0","errors":[{"message":"no height"}]}],"hasNext":true}"#)
    #expect(delivery.data == #"{"person":{"id":"1","name":"L"}}"#)
    #expect(delivery.states == ["a@person failed", "b@person pending"])
    try delivery.receive(
      #"{"incremental":[{"id":"1","data":{"nickname":"l"}}],"completed":[{"id":"1"}],"hasNext":false}"#)
    #expect(delivery.data == #"{"person":{"id":"1","name":"L","nickname":"l"}}"#)
    #expect(delivery.states == ["a@person failed", "b@person fulfilled"])
  }

  @Test(arguments: [
    (#"{"id":"0","path":["person",-1]}"#, #"{"id":"0","data":{"home":null}}"#),
    (#"{"id":"0","path":["person"]}"#, #"{"id":"0","subPath":"x","data":{"home":null}}"#),
  ])
  func `an invalid path is an error`(pending: String, item: String) throws {
    var delivery = try Delivery(Self.person)
    try delivery.receive(
      #"{"data":{"person":{"id":"1"}},"pending":[\#(pending)],"hasNext":true}"#,
      #"{"incremental":[\#(item)],"completed":[{"id":"0"}],"hasNext":false}"#)
    #expect(delivery.last?.violations.first == .brokenPath)
    #expect(delivery.data == #"{"person":{"id":"1"}}"#)
    #expect(!delivery.states.contains { $0.hasSuffix("fulfilled") })
  }

  /// Completed, but its data was never sent.
  @Test func `a fragment completed without its data fails`() throws {
    let first =
      #"{"data":{"person":{"id":"1"}},"pending":[{"id":"0","path":["person"],"label":"home"}],"hasNext":true}"#
    var nothing = try Delivery(Self.person)
    try nothing.receive(first, #"{"completed":[{"id":"0"}],"hasNext":false}"#)
    #expect(nothing.states.first == "home@person failed")
    #expect(nothing.failures.first == "the server completed this fragment without sending it")
    #expect(nothing.last?.fragments.first?.shortfall?.isSilent == true)
    var failed = try Delivery(Self.person)
    try failed.receive(
      first,
      #"{"incremental":[{"id":"0","data":null,"errors":[{"message":"gone"}]}],"completed":[{"id":"0"}],"hasNext":false}"#
    )
    #expect(failed.states.first == "home@person failed")
    #expect(failed.failures.first == "gone")
  }

  @Test func `completing an ID twice is a protocol error`() throws {
    var delivery = try Delivery(Self.person)
    try delivery.receive(
      #"{"data":{"person":{"id":"1"}},"pending":[{"id":"0","path":["person"],"label":"home"}],"hasNext":true}"#,
      #"{"incremental":[{"id":"0","data":{"home":null}}],"completed":[{"id":"0"}],"hasNext":true}"#)
    try delivery.receive(#"{"completed":[{"id":"0"}],"hasNext":false}"#)
    #expect(
      delivery.violations == [
        "the response continues the deferred part \"0\" after it was completed (at person) (id 0)"
      ])
    #expect(delivery.states.first == "home@person fulfilled")
    #expect(delivery.isComplete)
  }

  /// Without a schema it is unknown whether the labeled fragment applies to the object. The announcement shows that it
  /// does not.
  @Test func `an announcement without a label matches an unlabeled fragment`() throws {
    var delivery = try Delivery(
      "{ u { ... on B @defer(label: \"L17\") { i { id } } ... on A @defer { n } __typename } }", schema: nil)
    try delivery.receive(
      #"{"data":{"u":{"__typename":"A"}},"pending":[{"id":"0","path":["u"]}],"hasNext":true}"#,
      #"{"hasNext":false,"incremental":[{"data":{"n":25},"id":"0"}],"completed":[{"id":"0"}]}"#)
    #expect(delivery.states == ["L17@u notExecuted", "on A@u fulfilled"])
    #expect(delivery.failures.isEmpty)
  }

  @Test func `a fragment spread twice may be announced twice`() throws {
    var delivery = try Delivery(
      "{ ...F2 @defer ...F2 } fragment F2 on Query { ... @defer { people { id } } ... @defer { tags } }")
    try delivery.receive(
      #"""
      {"data":{},"hasNext":true,
      "pending":[{"id":"0","path":[]},{"id":"1","path":[]},{"id":"2","path":[]},{"id":"3","path":[]}]}
      """#,
      #"""
      {"incremental":[{"id":"0","data":{"people":[{"id":"1"}]}}],"completed":[{"id":"0"},{"id":"2"}],"hasNext":true}
      """#)
    #expect(delivery.failures.isEmpty)
    try delivery.receive(
      #"{"incremental":[{"id":"1","data":{"tags":["a"]}}],"completed":[{"id":"1"},{"id":"3"}],"hasNext":false}"#)
    #expect(delivery.failures.isEmpty)
    #expect(delivery.states.allSatisfy { $0.hasSuffix(" fulfilled") }, "\(delivery.states)")
    #expect(delivery.data == #"{"people":[{"id":"1"}],"tags":["a"]}"#)
  }
}
