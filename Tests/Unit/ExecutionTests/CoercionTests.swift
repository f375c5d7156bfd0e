import ApusGraphQLExecution
import ApusJSON
import Testing

/// Sections 3.5 to 3.12, 6.1.2 and 6.4.1 of the specification: coercion of arguments, variables and leaf values.
@Suite(.timeLimit(.minutes(1))) struct CoercionTests {
  let sdl = """
    type Query {
      echo(
        int: Int, float: Float, text: String, flag: Boolean, id: ID, list: [Int], nested: [[Int!]!], color: Color,
        point: Point, required: Int! = 7, even: Even, pick: Pick
      ): Any
      must(value: Int!): Any
      wrong: Int big: Int color: Color text: String id: ID float: Float
    }
    scalar Any scalar Even
    enum Color { RED GREEN }
    input Point { x: Int! y: Int = 2 label: String }
    input Pick @oneOf { a: Int b: String }
    """

  func bench() throws -> Bench {
    try Bench(
      sdl, data: #"{"wrong": "five", "big": 4294967296, "color": "BLUE", "text": 5, "id": 17, "float": 1}"#
    ) { resolvers in
      resolvers.field("Query", "echo") { .leaf($0.arguments) }
      resolvers.field("Query", "must") { .leaf($0.arguments) }
      resolvers.scalar(
        "Even",
        ScalarCoding { value throws(ExecutionError) in
          guard let number = value.int, number.isMultiple(of: 2) else { throw ExecutionError("\(value) is not even.") }
          return value
        } serialize: { value throws(ExecutionError) in
          value
        })
    }
  }

  /// Returns the arguments that the resolver receives.
  func arguments(_ text: String, variables: String? = nil, declaring: String = "") async throws -> String {
    let response = try await bench().run("query\(declaring) { echo\(text) }", variables: variables)
    let json = try JSONDocument(parsing: response).root
    return json["data"]?["echo"]?.description ?? response
  }

  /// Returns the message of the only error.
  func message(_ query: String, variables: String? = nil) async throws -> String? {
    let json = try JSONDocument(parsing: try await bench().run(query, variables: variables)).root
    #expect(json["errors"]?.count == 1)
    return json["errors"]?[0]?["message"]?.string
  }

  @Test func `Literals are coerced to their types, and defaults are applied`() async throws {
    #expect(
      try await arguments(#"(int: 1, float: 2, text: "t", flag: true, id: 5, color: RED)"#)
        == #"{"int":1,"float":2,"text":"t","flag":true,"id":"5","color":"RED","required":7}"#)
    #expect(try await arguments("(point: {x: 1})") == #"{"point":{"x":1,"y":2},"required":7}"#)
    #expect(try await arguments("(int: null)") == #"{"int":null,"required":7}"#)
  }

  @Test func `A single value is coerced to a list`() async throws {
    #expect(try await arguments("(list: 1)") == #"{"list":[1],"required":7}"#)
    #expect(try await arguments("(nested: 1)") == #"{"nested":[[1]],"required":7}"#)
    #expect(
      try await arguments("(list: $v)", variables: #"{"v": 3}"#, declaring: "($v: [Int])")
        == #"{"list":[3],"required":7}"#)
  }

  @Test func `A missing variable counts as a missing argument`() async throws {
    #expect(try await arguments("(required: $v)", declaring: "($v: Int)") == #"{"required":7}"#)
    #expect(
      try await arguments("(point: {x: 1, y: $v})", declaring: "($v: Int)") == #"{"point":{"x":1,"y":2},"required":7}"#)
    #expect(try await arguments("(list: [1, $v])", declaring: "($v: Int)") == #"{"list":[1,null],"required":7}"#)
    #expect(try await arguments("(int: $v)", declaring: "($v: Int = 4)") == #"{"int":4,"required":7}"#)
    #expect(
      try await arguments("(int: $v)", variables: #"{"v": null}"#, declaring: "($v: Int = 4)")
        == #"{"int":null,"required":7}"#)
  }

  @Test(arguments: [
    ("{ echo(int: 1.5) }", #"Argument "int" has invalid value 1.5. Int cannot represent value: 1.5"#),
    (
      "{ echo(int: 3000000000) }",
      #"Argument "int" has invalid value 3000000000. Int cannot represent non 32-bit signed integer value: 3000000000"#
    ),
    (#"{ echo(int: "1") }"#, #"Argument "int" has invalid value "1". Int cannot represent value: "1""#),
    ("{ echo(text: 1) }", #"Argument "text" has invalid value 1. String cannot represent value: 1"#),
    (
      #"{ echo(color: "RED") }"#,
      #"Argument "color" has invalid value "RED". Enum "Color" cannot represent non-enum value: "RED"."#
    ),
    (
      "{ echo(color: BLUE) }", #"Argument "color" has invalid value BLUE. Value "BLUE" does not exist in "Color" enum."#
    ),
    (
      "{ echo(point: {y: 1}) }",
      #"Argument "point" has invalid value {y: 1}. Field "x" of required type "Int!" was not provided."#
    ),
    (
      "{ echo(point: {x: 1, z: 1}) }",
      #"Argument "point" has invalid value {x: 1, z: 1}. Field "z" is not defined by type "Point"."#
    ),
    (
      "{ echo(required: null) }",
      #"Argument "required" has invalid value null. Expected value of type "Int!", found null."#
    ),
    ("{ must }", #"Argument "value" of required type "Int!" was not provided."#),
    (
      "query ($v: Int) { must(value: $v) }",
      #"Argument "value" of required type "Int!" was provided the variable "$v" which was not provided a runtime value."#
    ),
    ("{ echo(even: 3) }", #"Argument "even" has invalid value 3. 3 is not even."#),
    (
      #"{ echo(pick: {a: 1, b: "x"}) }"#,
      #"Argument "pick" has invalid value {a: 1, b: "x"}. Exactly one key must be specified for OneOf type "Pick", and not null."#
    ),
    (
      "{ echo(pick: {a: null}) }",
      #"Argument "pick" has invalid value {a: null}. Exactly one key must be specified for OneOf type "Pick", and not null."#
    ),
  ])
  func `An invalid argument is a field error`(query: String, expected: String) async throws {
    #expect(try await message(query) == expected)
  }

  @Test(arguments: [
    ("($v: Int!)", "{}", #"Variable "$v" of required type "Int!" was not provided."#),
    ("($v: Int!)", #"{"v": null}"#, #"Variable "$v" of non-null type "Int!" must not be null."#),
    (
      "($v: Int)", #"{"v": "1"}"#,
      #"Variable "$v" got an invalid value; Int cannot represent non-integer value: "1""#
    ),
    (
      "($v: [Point!]!)", #"{"v": [{"x": 1}, {"x": "no"}]}"#,
      #"Variable "$v" got an invalid value at "v[1].x"; Int cannot represent non-integer value: "no""#
    ),
    (
      "($v: Point)", #"{"v": {"x": 1, "w": 1}}"#,
      #"Variable "$v" got an invalid value; Field "w" is not defined by type "Point"."#
    ),
    (
      "($v: Color)", #"{"v": "BLUE"}"#,
      #"Variable "$v" got an invalid value; Value "BLUE" does not exist in "Color" enum."#
    ),
    (
      "($v: Query)", "{}", #"Variable "$v" expected value of type "Query" which cannot be used as an input type."#
    ),
    ("($v: Nothing)", "{}", #"Variable "$v" expected value of type "Nothing" which cannot be used as an input type."#),
  ])
  func `An invalid variable is a request error`(declared: String, variables: String, expected: String) async throws {
    let response = try JSONDocument(parsing: try await bench().run("query \(declared) { id }", variables: variables))
      .root
    #expect(response["data"] == nil)
    #expect(response["errors"]?[0]?["message"]?.string == expected)
    #expect(response["errors"]?[0]?["locations"] != nil)
  }

  @Test func `Every invalid variable is reported`() async throws {
    let response = try await bench().run("query ($a: Int!, $b: Int!) { id }")
    #expect(try JSONDocument(parsing: response).root["errors"]?.count == 2)
  }

  @Test func `A number with a zero fraction is a valid Int`() async throws {
    #expect(
      try await arguments("(int: $v)", variables: #"{"v": 2.0}"#, declaring: "($v: Int)") == #"{"int":2,"required":7}"#)
  }

  @Test func `Leaf results are coerced to their types`() async throws {
    #expect(try await bench().run("{ text id float }") == #"{"data":{"text":"5","id":"17","float":1}}"#)
    #expect(try await message("{ wrong }") == #"Int cannot represent non-integer value: "five""#)
    #expect(try await message("{ big }") == "Int cannot represent non 32-bit signed integer value: 4294967296")
    #expect(try await message("{ color }") == #"Enum "Color" cannot represent value: "BLUE""#)
  }
}
