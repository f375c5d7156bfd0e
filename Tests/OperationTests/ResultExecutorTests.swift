import ClientOperation
import ClientResultExecution
import JSON
import Testing

/// Data checked against its operation.
@Suite struct ResultExecutorTests {
  /// The errors that checking finds, and the data after they have bubbled.
  private func execute(_ text: String, _ data: String, schema: Bool = true) throws -> (errors: [String], data: String) {
    let result = ResultExecutor.execute(try json(data), plan: try plan(text, schema: schema ? birds : nil))
    return (result.errors.map(\.description), result.data.description)
  }

  @Test func dataThatIsRightIsLeftAsItIs() throws {
    let data =
      #"{"bird":{"id":7,"name":"A","age":null,"weight":1,"ringed":true,"seen":{"any":1},"sort":"NAME","flights":[[1],null]}}"#
    let result = try execute("{ bird(id: 1) { id name age weight ringed seen sort flights } }", data)
    #expect(result.errors.isEmpty)
    #expect(result.data == data)
  }

  @Test func nullForANonNullFieldMakesItsParentNull() throws {
    let result = try execute("{ bird(id: 1) { name mate { name } } }", #"{"bird":{"name":"A","mate":{"name":null}}}"#)
    #expect(result.errors == [#""bird.mate.name" is null, although its type String! has no null"#])
    #expect(result.data == #"{"bird":{"name":"A","mate":null}}"#)
  }

  @Test func nullBubblesThroughListsToTheNearestNullablePlace() throws {
    let list = try execute(
      "{ bird(id: 1) { friends { name } } }", #"{"bird":{"friends":[{"name":"A"},{"name":null}]}}"#)
    #expect(list.errors == [#""bird.friends[1].name" is null, although its type String! has no null"#])
    #expect(list.data == #"{"bird":null}"#)
    let root = try execute("{ birds { name } }", #"{"birds":[{"name":null}]}"#)
    #expect(root.data == "null")
    let element = try execute("{ station { birds { name } } }", #"{"station":{"birds":[{"name":null},{"name":"B"}]}}"#)
    #expect(element.data == #"{"station":{"birds":[null,{"name":"B"}]}}"#)
    let nested = try execute("{ bird(id: 1) { flights } }", #"{"bird":{"flights":[[1,null],[2]]}}"#)
    #expect(nested.data == #"{"bird":{"flights":[null,[2]]}}"#)
    #expect(nested.errors == [#""bird.flights[0][1]" is null, although its type Int! has no null"#])
  }

  @Test(arguments: [
    ("age", #""x""#, "a string", "Int"), ("age", "1.5", "a number", "Int"), ("weight", "true", "a boolean", "Float"),
    ("ringed", "1", "a number", "Boolean!"), ("name", "[]", "a list", "String!"), ("sort", "1", "a number", "Sort"),
    ("flights", "{}", "an object", "[[Int!]]"), ("flights", "[1]", "a number", "[Int!]"),
    ("mate{name}", "3", "a number", "Bird"), ("mate{name}", "[]", "a list", "Bird"),
  ])
  func aValueOfAnotherTypeIsAnError(field: String, value: String, found: String, expected: String) throws {
    let key = field.prefix { $0 != "{" }
    let result = try execute("{ bird(id: 1) { \(field) } }", #"{"bird":{"\#(key)":\#(value)}}"#)
    #expect(result.errors.count == 1)
    #expect(result.errors.first?.hasSuffix("is \(found), although its type is \(expected)") == true)
  }

  @Test func aMissingFieldIsAnErrorUnlessItIsDeferredOrOfAnotherType() throws {
    let text = "{ bird(id: 1) { name age ... @defer { weight } } search { __typename ... on Station { name } } }"
    let result = try execute(text, #"{"bird":{"name":"A"},"search":[{"__typename":"Bird"}]}"#)
    #expect(result.errors == [#""bird.age" is missing in the response, although it was asked for"#])
  }

  @Test func anUnknownTypenameIsAnError() throws {
    let result = try execute(
      "{ search { __typename } bird(id: 1) { __typename } }",
      #"{"search":[{"__typename":"Fish"},{"__typename":"Bird"}],"bird":{"__typename":"Station"}}"#)
    #expect(
      result.errors == [
        #""search[0]" is of type Fish, which is no Bird, Station"#, #""bird" is of type Station, which is no Bird"#,
      ])
  }

  @Test func withoutASchemaOnlyMissingFieldsAreSeen() throws {
    let result = try execute("{ a { b c } d }", #"{"a":[{"b":1,"c":[]},{"b":null}],"d":{}}"#, schema: false)
    #expect(result.errors == [#""a[1].c" is missing in the response, although it was asked for"#])
  }

  @Test func whatWasAddedNeverShowsInTheOutput() throws {
    let plan = try plan("{ bird(id: 1) { name mate { id } } search { ... on Bird { age } } }", added: true)
    let data = try json(
      #"{"bird":{"__typename":"Bird","id":"1","name":"A","mate":{"__typename":"Bird","id":"2"}},"search":[{"__typename":"Bird","id":"3","age":4}]}"#
    )
    #expect(ResultExecutor.check(data, plan: plan).isEmpty)
    #expect(
      OutputData.strip(data, plan: plan).description == #"{"bird":{"name":"A","mate":{"id":"2"}},"search":[{"age":4}]}"#
    )
  }
}
