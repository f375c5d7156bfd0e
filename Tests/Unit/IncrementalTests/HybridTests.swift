import ApusClientAPI
import ApusClientIncremental
import ApusJSON
import Testing

/// Servers that mix the 2022 and the v0.2 format.
@Suite struct HybridTests {
  @Test func `entries with an ID and a path use the ID`() throws {
    var delivery = try Delivery("{ ... @defer(label: \"x\") { person { name } } person { id } }")
    try delivery.receive(
      #"{"data":{"person":{"id":"1"}},"hasNext":true,"pending":[{"id":"0","path":[],"label":"x"}],"extensions":null}"#,
      #"""
      {"hasNext":false,"extensions":null,"completed":[{"id":"0"}],
      "incremental":[{"id":"0","data":{"name":"L"},"subPath":["person"],"path":[],"label":"x"}]}
      """#)
    #expect(delivery.data == #"{"person":{"id":"1","name":"L"}}"#)
    #expect(delivery.states == ["x@ fulfilled"])
  }

  @Test func `stream paths without an index append`() throws {
    var delivery = try Delivery("{ tags @stream(initialCount: 1) }")
    try delivery.receive(
      #"{"data":{"tags":["a"]},"hasNext":true,"pending":[{"id":"0","path":["tags"]}]}"#,
      #"{"hasNext":true,"incremental":[{"id":"0","items":["b"],"path":["tags"],"label":null}]}"#,
      #"{"hasNext":false,"completed":[{"id":"0"}]}"#)
    #expect(delivery.data == #"{"tags":["a","b"]}"#)

    var unannounced = try Delivery("{ tags @stream(initialCount: 1) }")
    try unannounced.receive(
      #"{"data":{"tags":["a"]},"hasNext":true}"#,
      #"{"hasNext":false,"incremental":[{"items":["b"],"path":["tags"]}]}"#)
    #expect(unannounced.data == #"{"tags":["a","b"]}"#)
  }

  @Test func `unannounced IDs are ignored if there is a path`() throws {
    var delivery = try Delivery("{ person { id ... @defer(label: \"n\") { name } } }")
    try delivery.receive(
      #"{"data":{"person":{"id":"1"}},"hasNext":true}"#,
      #"{"hasNext":false,"incremental":[{"id":"0","data":{"name":"L"},"path":["person"],"label":"n"}]}"#)
    #expect(delivery.states == ["n@person fulfilled"])
    #expect(delivery.last?.format == .defer20220824)
  }

  @Test func `an announced ID takes precedence over the path`() throws {
    var delivery = try Delivery("{ person { id ... @defer(label: \"n\") { name } } }")
    try delivery.receive(
      #"{"data":{"person":{"id":"1"}},"hasNext":true,"pending":[{"id":"0","path":["person"],"label":"n"}]}"#,
      #"{"hasNext":true,"incremental":[{"id":"0","data":{"name":"L"},"path":["person"],"label":"n"}]}"#)
    #expect(delivery.states == ["n@person pending"], "it is ready at its completed")
  }

  @Test func `lists in a repeated object are merged by index`() throws {
    var delivery = try Delivery("{ person { id films { id } ... @defer(label: \"f\") { films { id title } } } }")
    try delivery.receive(
      #"{"data":{"person":{"id":"1","films":[{"id":"a"},{"id":"b"}]}},"hasNext":true}"#,
      #"""
      {"incremental":[{"data":{"films":[{"id":"a","title":"A"},{"id":"b","title":"B"}]},"path":["person"],"label":"f"}],
      "hasNext":false}
      """#)
    #expect(delivery.data == #"{"person":{"id":"1","films":[{"id":"a","title":"A"},{"id":"b","title":"B"}]}}"#)
    #expect(delivery.changes == ["person.films[0].title", "person.films[1].title"])
  }

  @Test func `null errors and extensions are ignored`() throws {
    var delivery = try Delivery("{ person { id } }")
    try delivery.receive(#"{"data":{"person":null},"errors":null,"extensions":null,"hasNext":false,"pending":[]}"#)
    #expect(delivery.errors.isEmpty)
    #expect(delivery.last?.extensions == nil)
    #expect(delivery.isComplete)
  }
}
