import ApusTestSupport
import Testing

@testable import ApusConfiguration

/// TOML examples of the specification, and the configuration tree they are parsed to.
struct TOMLTests {
  /// Returns the tree on one line.
  private func tree(_ text: String) throws -> String { Self.shown(try TOMLParser.parse(Array(text.utf8), file: "f")) }

  private static func shown(_ node: YAMLNode) -> String {
    switch node.value {
    case .scalar(let text, let isPlain): isPlain ? text : "\"\(text.replacing("\n", with: "\\n"))\""
    case .sequence(let elements): "[\(elements.map(shown).joined(separator: ", "))]"
    case .mapping(let members): "{\(members.map { "\($0.key): \(shown($0.value))" }.joined(separator: ", "))}"
    }
  }

  @Test(arguments: [
    ("", "{}"), ("# only this", "{}"), ("a = \"b\" # c\r\nd = 'e\\n'\n", "{a: \"b\", d: \"e\\n\"}"),
    ("a.\"b c\".d = 1\na.e = true", "{a: {b c: {d: 1}, e: true}}"),
    ("[t]\na = 1\n[t.u]\nb = 2\n[v]\n", "{t: {a: 1, u: {b: 2}}, v: {}}"),
    ("[a.b]\nc = 1\n[a]\nd = 2", "{a: {b: {c: 1}, d: 2}}"),
    ("[[t]]\na = 1\n[t.u]\nb = 2\n[[t]]\na = 3", "{t: [{a: 1, u: {b: 2}}, {a: 3}]}"),
    ("a = [ 1, # one\n  [\"x\", 'y'],\n]", "{a: [1, [\"x\", \"y\"]]}"),
    ("a = { b = 1, c.d = \"e\" }\nf = {}", "{a: {b: 1, c: {d: \"e\"}}, f: {}}"),
    ("a = \"\\u00e9\\t\\\"\"", "{a: \"é\t\"\"}"),
    ("a = \"\"\"\nx\n  \"y\"\"\"\"\nb = '''\\n'''", "{a: \"x\\n  \"y\"\", b: \"\\n\"}"),
    ("a = \"\"\"x \\\n\n   y\"\"\"", "{a: \"x y\"}"),
    (
      "a = 1_000\nb = 1979-05-27 07:32:00Z\nc = -inf\nd = 0xDEAD_BEEF",
      "{a: 1000, b: 1979-05-27 07:32:00Z, c: -inf, d: 0xDEADBEEF}"
    ),
    ("\"\" = 1\n'k k' = 2\n1 = 3", "{: 1, k k: 2, 1: 3}"),
  ])
  func `examples of the specification are parsed`(_ text: String, _ expected: String) throws {
    #expect(try tree(text) == expected)
  }

  @Test(arguments: [
    ("a = 1\na = 2", "f:2:1: 'a' is already defined"), ("[a]\n[a]", "f:2:2: 'a' is already defined"),
    ("[a.b]\n[a]\n[a]", "f:3:2: 'a' is already defined"),
    ("[a.b]\n[a.b]", "f:2:4: 'b' is already defined"), ("[[a]]\n[a]", "f:2:2: 'a' is already defined"),
    ("[a]\n[[a]]", "f:2:3: 'a' is already defined"),
    ("a = 1\n[a]", "f:2:2: 'a' is already defined"), ("a = {b = 1}\na.c = 2", "f:2:1: 'a' cannot be extended"),
    ("a = b", "f:1:6: 'b' is not a value; strings need quotes"), ("a =", "f:1:4: a value is missing"),
    ("a", "f:1:2: '=' is missing"), ("= 1", "f:1:1: a key is missing"), ("[a", "f:1:3: ']' is missing"),
    ("a = \"b", "f:1:7: a string is not closed on its line"), ("a = '''b", "f:1:9: a string is not closed"),
    ("a = \"\\x\"", "f:1:6: invalid escape sequence"), ("a = 1 b = 2", "f:1:7: unexpected text after the value"),
    ("a = [1 2]", "f:1:8: ']' is missing"), ("a = \"\\uD800\"", "f:1:6: invalid escape sequence"),
  ])
  func `an error is reported with its location`(_ text: String, _ message: String) {
    #expect { try tree(text) } throws: { "\($0)" == message }
  }

  @Test func `excessive nesting is rejected`() {
    for text in ["a = " + String(repeating: "[", count: 100), "a" + String(repeating: ".a", count: 100) + " = 1"] {
      #expect(throws: ConfigurationError.self) { try tree(text) }
    }
  }
}
