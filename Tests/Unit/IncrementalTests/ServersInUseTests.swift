import ApusClientAPI
import ApusClientIncremental
import ApusJSON
import Testing

/// Deviations from the specification in servers that are in use.
@Suite struct ServersInUseTests {
  static let person = Format2022Tests.person

  // MARK: - Responses without hasNext

  @Test(arguments: ["", #","hasNext":null"#])
  func `without hasNext payloads follow until the response ends`(hasNext: String) throws {
    var delivery = try Delivery(Self.person, as: .parts)
    try delivery.receive(#"{"data":{"person":{"id":"1"}}\#(hasNext)}"#)
    #expect(delivery.states == ["home@person pending", "films@person pending"])
    #expect(!delivery.isComplete)
    try delivery.receive(
      #"{"incremental":[{"data":{"home":{"name":"N"}},"path":["person"],"label":"home"}]\#(hasNext)}"#,
      #"{"data":{"films":[]},"path":["person"],"label":"films"\#(hasNext)}"#)
    delivery.finish(cut: false)
    #expect(delivery.data == #"{"person":{"id":"1","home":{"name":"N"},"films":[]}}"#)
    #expect(delivery.states == ["home@person fulfilled", "films@person fulfilled"])
    #expect(delivery.isComplete)
    #expect(delivery.violations.isEmpty)
  }

  @Test func `without hasNext the response may end without a fragment`() throws {
    var delivery = try Delivery(Self.person, as: .parts)
    try delivery.receive(#"{"data":{"person":{"id":"1"}}}"#)
    #expect(!delivery.merger.promisesMore)
    delivery.finish(cut: false)
    #expect(delivery.states == ["home@person failed", "films@person failed"])
    #expect(delivery.last?.fragments.map(\.shortfall) == [.missing, .missing])
    #expect(delivery.isComplete)
    var cut = try Delivery(Self.person, as: .parts)
    try cut.receive(#"{"data":{"person":{"id":"1"}}}"#)
    cut.finish(cut: true)
    #expect(cut.last?.fragments.map(\.shortfall) == [.cut, .cut])
    #expect(!cut.isComplete)
  }

  @Test func `without hasNext announced fragments must follow`() throws {
    var delivery = try Delivery(Self.person, as: .parts)
    try delivery.receive(#"{"data":{"person":{"id":"1"}},"pending":[{"id":"0","path":["person"],"label":"home"}]}"#)
    #expect(delivery.merger.promisesMore)
    try delivery.receive(#"{"incremental":[{"id":"0","data":{"home":null}}],"completed":[{"id":"0"}]}"#)
    #expect(!delivery.merger.promisesMore)
    delivery.finish(cut: false)
    #expect(delivery.states.first == "home@person fulfilled")
    #expect(delivery.isComplete)
  }

  @Test func `a stream without hasNext lasts until the response ends`() throws {
    var delivery = try Delivery("{ tags @stream }", as: .parts)
    try delivery.receive(#"{"data":{"tags":[]}}"#, #"{"incremental":[{"items":["a"],"path":["tags",0]}]}"#)
    #expect(!delivery.isComplete)
    delivery.finish(cut: false)
    #expect(delivery.data == #"{"tags":["a"]}"#)
    #expect(delivery.last?.streams.map(\.state) == [.fulfilled])
  }

  @Test func `a response without pending items is complete`() throws {
    var delivery = try Delivery("{ tags }", as: .parts)
    try delivery.receive(#"{"data":{"tags":[]}}"#)
    #expect(delivery.isComplete)
    var inlined = try Delivery(Self.person, as: .parts)
    try inlined.receive(#"{"data":{"person":{"id":"1","home":{"name":"N"},"films":[]}}}"#)
    #expect(inlined.isComplete)
    #expect(inlined.states == ["home@person fulfilled", "films@person fulfilled"])
  }

  @Test func `isFinal in the extensions replaces hasNext`() throws {
    var delivery = try Delivery("{ person { id ... @defer(label: \"n\") { name } } }")
    try delivery.receive(#"{"data":{"person":{"id":"1"}},"extensions":{"is_final":false}}"#)
    #expect(!delivery.isComplete)
    try delivery.receive(
      #"{"data":{"name":"L"},"path":["person"],"label":"n","extensions":{"is_final":true}}"#)
    #expect(delivery.isComplete)
    #expect(delivery.states == ["n@person fulfilled"])
  }

  @Test func `hasNext false may be sent twice`() throws {
    var delivery = try Delivery("{ person { id ... @defer { name } } }")
    try delivery.receive(
      #"{"data":{"person":{"id":"1","name":"L"}},"hasNext":false}"#, #"{"hasNext":false}"#,
      #"{"hasNext":false,"incremental":null,"data":null,"errors":null}"#, #"{"hasNext":false,"extensions":{"a":1}}"#)
    #expect(delivery.results.count == 1)
  }

  @Test func `without hasNext an event lasts until the next one`() throws {
    let next = try json(#"{"data":{"person":{"id":"2"}}}"#)
    #expect(IncrementalMerger.isEvent(next))
    #expect(IncrementalMerger.isEvent(try json(#"{"errors":[{"message":"no"}],"data":null}"#)))
    for payload in [
      #"{"incremental":[{"data":{"name":"L"},"path":["person"]}]}"#, #"{"data":{"name":"L"},"path":["person"]}"#,
      #"{"hasNext":false}"#, #"{"data":null,"incremental":[]}"#,
    ] {
      #expect(!IncrementalMerger.isEvent(try json(payload)))
    }
    var delivery = try Delivery("{ person { id ... @defer(label: \"n\") { name } } tags @stream }", as: .events)
    try delivery.receive(#"{"data":{"person":{"id":"1"},"tags":[]}}"#)
    #expect(!delivery.isComplete)
    let end = delivery.merger.endEvent(at: .zero)
    let ended = try #require(end)
    #expect(ended.isComplete)
    #expect(ended.fragments.map(\.shortfall) == [.missing])
    var complete = try Delivery("{ person { id ... @defer(label: \"n\") { name } } tags @stream }", as: .events)
    try complete.receive(#"{"data":{"person":{"id":"1","name":"L"},"tags":[]}}"#)
    #expect(complete.isComplete, "a list that may be streamed does not hold an event back")
  }

  /// An event without `hasNext`, and whether it is complete. The type of the person is unknown without `__typename`, so a
  /// fragment on a type may not apply and need not arrive.
  @Test(arguments: [
    ("... @defer(label: \"n\") { name }", #"{"id":"1"}"#, false),
    ("... @defer(label: \"n\") { name }", #"{"id":"1","name":"L"}"#, true),
    ("... on Pilot @defer(label: \"n\") { name }", #"{"id":"1"}"#, true),
    ("... on Pilot @defer(label: \"n\") { name }", #"{"id":"1","name":"L"}"#, true),
    ("__typename ... on Pilot @defer(label: \"n\") { name }", #"{"id":"1","__typename":"Pilot"}"#, false),
    ("__typename ... on Pilot @defer(label: \"n\") { name }", #"{"id":"1","__typename":"Bird"}"#, true),
  ])
  func `an event lasts only if a fragment that applies is absent`(
    fragment: String, person: String, isComplete: Bool
  ) throws {
    var delivery = try Delivery("{ person { id \(fragment) } }", schema: nil, as: .events)
    try delivery.receive(#"{"data":{"person":\#(person)}}"#)
    #expect(delivery.isComplete == isComplete, "\(delivery.states)")
  }

  // MARK: - Null members

  @Test func `null members count as missing in the v0.2 format`() throws {
    var delivery = try Delivery("{ tags @stream(label: \"t\") person { id ... @defer(label: \"n\") { name } } }")
    try delivery.receive(
      #"""
      {"data":{"tags":[],"person":{"id":"1"}},"errors":null,"extensions":null,"hasNext":true,"incremental":null,
      "completed":null,"pending":[{"id":"0","path":["tags"],"label":"t","subPath":null},
      {"id":"1","path":["person"],"label":"n","errors":null}]}
      """#,
      #"""
      {"data":null,"errors":null,"path":null,"label":null,"items":null,"pending":null,"extensions":null,"hasNext":true,
      "completed":null,"incremental":[
      {"id":"0","items":["a"],"data":null,"subPath":null,"path":null,"label":null,"errors":null,"extensions":null},
      {"id":"1","items":null,"data":{"name":"L"},"subPath":null,"errors":null}]}
      """#,
      #"{"data":null,"hasNext":false,"incremental":null,"completed":[{"id":"0","errors":null},{"id":"1","errors":null}]}"#
    )
    #expect(delivery.data == #"{"tags":["a"],"person":{"id":"1","name":"L"}}"#)
    #expect(delivery.states == ["n@person fulfilled"])
    #expect(delivery.last?.streams.map(\.state) == [.fulfilled])
    #expect(delivery.errors.isEmpty)
    #expect(delivery.isComplete)
  }

  @Test func `null members count as missing in the 2022 format`() throws {
    var delivery = try Delivery("{ tags @stream ... @defer(label: \"r\") { person { id } } }")
    try delivery.receive(
      #"{"data":{"tags":[]},"errors":null,"path":null,"label":null,"incremental":null,"hasNext":true}"#,
      #"""
      {"data":null,"path":null,"label":null,"errors":null,"hasNext":true,"incremental":[
      {"data":{"person":{"id":"1"}},"items":null,"path":[],"label":"r","errors":null},
      {"data":null,"items":["a"],"path":["tags",0],"label":null,"errors":null}]}
      """#)
    #expect(delivery.states == ["r@ fulfilled"])
    try delivery.receive(#"{"data":null,"items":null,"path":null,"label":null,"incremental":null,"hasNext":false}"#)
    #expect(delivery.data == #"{"tags":["a"],"person":{"id":"1"}}"#)
    #expect(delivery.states == ["r@ fulfilled"])
    #expect(delivery.errors.isEmpty)
    #expect(delivery.isComplete)
  }

  @Test func `null data and items keep their meaning`() throws {
    var delivery = try Delivery("{ tags @stream person { id ... @defer(label: \"n\") { name } } }")
    try delivery.receive(
      #"{"data":{"tags":[],"person":{"id":"1"}},"hasNext":true}"#,
      #"""
      {"hasNext":true,"incremental":[{"data":null,"items":null,"path":["person"],"label":"n","errors":[{"message":"no"}]},
      {"data":null,"items":null,"path":["tags",0],"label":null,"errors":[{"message":"dry"}]}]}
      """#)
    #expect(delivery.states == ["n@person failed"])
    #expect(delivery.failures == ["no"])
    #expect(delivery.last?.streams.map(\.state.name) == ["failed"])
  }

  @Test func `an empty label counts as missing`() throws {
    var delivery = try Delivery("{ person { id ... @defer { name } } }")
    try delivery.receive(
      #"{"data":{"person":{"id":"1"}},"hasNext":true}"#,
      #"{"incremental":[{"data":{"name":"L"},"path":["person"],"label":""}],"hasNext":true}"#)
    #expect(delivery.states == ["on ?@person fulfilled"])
  }

  // MARK: - The old stream format

  @Test func `an item in the old stream format may be null`() throws {
    var delivery = try Delivery("{ people: search @stream(initialCount: 1) { __typename } }")
    try delivery.receive(
      #"{"data":{"people":[{"__typename":"Film"}]},"hasNext":true}"#,
      #"{"data":null,"path":["people",1],"errors":[{"message":"no","path":["people",1]}],"hasNext":true}"#,
      #"{"incremental":[{"data":{"__typename":"Film"},"path":["people",2]},{"data":null,"path":["people",3]}],"hasNext":true}"#,
      #"{"data":{"__typename":"Person"},"path":["people",4],"hasNext":false}"#)
    #expect(
      delivery.data
        == #"{"people":[{"__typename":"Film"},null,{"__typename":"Film"},null,{"__typename":"Person"}]}"#)
    #expect(delivery.errors == ["no (at people[1])"])
    #expect(delivery.violations.isEmpty)
    #expect(delivery.last?.streams.map(\.state) == [.fulfilled])
    #expect(delivery.last?.streams.map(\.shortfall) == [.errors])
  }

  @Test func `a null item in a non null list fails the stream`() throws {
    var delivery = try Delivery("{ tags @stream }")
    try delivery.receive(
      #"{"data":{"tags":["a"]},"hasNext":true}"#,
      #"{"data":null,"path":["tags",1],"errors":[{"message":"no"}],"hasNext":false}"#)
    #expect(delivery.data == #"{"tags":["a"]}"#)
    #expect(delivery.last?.streams.map(\.state.name) == ["failed"])
  }

  @Test func `an object after the end of an unstreamed list is not an item`() throws {
    var delivery = try Delivery("{ people { id ... @defer(label: \"n\") { name } } }")
    try delivery.receive(
      #"{"data":{"people":[{"id":"1"}]},"hasNext":true}"#,
      #"""
      {"incremental":[{"data":{"name":"B"},"path":["people",1],"label":"n"},
      {"data":{"name":"A"},"path":["people",0],"label":"n"}],"hasNext":false}
      """#)
    #expect(delivery.data == #"{"people":[{"id":"1","name":"A"}]}"#)
    #expect(delivery.violations.first?.hasSuffix("(at people[1])") == true)
    #expect(delivery.states == ["n@people[0] fulfilled"])
  }

  @Test func `without announcements a subPath extends the path`() throws {
    var delivery = try Delivery(
      "{ person { id home { name } ... @defer(label: \"x\") { nickname home { climate } } } tags @stream }")
    try delivery.receive(
      #"{"data":{"person":{"id":"1","home":{"name":"N"}},"tags":[]},"hasNext":true}"#,
      #"{"incremental":[{"path":["person"],"subPath":["home"],"label":"x","data":{"climate":"mild"}}],"hasNext":true}"#)
    #expect(delivery.data == #"{"person":{"id":"1","home":{"name":"N","climate":"mild"}},"tags":[]}"#)
    #expect(delivery.states == ["x@person pending"], "half of it is there")
    try delivery.receive(
      #"""
      {"incremental":[{"path":["person"],"subPath":[],"label":"x","data":{"nickname":"l"}},
      {"path":[],"subPath":["tags",0],"items":["a"]}],"hasNext":false}
      """#)
    #expect(delivery.states == ["x@person fulfilled"])
    #expect(delivery.data == #"{"person":{"id":"1","home":{"name":"N","climate":"mild"},"nickname":"l"},"tags":["a"]}"#)
  }

  // MARK: - Null placeholders for deferred fields

  @Test func `a fragment with null placeholders is pending until its data`() throws {
    var delivery = try Delivery("{ person { id ... @defer(label: \"n\") { name home { name } } } }")
    try delivery.receive(#"{"data":{"person":{"id":"1","name":null,"home":null}},"hasNext":true}"#)
    #expect(delivery.states == ["n@person pending"])
    #expect(delivery.data == #"{"person":{"id":"1"}}"#, "pending fields have no value")
    try delivery.receive(
      #"{"incremental":[{"data":{"name":"L","home":null},"path":["person"],"label":"n"}],"hasNext":false}"#)
    #expect(delivery.states == ["n@person fulfilled"])
    #expect(delivery.data == #"{"person":{"id":"1","name":"L","home":null}}"#)
  }

  @Test func `a fragment with null placeholders may fail`() throws {
    let first = #"{"data":{"person":{"id":"1","name":null}},"hasNext":true}"#
    let query = "{ person { id ... @defer(label: \"n\") { name } } }"
    var failed = try Delivery(query)
    try failed.receive(
      first, #"{"data":null,"path":["person"],"label":"n","errors":[{"message":"no"}],"hasNext":false}"#)
    #expect(failed.states == ["n@person failed"])
    #expect(failed.failures == ["no"])
    var without = try Delivery(query)
    try without.receive(first, #"{"hasNext":false}"#)
    #expect(without.states == ["n@person fulfilled"], "at the end in good order a null is data")
    #expect(without.data == #"{"person":{"id":"1","name":null}}"#)
    var cut = try Delivery(query)
    try cut.receive(first)
    cut.finish(cut: true)
    #expect(cut.states == ["n@person failed"])
    #expect(cut.data == #"{"person":{"id":"1"}}"#)
  }

  @Test func `an announced fragment with null placeholders is pending until its data`() throws {
    let query = "{ person { id home { name } ... @defer(label: \"n\") { nickname home { climate } } } }"
    let first =
      #"{"data":{"person":{"id":"1","nickname":null,"home":{"name":"N","climate":null}}},"pending":[{"id":"0","path":["person"],"label":"n"}],"hasNext":true}"#
    var delivery = try Delivery(query)
    try delivery.receive(first)
    #expect(delivery.data == #"{"person":{"id":"1","home":{"name":"N"}}}"#)
    try delivery.receive(
      #"{"incremental":[{"id":"0","data":{"nickname":null,"home":{"climate":"mild"}}}],"completed":[{"id":"0"}],"hasNext":false}"#
    )
    #expect(delivery.states == ["n@person fulfilled"])
    #expect(delivery.data == #"{"person":{"id":"1","home":{"name":"N","climate":"mild"},"nickname":null}}"#)
    var without = try Delivery(query)
    try without.receive(first, #"{"completed":[{"id":"0"}],"hasNext":false}"#)
    #expect(without.states == ["n@person fulfilled"], "the server completed it without other values")
    #expect(without.data == #"{"person":{"id":"1","nickname":null,"home":{"name":"N","climate":null}}}"#)
  }

  @Test func `null placeholders in lists and nested fragments stay pending`() throws {
    var delivery = try Delivery(
      "{ people { id ... @defer(label: \"o\") { name home { name ... @defer(label: \"i\") { climate } } } } }")
    try delivery.receive(
      #"{"data":{"people":[{"id":"1","name":null,"home":null},{"id":"2","name":null,"home":null}]},"hasNext":true}"#,
      #"""
      {"incremental":[
      {"data":{"name":"A","home":{"name":"N","climate":null}},"path":["people",0],"label":"o"}],"hasNext":true}
      """#)
    #expect(delivery.states == ["o@people[0] fulfilled", "o@people[1] pending", "i@people[0].home pending"])
    #expect(delivery.data == #"{"people":[{"id":"1","name":"A","home":{"name":"N"}},{"id":"2"}]}"#)
    try delivery.receive(
      #"{"incremental":[{"data":{"climate":"mild"},"path":["people",0,"home"],"label":"i"}],"hasNext":false}"#)
    #expect(
      delivery.states == [
        "o@people[0] fulfilled", "o@people[1] fulfilled", "i@people[0].home fulfilled", "i@people[1].home notExecuted",
      ])
    #expect(
      delivery.data
        == #"{"people":[{"id":"1","name":"A","home":{"name":"N","climate":"mild"}},{"id":"2","name":null,"home":null}]}"#
    )
  }

  @Test func `nulls that are not placeholders are kept`() throws {
    // No payload follows.
    var complete = try Delivery("{ person { id ... @defer(label: \"n\") { nickname } } }")
    try complete.receive(#"{"data":{"person":{"id":"1","nickname":null}},"hasNext":false}"#)
    #expect(complete.states == ["n@person fulfilled"])
    #expect(complete.data == #"{"person":{"id":"1","nickname":null}}"#)
    // The initial result contains the field too.
    var base = try Delivery("{ person { id nickname ... @defer(label: \"n\") { nickname height } } }")
    try base.receive(#"{"data":{"person":{"id":"1","nickname":null}},"hasNext":true}"#)
    #expect(base.data == #"{"person":{"id":"1","nickname":null}}"#)
    // The fragment is in the initial result, because one of its fields has a value.
    var inlined = try Delivery(
      "{ person { id ... @defer(label: \"n\") { name nickname } ... @defer(label: \"h\") { height } } }")
    try inlined.receive(#"{"data":{"person":{"id":"1","name":"L","nickname":null}},"hasNext":true}"#)
    #expect(inlined.states == ["n@person fulfilled", "h@person pending"])
    #expect(inlined.data == #"{"person":{"id":"1","name":"L","nickname":null}}"#)
    // The field with a value is in a nested object, or in the elements of a list.
    for (field, own, value) in [
      ("home", "climate", #"{"climate":null,"name":"N"}"#),
      ("friends", "id", #"[{"id":"2","name":"M"},{"id":"3","name":"N"}]"#),
    ] {
      var nested = try Delivery(
        """
        { person { id \(field) { \(own) } ... @defer(label: "n") { \(field) { name } nickname }
        ... @defer(label: "h") { height } } }
        """)
      try nested.receive(#"{"data":{"person":{"id":"1","\#(field)":\#(value),"nickname":null}},"hasNext":true}"#)
      #expect(nested.states == ["n@person fulfilled", "h@person pending"])
    }
    // Another fragment is announced but not this one, so it is in the initial result.
    var other = try Delivery(
      "{ person { id ... @defer(label: \"n\") { nickname } ... @defer(label: \"h\") { height } } }")
    try other.receive(
      #"{"data":{"person":{"id":"1","nickname":null}},"pending":[{"id":"0","path":["person"],"label":"h"}],"hasNext":true}"#
    )
    #expect(other.states == ["n@person fulfilled", "h@person pending"])
    // Without hasNext, a null is a value if no data follows.
    var silent = try Delivery("{ person { id ... @defer(label: \"n\") { nickname } } }", as: .parts)
    try silent.receive(#"{"data":{"person":{"id":"1","nickname":null}}}"#)
    #expect(silent.states == ["n@person pending"])
    silent.finish(cut: false)
    #expect(silent.states == ["n@person fulfilled"])
  }

  @Test func `a payload with an invalid path does not affect others`() throws {
    var delivery = try Delivery("{ people { id ... @defer(label: \"n\") { name } } }")
    let people = (0..<20).map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
    let patches = (0..<20).map { #"{"data":{"name":"\#($0)"},"path":["people",\#($0 == 7 ? 99 : $0)],"label":"n"}"# }
    try delivery.receive(
      #"{"data":{"people":[\#(people)]},"hasNext":true}"#,
      #"{"incremental":[\#(patches.prefix(10).joined(separator: ","))],"hasNext":true}"#,
      #"{"incremental":[\#(patches.suffix(10).joined(separator: ","))],"hasNext":false}"#)
    #expect(delivery.states.filter { $0.hasSuffix("fulfilled") }.count == 19)
    #expect(delivery.states[7] == "n@people[7] failed")
    #expect(delivery.last?.violations == [.noPlace([.key("people"), .index(99)])])
    #expect(delivery.isComplete)
  }

  @Test func `stream items may have null placeholders`() throws {
    let text = "{ people @stream { id ... @defer(label: \"n\") { name } } }"
    let item = #"{"id":"1","name":null}"#
    let patch = #"{"incremental":[{"data":{"name":"A"},"path":["people",0],"label":"n"}],"hasNext":false}"#
    for items in [
      #"{"incremental":[{"items":[\#(item)],"path":["people",0]}],"hasNext":true}"#,
      #"{"incremental":[{"data":\#(item),"path":["people",0]}],"hasNext":true}"#,
    ] {
      var delivery = try Delivery(text)
      try delivery.receive(#"{"data":{"people":[]},"hasNext":true}"#, items)
      #expect(delivery.states == ["n@people[0] pending"])
      #expect(delivery.data == #"{"people":[{"id":"1"}]}"#)
      try delivery.receive(patch)
      #expect(delivery.states == ["n@people[0] fulfilled"])
      #expect(delivery.data == #"{"people":[{"id":"1","name":"A"}]}"#)
    }
    var delivery = try Delivery(text)
    try delivery.receive(
      #"{"data":{"people":[]},"pending":[{"id":"0","path":["people"]}],"hasNext":true}"#,
      #"""
      {"pending":[{"id":"1","path":["people",0],"label":"n"}],"incremental":[{"id":"0","items":[\#(item)]}],"hasNext":true}
      """#)
    #expect(delivery.states == ["n@people[0] pending"])
    #expect(delivery.data == #"{"people":[{"id":"1"}]}"#)
    try delivery.receive(#"{"completed":[{"id":"1","errors":[{"message":"no"}]},{"id":"0"}],"hasNext":false}"#)
    #expect(delivery.states == ["n@people[0] failed"])
    #expect(delivery.data == #"{"people":[{"id":"1"}]}"#)
  }
}
