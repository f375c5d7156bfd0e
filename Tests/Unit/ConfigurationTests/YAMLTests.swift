import Testing

@testable import ApusConfiguration

/// Returns the tree of a YAML text on one line, or the error.
private func tree(_ text: String) -> String { tree(Array(text.utf8)) }

private func tree(_ bytes: [UInt8]) -> String {
  do {
    return describe(try YAMLParser.parse(bytes, file: "f.yml"))
  } catch {
    return error.description
  }
}

private func describe(_ node: YAMLNode) -> String {
  switch node.value {
  case .scalar(let text, let isPlain): isPlain ? text : "'\(text)'"
  case .sequence(let elements): "[" + elements.map(describe).joined(separator: " ") + "]"
  case .mapping(let members): "{" + members.map { "\($0.key):\(describe($0.value))" }.joined(separator: " ") + "}"
  }
}

@Suite struct YAMLTests {
  @Test(arguments: [
    ("a: 1\nb: [x, 'y']\nc:\n  d: \"e\\n\"\n", "{a:1 b:[x 'y'] c:{d:'e\n'}}"),
    ("", ""), ("# only a comment\n", ""), ("- - 1\n  - 2\n-\n", "[[1 2] ]"), ("---\na: b\n...\n", "{a:b}"),
    ("a: |\n  two\n  lines\n", "{a:'two\nlines\n'}"), ("a: #fff\n", "{a:}"), ("a: é€😀", "{a:é€😀}"),
  ])
  func `common YAML is parsed`(text: String, expected: String) {
    #expect(tree(text) == expected)
  }

  @Test(arguments: [
    ("a: &x 1\nb: *x\n", "f.yml:1:4: anchors and aliases (&, *) are not supported; write the value out"),
    ("a: *x\n", "f.yml:1:4: anchors and aliases (&, *) are not supported; write the value out"),
    ("a: &x {b: c}\n", "f.yml:1:4: anchors and aliases (&, *) are not supported; write the value out"),
    ("a: 1\na: 2\n", "f.yml:2:1: the key 'a' occurs twice"),
    ("? [a]\n: b\n", "f.yml:1:3: a key must be a single value"),
    ("a: 1\n---\nb: 2\n", "f.yml:3:1: the file must contain only one document"),
    ("a: [1, 2\nb: 3\n", "f.yml:2:2: did not find expected ',' or ']' while parsing a flow sequence"),
    ("a:\n\t- b\n", "f.yml:2:1: found character that cannot start any token while scanning for the next token"),
  ])
  func `errors are reported with their location`(text: String, message: String) {
    #expect(tree(text) == message)
  }

  @Test func `aliases of exported files are repeated up to a limit`() throws {
    func read(_ text: String) throws(ConfigurationError) -> String {
      describe(try YAMLParser.parse(text, file: "f.yml", limits: .export))
    }
    #expect(try read("a: &x 1\nb: *x\nc: &y {d: *x}\ne: [*y, *y]\n") == "{a:1 b:1 c:{d:1} e:[{d:1} {d:1}]}")
    #expect(throws: ConfigurationError.self) { try read("a: *x\n") }
    #expect(throws: ConfigurationError.self) { try read("a: &x [*x]\n") }
    let levels = (1...20).map {
      "a\($0): &a\($0) [\(Array(repeating: "*a\($0 - 1)", count: 9).joined(separator: ","))]\n"
    }
    let error = #expect(throws: ConfigurationError.self) { try read("a0: &a0 x\n" + levels.joined()) }
    #expect(error?.message == "the aliases repeat too many values; write them out")
  }

  @Test func `excessive nesting and size are rejected`() {
    #expect(tree(String(repeating: "[", count: 100_000)).contains("nested too deeply"))
    #expect(tree(String(repeating: "- ", count: 1_000)).contains("nested too deeply"))
    #expect(
      tree([UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20 + 1)) == "f.yml: the file is larger than 1024 KiB")
    #expect(tree([0x61, 0x3A, 0x20, 0xFF]).hasPrefix("f.yml: the file is not UTF-8 text"))
    #expect(!tree("a: \u{1B}[31m").unicodeScalars.contains("\u{1B}"))
  }

  @Test func `a value of the wrong type is reported with its location`() throws {
    let root = try YAMLParser.parse("a: [1]\nb: maybe\nc: 70000\nd: -1\n", file: "f.yml")
    func message(_ read: () throws(ConfigurationError) -> Void) -> String {
      do throws(ConfigurationError) {
        try read()
        return ""
      } catch {
        return error.description
      }
    }
    let a = try #require(root["a"])
    let b = try #require(root["b"])
    let c = try #require(root["c"])
    let d = try #require(root["d"])
    #expect(
      message { () throws(ConfigurationError) in _ = try a.string("a") } == "f.yml:1:4: a must be text, not a list")
    #expect(message { () throws(ConfigurationError) in _ = try b.bool("b") } == "f.yml:2:4: b must be true or false")
    #expect(
      message { () throws(ConfigurationError) in _ = try c.int("c", in: 1...100) }
        == "f.yml:3:4: c must be a whole number from 1 to 100")
    #expect(
      message { () throws(ConfigurationError) in _ = try d.seconds("d") }
        == "f.yml:4:4: d must be a number of seconds from 0.001")
    #expect(
      message { () throws(ConfigurationError) in try root.allow(keys: ["a", "b", "c"], in: "the file") }
        == "f.yml:4:1: the file has no key 'd'; the keys are a, b, c")
  }
}
