import ApusClientOperation
import ApusClientResultExecution
import ApusGraphQLSchema
import ApusJSON
import ApusTestSupport
import Testing

/// Every kind of value for every kind of type, compared with a model that reads the type's text.
@Suite struct ValueRuleTests {
  private static let wrappers = ["T", "T!", "[T]", "[T!]", "[T]!", "[[T]]", "[[T!]!]!"]
  private static let values = [
    "null", "true", "1", "-7", "1.5", "1e400", "1e3", "12345678901234567890", "\"a\"", "{}", #"{"x":1}"#, #"{"x":"a"}"#,
    #"{"x":null}"#,
  ]

  /// Whether a response value has a type: `[Int!]`.
  private static func accepts(_ type: Substring, _ value: JSONValue) -> Bool {
    if type.hasSuffix("!") { return value.kind != .null && accepts(type.dropLast(), value) }
    if value.kind == .null { return true }
    if type.hasPrefix("[") {
      return value.kind == .array && value.elements.allSatisfy { accepts(type.dropFirst().dropLast(), $0) }
    }
    switch type {
    case "Int": return value.int != nil
    case "Float": return value.double != nil
    case "Boolean": return value.kind == .bool
    case "ID":
      return value.kind == .string || value.kind == .number && value.description.allSatisfy { $0.isNumber || $0 == "-" }
    case "String", "E": return value.kind == .string
    case "O": return value["x"].map { accepts("Int", $0) } ?? false
    default: return true
    }
  }

  /// Returns the value without a document, so that it has no position on a tape.
  private static func rebuilt(_ value: JSONValue) -> JSONValue {
    switch value.kind {
    case .array: .array(value.elements.map(rebuilt))
    case .object: .object(value.members.map { ($0.0, rebuilt($0.1)) })
    case .null, .bool, .number, .string: value
    }
  }

  @Test(arguments: ["Int", "Float", "String", "Boolean", "ID", "E", "Any", "O"])
  func `the executor and the check on the tape accept the values of a type`(name: String) throws {
    let nested = Self.values.flatMap { ["[\($0)]", "[1,\($0)]"] } + ["[]", "[[]]", "[null]"]
    let values = Self.values + nested + nested.map { "[\($0)]" }
    for wrapper in Self.wrappers {
      let type = wrapper.replacing("T", with: name)
      let schema = Schema.load(
        sdl: "scalar Any enum E { A } type O { x: Int } type Query { f: \(type) }")
      let plan = try plan(name == "O" ? "{ f { x } }" : "{ f }", schema: schema)
      for value in values {
        let data = try json(#"{"f":\#(value)}"#)
        let expected = Self.accepts(type[...], try #require(data["f"]))
        #expect(ResultExecutor.check(data, plan: plan).isEmpty == expected, "\(value) for \(type), on the tape")
        #expect(
          ResultExecutor.check(Self.rebuilt(data), plan: plan).isEmpty == expected, "\(value) for \(type), without tape"
        )
      }
    }
  }
}
