import ApusTestSupport

/// A random schema. Each decision depends on the seed and a coordinate. In a mutated schema some decisions are drawn
/// again, so that the two differ in all possible ways.
struct RandomSchema {
  private let seed: UInt64
  /// Another seed for one in eight decisions.
  private let mutation: UInt64?

  init(seed: UInt64) { self.init(seed: seed, mutation: nil) }

  private init(seed: UInt64, mutation: UInt64?) {
    self.seed = seed
    self.mutation = mutation
  }

  func mutated(seed mutation: UInt64) -> RandomSchema { RandomSchema(seed: seed, mutation: mutation) }

  // MARK: Decisions

  private func draw(_ what: String, below bound: Int) -> Int {
    func number(_ seed: UInt64, _ salt: String) -> UInt64 {
      var state = seed &+ 0x9E37_79B9_7F4A_7C15
      for byte in (salt + what).utf8 { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
      var random = SplitMix(seed: state)
      return random.next()
    }
    if let mutation, number(mutation, "whether ") % 8 == 0 {
      return Int(number(mutation &+ 1, "anew ") % UInt64(bound))
    }
    return Int(number(seed, "") % UInt64(bound))
  }

  private func happens(_ what: String, oneIn bound: Int) -> Bool { draw(what, below: bound) == 0 }
  private func pick(_ what: String, _ names: [String]) -> String { names[draw(what, below: names.count)] }

  // MARK: Types

  /// Returns the types of these kinds.
  private func names(_ kinds: String...) -> [String] {
    (0..<14).map { "T\($0)" }.filter { kinds.contains(kind($0)) }
  }

  private func kind(_ name: String) -> String {
    if happens("\(name) is missing", oneIn: 8) { return "" }
    return pick(
      "\(name) is a", ["type", "type", "type", "interface", "interface", "union", "enum", "enum", "input", "scalar"])
  }

  private func wrapped(_ what: String, _ name: String) -> String {
    pick("\(what) wrapped", ["@", "@", "@", "@!", "[@]", "[@!]", "[@]!", "[@!]!", "[[@]]"])
      .split(separator: "@", omittingEmptySubsequences: false).joined(separator: name)
  }

  private func outputType(_ what: String) -> String {
    wrapped(
      what, pick(what, ["Int", "Float", "ID", "String"] + names("type", "interface", "union", "enum", "scalar")))
  }

  private func inputValue(_ name: String, of owner: String) -> String {
    let what = "\(owner).\(name)"
    let named = pick("\(what) of", ["Int", "Float", "ID", "String", "Boolean"] + names("enum", "input", "scalar"))
    let type = wrapped("\(what) of", named)
    var text = "\(name): \(type)"
    if ["Int", "Float"].contains(named), !type.contains("["), happens("\(what) has a default", oneIn: 2) {
      text += " = \(draw("\(what) default", below: 3))"
    }
    return text
  }

  private func members(_ owner: String, _ make: (String) -> String) -> String {
    let names = ["a", "b", "c", "d", "e"].filter { !happens("\(owner).\($0) is missing", oneIn: 4) }
    return "{ " + (["z"] + names).map(make).joined(separator: " ") + " }"
  }

  private func field(_ name: String, of owner: String) -> String {
    let coordinate = "\(owner).\(name)"
    let arguments = ["x", "y"].filter { happens("\(coordinate)(\($0)) is there", oneIn: 3) }
      .map { inputValue($0, of: "\(coordinate)(") }
    let list = arguments.isEmpty ? "" : "(\(arguments.joined(separator: " ")))"
    let deprecation = happens("\(coordinate) is deprecated", oneIn: 6) ? " @deprecated" : ""
    return "\(name)\(list): \(outputType(coordinate))\(deprecation)"
  }

  private func definition(_ name: String) -> String {
    let description = happens("\(name) is described", oneIn: 3) ? "\"\(draw("\(name) says", below: 3))\" " : ""
    switch kind(name) {
    case "type", "interface":
      let interfaces = names("interface").filter { $0 != name && happens("\(name) implements \($0)", oneIn: 4) }
      return description + "\(kind(name)) \(name)"
        + (interfaces.isEmpty ? "" : " implements " + interfaces.joined(separator: " & "))
        + " " + members(name) { field($0, of: name) }
    case "union":
      let types = ["Query"] + names("type").filter { happens("\(name) has \($0)", oneIn: 2) }
      return description + "union \(name) = " + types.joined(separator: " | ")
    case "enum": return description + "enum \(name) " + members(name) { $0.uppercased() }
    case "input": return description + "input \(name) " + members(name) { inputValue($0, of: name) }
    case "scalar": return description + "scalar \(name)"
    default: return ""
    }
  }

  private func directive(_ name: String) -> String {
    guard !happens("@\(name) is missing", oneIn: 4) else { return "" }
    let arguments = ["x", "y", "w"].filter { happens("@\(name)(\($0)) is there", oneIn: 2) }
      .map { inputValue($0, of: "@\(name)(") }
    let locations = ["FIELD", "QUERY", "OBJECT"].filter { !happens("@\(name) on \($0)", oneIn: 3) }
    return "directive @\(name)" + (arguments.isEmpty ? "" : "(\(arguments.joined(separator: " ")))")
      + (happens("@\(name) repeats", oneIn: 2) ? " repeatable" : "") + " on "
      + (["MUTATION"] + locations).joined(separator: " | ")
  }

  var sdl: String {
    let query = "type Query " + members("Query") { field($0, of: "Query") }
    let types = (0..<14).map { definition("T\($0)") }
    return ([query] + types + ["one", "two", "three"].map(directive)).filter { !$0.isEmpty }.joined(separator: "\n")
      + "\n"
  }
}
