import ApusClientOperation
import ApusClientResultExecution
import ApusGraphQLSchema
import ApusJSON
import ApusTestSupport
import Testing

/// Checks of response data against its operation.
@Suite struct ResultExecutorTests {
  /// Returns the errors found, and the data after null propagation.
  private func execute(_ text: String, _ data: String, schema: Bool = true) throws -> (errors: [String], data: String) {
    let result = ResultExecutor.execute(try json(data), plan: try plan(text, schema: schema ? birds : nil))
    return (result.errors.map(\.description), result.data.description)
  }

  @Test func `valid data is unchanged`() throws {
    let data =
      #"{"bird":{"id":7,"name":"A","age":null,"weight":1,"ringed":true,"seen":{"any":1},"sort":"NAME","flights":[[1],null]}}"#
    let result = try execute("{ bird(id: 1) { id name age weight ringed seen sort flights } }", data)
    #expect(result.errors.isEmpty)
    #expect(result.data == data)
  }

  @Test func `null in a non null field makes its parent null`() throws {
    let result = try execute("{ bird(id: 1) { name mate { name } } }", #"{"bird":{"name":"A","mate":{"name":null}}}"#)
    #expect(result.errors == [#""bird.mate.name" is null, although its type String! has no null"#])
    #expect(result.data == #"{"bird":{"name":"A","mate":null}}"#)
  }

  @Test(.timeLimit(.minutes(1))) func `many invalid items are checked in linear time`() throws {
    let data = #"{"station":{"birds":[\#(Array(repeating: #"{"name":null}"#, count: 40_000).joined(separator: ","))]}}"#
    let result = try execute("{ station { birds { name } } }", data)
    #expect(result.errors.count == 40_000)
    #expect(result.data.hasSuffix("null,null]}}"))
  }

  @Test func `invalid fields stay null when more payloads arrive`() throws {
    let plan = try plan("{ station { birds { name mate { name } } } }", schema: birds)
    var growing = IncrementalResultExecutor(plan: plan)
    func receive(_ birds: String, _ changed: ResponsePath...) throws -> String {
      let data = try json(#"{"station":{"birds":[\#(birds)]}}"#)
      return growing.receive(data, changedPaths: changed).data.description
    }
    let (a, b) = (#"{"name":"A","mate":{"name":"M"}}"#, #"{"name":null,"mate":null}"#)
    #expect(try receive("\(a),\(b)", .root) == #"{"station":{"birds":[\#(a),null]}}"#)
    #expect(try receive("\(a),\(b),\(a)", ["station", "birds", 2]) == #"{"station":{"birds":[\#(a),null,\#(a)]}}"#)
    #expect(
      try receive("\(a),\(b),\(a),\(b)", ["station", "birds", 3])
        == #"{"station":{"birds":[\#(a),null,\#(a),null]}}"#)
    // A change in an object that is already null, and one in a valid item.
    let (c, d) = (a.replacing(#"{"name":"M"}"#, with: #"{"name":null}"#), b.replacing("null}", with: #"{"name":"N"}}"#))
    #expect(
      try receive("\(c),\(d),\(a),\(b)", ["station", "birds", 0, "mate"], ["station", "birds", 1, "mate"])
        == #"{"station":{"birds":[{"name":"A","mate":null},null,\#(a),null]}}"#)
    #expect(
      try receive("\(c),\(d),\(a),\(b),\(a)", ["station", "birds"])
        == #"{"station":{"birds":[{"name":"A","mate":null},null,\#(a),null,\#(a)]}}"#, "all of the list came anew")
  }

  @Test func `null propagates through lists to the nearest nullable field`() throws {
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
  func `a value of the wrong type is an error`(field: String, value: String, found: String, expected: String) throws {
    let key = field.prefix { $0 != "{" }
    let result = try execute("{ bird(id: 1) { \(field) } }", #"{"bird":{"\#(key)":\#(value)}}"#)
    #expect(result.errors.count == 1)
    #expect(result.errors.first?.hasSuffix("is \(found), although its type is \(expected)") == true)
  }

  @Test func `a missing field is an error unless deferred or of another type`() throws {
    let text = "{ bird(id: 1) { name age ... @defer { weight } } search { __typename ... on Station { name } } }"
    let result = try execute(text, #"{"bird":{"name":"A"},"search":[{"__typename":"Bird"}]}"#)
    #expect(result.errors == [#""bird.age" is missing in the response, although it was requested"#])
  }

  @Test func `an unknown typename is an error`() throws {
    let result = try execute(
      "{ search { __typename } bird(id: 1) { __typename } }",
      #"{"search":[{"__typename":"Fish"},{"__typename":"Bird"}],"bird":{"__typename":"Station"}}"#)
    #expect(
      result.errors == [
        #""search[0]" is of type Fish, which is not Bird, Station"#, #""bird" is of type Station, which is not Bird"#,
      ])
  }

  @Test func `without a schema only missing fields are detected`() throws {
    let result = try execute("{ a { b c } d }", #"{"a":[{"b":1,"c":[]},{"b":null}],"d":{}}"#, schema: false)
    #expect(result.errors == [#""a[1].c" is missing in the response, although it was requested"#])
  }

  @Test func `added fields are removed from the output`() throws {
    let plan = try plan("{ bird(id: 1) { name mate { id } } search { ... on Bird { age } } }", added: true)
    let data = try json(
      #"{"bird":{"__typename":"Bird","id":"1","name":"A","mate":{"__typename":"Bird","id":"2"}},"search":[{"__typename":"Bird","id":"3","age":4}]}"#
    )
    #expect(ResultExecutor.check(data, plan: plan).isEmpty)
    #expect(
      RequestedData.strip(data, plan: plan).description
        == #"{"bird":{"name":"A","mate":{"id":"2"}},"search":[{"age":4}]}"#
    )
  }

  @Test(arguments: ["[[[]]]", "[]", "[1,2,3]", "\"text\"", "1", "true"])
  func `a scalar instead of an object is an error`(_ text: String) throws {
    let plan = try plan("{ search { __typename } }")
    for data in [try json(text), inMemory(try json(text))] {
      let result = ResultExecutor.execute(data, plan: plan)
      #expect(result.data.isNull)
      #expect(result.errors.count == 1)
      #expect(result.errors.first?.description.hasPrefix("the response is ") == true)
      #expect(result.errors.first?.description.hasSuffix("although its type is Query") == true)
    }
  }

  @Test func `a duplicate member does not hide a missing one`() throws {
    let plan = try plan("{ bird(id: 1) { __typename id name } }")
    let data = try json(#"{"bird":{"__typename":"Bird","id":"1","id":"1"}}"#)
    #expect(
      ResultExecutor.check(data, plan: plan).map(\.description)
        == [#""bird.name" is missing in the response, although it was requested"#])
  }

  private static let numbered = Schema.load(
    sdl:
      "type Query { id: ID! grid: [[ID]!] text: String any: JSON items: [Item!]! } scalar JSON type Item { id: ID n: Int }"
  )

  @Test func `an integer ID is converted to a string`() throws {
    let plan = try plan("{ id grid text any items { id n } }", schema: Self.numbered)
    let sent =
      #"{"id":-7,"grid":[[1,"b",null],[]],"text":"1","any":1,"items":[{"id":12345678901234567890123,"n":1},{"id":"2","n":2}]}"#
    for data in [try json(sent), inMemory(try json(sent))] {
      let result = ResultExecutor.execute(data, plan: plan)
      #expect(result.errors.isEmpty)
      #expect(result.data.description == sent)
      #expect(
        result.coerced.description
          == #"{"id":"-7","grid":[["1","b",null],[]],"text":"1","any":1,"items":[{"id":"12345678901234567890123","n":1},{"id":"2","n":2}]}"#
      )
    }
    for wrong in ["1.0", "1e2", "true", "{}", "[1]"] {
      let result = ResultExecutor.execute(
        try json(#"{"id":"1","grid":[[\#(wrong)]],"text":null,"any":null,"items":[]}"#), plan: plan)
      #expect(result.errors.map(\.path) == [["grid", 0, 0]], "\(wrong)")
      #expect(result.coerced["grid"]?.description == "[[null]]")
    }
  }

  @Test func `later payloads are coerced`() throws {
    let plan = try plan("{ id items { id n } }", schema: Self.numbered)
    var result = IncrementalResultExecutor(plan: plan)
    var data = try json(#"{"id":"a","items":[{"id":"b","n":1}]}"#)
    #expect(result.receive(data, changedPaths: [ResponsePath.root]).coerced == data)
    // An appended item, a changed one, and one with an error.
    for (path, item) in [
      (["items", 1], #"{"id":1,"n":2}"#), (["items", 2], #"{"id":2,"n":3}"#), (["items", 1], #"{"id":3,"n":4}"#),
      (["items", 0], #"{"id":4,"n":"x"}"#), (["items"], #"[{"id":5,"n":"y"}]"#),
    ] as [(ResponsePath, String)] {
      data = try data.replacing(at: path, with: try json(item))
      let complete = ResultExecutor.execute(data, plan: plan)
      let grown = result.receive(data, changedPaths: [path])
      #expect(grown.coerced["items"]?[0]?["id"] == complete.coerced["items"]?[0]?["id"])
      #expect(grown.coerced["items"]?.count == data["items"]?.count)
      let ids = try #require(grown.coerced["items"]).elements.map { $0["id"]?.kind }
      #expect(ids.allSatisfy { $0 == JSONValue.Kind.string })
    }
  }

  /// Parsed responses and responses built in memory are checked by different code.
  @Test func `parsed and built responses are checked alike`() throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("tape and memory: seed \(seed)")
    var random = SplitMix(seed: seed)
    let plan = try plan(
      """
      { bird(id: 1) { __typename id name age weight ringed seen sort flights mate { id name friends { id name age } }
          ... @defer { years: age mate { weight } } }
        search { __typename ... on Bird { name age } ... on Station { name birds { name ringed } } } }
      """)
    let right = try json(
      #"""
      {"bird":{"__typename":"Bird","id":1,"name":"A","age":3,"weight":1.5,"ringed":true,"seen":{"any":[1]},
        "sort":"NAME","flights":[[1,2],null],"mate":{"id":"2","name":"B","friends":[{"id":-3,"name":"C","age":1},{"id":"4","name":"D","age":null}]}},
        "search":[{"__typename":"Bird","name":"E","age":1},
          {"__typename":"Station","name":"F","birds":[{"name":"G","ringed":false}]}]}
      """#)
    #expect(ResultExecutor.check(right, plan: plan).isEmpty)
    var wrongCount = 0
    for _ in 0..<2000 {
      var data = right
      for _ in 0...Int.random(in: 0..<2, using: &random) { data = try damaged(data, &random) }
      let tape = ResultExecutor.execute(try json(data.description), plan: plan)
      let memory = ResultExecutor.execute(inMemory(data), plan: plan)
      #expect(tape.errors == memory.errors, "\(data), seed \(seed)")
      #expect(tape.data == memory.data, "\(data), seed \(seed)")
      #expect(tape.coerced == memory.coerced, "\(data), seed \(seed)")
      if !tape.errors.isEmpty { wrongCount += 1 }
    }
    #expect(wrongCount > 500 && wrongCount < 2000)
  }

  /// Replaces a random value, or removes a member.
  private func damaged(_ value: JSONValue, _ random: inout SplitMix) throws -> JSONValue {
    let goesDeeper = value.count > 0 && Int.random(in: 0..<6, using: &random) > 0
    switch value.kind {
    case .object where goesDeeper:
      var members = Array(value.members).map { ($0.key, $0.value) }
      let index = Int.random(in: members.indices, using: &random)
      if Int.random(in: 0..<8, using: &random) == 0 {
        members.remove(at: index)
      } else {
        members[index].1 = try damaged(members[index].1, &random)
      }
      return .object(members)
    case .array where goesDeeper:
      var elements = Array(value.elements)
      let index = Int.random(in: elements.indices, using: &random)
      elements[index] = try damaged(elements[index], &random)
      return .array(elements)
    default:
      let others = [
        "null", "1", "-7", "1e3", "2.5", "99999999999999999999", #""Bird""#, #""Fish""#, #""\u0042ird""#, "true", "[]",
        "[null]", "[[1]]", "{}", #"{"name":"Z"}"#,
      ]
      return try json(others[Int.random(in: others.indices, using: &random)])
    }
  }

  /// Returns the value with only scalars on a tape.
  private func inMemory(_ value: JSONValue) -> JSONValue {
    switch value.kind {
    case .object: .object(value.members.map { ($0.key, inMemory($0.value)) })
    case .array: .array(value.elements.map(inMemory))
    default: value
    }
  }
}
