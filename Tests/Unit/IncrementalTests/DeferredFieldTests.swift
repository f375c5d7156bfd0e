import ApusClientAPI
import ApusClientIncremental
import ApusJSON
import Testing

/// `@defer` on a field, as graphql-ruby accepts it, and errors beside data of the wrong kind.
@Suite struct DeferredFieldTests {
  @Test(arguments: ["5", "false", "0", "\"\"", "[]", "[1,{}]", "{\"a\":1}", "null"], [true, false])
  func `the value of a deferred leaf is set`(value: String, isInList: Bool) throws {
    var delivery = try Delivery("{ me { id s: slow @defer } }", schema: nil)
    try delivery.receive(#"{"data":{"me":{"id":1}},"hasNext":true}"#)
    #expect(delivery.last?.fragments.map { "\($0.path) \($0.state.name)" } == ["me.s pending"])
    let entry = #"{"path":["me","s"],"data":\#(value)"#
    try delivery.receive(isInList ? #"{"incremental":[\#(entry)}],"hasNext":false}"# : #"\#(entry),"hasNext":false}"#)
    #expect(delivery.data == #"{"me":{"id":1,"s":\#(value)}}"#)
    #expect(delivery.last?.fragments.map { "\($0.path) \($0.state.name)" } == ["me.s fulfilled"])
    #expect(delivery.errors.isEmpty)
    #expect(delivery.changes == ["me.s"])
  }

  @Test(arguments: [#"{"x":1}"#, #"[{"x":1},{"x":2}]"#])
  func `the value of a deferred object or list is set`(value: String) throws {
    for hasNull in [true, false] {
      var delivery = try Delivery("{ me { id slow @defer { x } } }", schema: nil)
      try delivery.receive(
        #"{"data":{"me":{"id":1\#(hasNull ? #","slow":null"# : "")}},"hasNext":true}"#,
        #"{"incremental":[{"path":["me","slow"],"data":\#(value)}],"hasNext":false}"#)
      #expect(delivery.data == #"{"me":{"id":1,"slow":\#(value)}}"#)
      #expect(delivery.last?.fragments.map { "\($0.path) \($0.state.name)" } == ["me.slow fulfilled"])
      #expect(delivery.errors.isEmpty)
    }
  }

  @Test func `a deferred field in a list has a state for each element`() throws {
    var delivery = try Delivery("{ people { id name @defer(label: \"n\") } }")
    try delivery.receive(
      #"{"data":{"people":[{"id":"1"},{"id":"2"}]},"hasNext":true}"#,
      #"{"incremental":[{"path":["people",1,"name"],"data":"B"}],"hasNext":true}"#)
    #expect(delivery.states == ["n@people[0].name pending", "n@people[1].name fulfilled"])
    try delivery.receive(
      #"{"path":["people",0,"name"],"data":null,"errors":[{"message":"no","path":["people",0,"name"]}],"hasNext":false}"#
    )
    #expect(delivery.states == ["n@people[0].name failed", "n@people[1].name fulfilled"])
    #expect(delivery.errors == ["no (at people[0].name)"])
  }

  @Test func `a field that the server deferred by itself is listed`() throws {
    var delivery = try Delivery("{ me { id slow } }", schema: nil)
    try delivery.receive(
      #"{"data":{"me":{"id":1}},"hasNext":true}"#, #"{"path":["me","slow"],"data":5,"hasNext":false}"#)
    #expect(delivery.data == #"{"me":{"id":1,"slow":5}}"#)
    #expect(delivery.last?.fragments.map { "\($0.path) \($0.state.name)" } == ["me.slow fulfilled"])
  }

  @Test func `a field that never came has failed`() throws {
    var delivery = try Delivery("{ me { id slow @defer } }", schema: nil)
    try delivery.receive(#"{"data":{"me":{"id":1}},"hasNext":true}"#, #"{"hasNext":false}"#)
    #expect(delivery.last?.fragments.map { "\($0.path) \($0.state.name)" } == ["me.slow failed"])
  }

  @Test(arguments: ["@defer(if: false)", "@defer(if: $no)"])
  func `a field whose condition is false is not deferred`(directive: String) throws {
    var delivery = try Delivery(
      "query ($no: Boolean = false) { me { id slow \(directive) skipped @skip(if: true) @defer } }", schema: nil)
    try delivery.receive(#"{"data":{"me":{"id":1,"slow":5}}}"#)
    #expect(delivery.last?.fragments.map { "\($0.path) \($0.state.name)" } == ["me.slow fulfilled"])
  }

  @Test(arguments: [
    #"{"path":["me","other"],"data":5}"#, #"{"path":["you","slow"],"data":5}"#, #"{"path":["me","friend"],"data":5}"#,
    #"{"path":["gone","slow"],"data":5}"#,
  ])
  func `a field without a place is an error of the item`(item: String) throws {
    var delivery = try Delivery("{ me { id slow @defer friend { id } } gone { slow @defer } }", schema: nil)
    try delivery.receive(
      #"{"data":{"me":{"id":1,"friend":{"id":2}},"gone":null},"hasNext":true}"#,
      #"{"incremental":[\#(item),{"path":["me","slow"],"data":5}],"hasNext":false}"#)
    #expect(delivery.violations.count == 1)
    #expect(delivery.data == #"{"me":{"id":1,"friend":{"id":2},"slow":5},"gone":null}"#)
  }

  // MARK: - Errors instead of data

  @Test(arguments: ["[]", "5", "\"\"", "false", "[1]"])
  func `errors beside data of the wrong kind are the result`(data: String) throws {
    var delivery = try Delivery("{ person { id } }")
    try delivery.receive(#"{"data":\#(data),"errors":[{"message":"no"}]}"#)
    #expect(delivery.last?.data == nil)
    #expect(delivery.errors == ["no"])
    #expect(delivery.violations.isEmpty)
    #expect(delivery.isComplete)
    for errors in ["", #","errors":[]"#, #","errors":null"#] {
      var broken = try Delivery("{ person { id } }")
      #expect(throws: IncrementalError.malformed("data", "an object or null")) {
        try broken.receive(#"{"data":\#(data)\#(errors)}"#)
      }
    }
  }

  @Test func `errors beside an empty list fail the fragment`() throws {
    var delivery = try Delivery("{ person { id ... @defer(label: \"n\") { name } } }")
    try delivery.receive(
      #"{"data":{"person":{"id":"1"}},"hasNext":true}"#,
      #"{"path":["person"],"label":"n","data":[],"errors":[{"message":"no"}],"hasNext":false}"#)
    #expect(delivery.states == ["n@person failed"])
    #expect(delivery.failures == ["no"])
    #expect(delivery.violations.isEmpty)
    var announced = try Delivery("{ person { id ... @defer(label: \"n\") { name } } }")
    try announced.receive(
      #"{"data":{"person":{"id":"1"}},"pending":[{"id":"0","path":["person"],"label":"n"}],"hasNext":true}"#,
      #"""
      {"incremental":[{"id":"0","data":[],"errors":[{"message":"no"}]}],"completed":[{"id":"0"}],"hasNext":false}
      """#)
    #expect(announced.states == ["n@person failed"])
    #expect(announced.violations.isEmpty)
  }

  @Test func `errors beside an empty list in a later payload are errors of the result`() throws {
    var delivery = try Delivery("{ person { id ... @defer(label: \"n\") { name } } }")
    try delivery.receive(
      #"{"data":{"person":{"id":"1"}},"hasNext":true}"#,
      #"{"data":[],"errors":[{"message":"no"}],"hasNext":false}"#)
    #expect(delivery.errors == ["no"])
    #expect(delivery.violations.isEmpty)
    #expect(delivery.isComplete)
  }
}
