import ApusJSON
import ApusSecrets
import ApusTestSupport
import Testing

/// A secret with a secret's name is inserted into random documents and variables, both complete and truncated. It must
/// not be in the redacted text.
@Suite struct PlantedSecretTests {
  private static let secret = "planted-7f3a"
  private static let names = ["password", "tokens", "privateKey", "session_id", "jwt", "pin", "clientSecret", "apiKey"]

  @Test(arguments: UInt64(0)..<60) func `a secret in a random document is redacted`(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let document = "query Q(\(definition(&random))) { a(\(argument(&random))) { b } } # \(argument(&random))"
    let variables = #"{"n": 1, "\#(Self.names.randomElement(using: &random) ?? "")": \#(json(&random, depth: 3))}"#
    let values = SecretValues()
    let redactor = Redactor(values: values, document: document)
    #expect(!redactor.document(document).contains(Self.secret), "seed \(seed): \(document)")
    #expect(!redactor.variables(variables).contains(Self.secret), "seed \(seed): \(variables)")
    let value = try JSONDocument(parsing: variables).root
    for keepsTypes in [false, true] {
      #expect(!redactor.json(value, keepsTypes: keepsTypes).description.contains(Self.secret), "seed \(seed)")
    }
    // Variables while they are typed.
    for count in variables.indices.map({ variables.distance(from: variables.startIndex, to: $0) }) {
      #expect(!redactor.variables(String(variables.prefix(count))).contains(Self.secret), "seed \(seed), \(count)")
    }
    for count in 0..<document.count {
      #expect(!redactor.document(String(document.prefix(count))).contains(Self.secret), "seed \(seed), \(count)")
    }
    // A known header value is redacted everywhere.
    values.add(header: "X-Any", Self.secret, isLive: true)
    let free = #"{ a(name: "\#(Self.secret)", list: ["x \#(Self.secret) y"]) }"#
    #expect(!redactor.document(free).contains(Self.secret) && !redactor.text(free).contains(Self.secret))
  }

  private func name(_ random: inout SplitMix) -> String { Self.names.randomElement(using: &random) ?? "password" }

  private func blank(_ random: inout SplitMix) -> String {
    ["", " ", "\n  ", " , "].randomElement(using: &random) ?? ""
  }

  private func definition(_ random: inout SplitMix) -> String {
    let types = ["String", "String!", "[String!]!", "[[ID]]", "Input"]
    return "$\(name(&random))\(blank(&random)): \(types.randomElement(using: &random) ?? "")"
      + "\(blank(&random))=\(blank(&random))\(literal(&random, depth: 2)), $n: Int = 1"
  }

  private func argument(_ random: inout SplitMix) -> String {
    "n: 1\(blank(&random)), \(name(&random))\(blank(&random)):\(blank(&random))\(literal(&random, depth: 2))"
  }

  private func literal(_ random: inout SplitMix, depth: Int) -> String {
    switch Int.random(in: 0..<(depth > 0 ? 5 : 3), using: &random) {
    case 0: "\"\(Self.secret)\""
    case 1: "\"a \\\" \(Self.secret)\""
    case 2: "\"\"\"x \\\"\"\" \(Self.secret) \"\"\""
    case 3: "[\(literal(&random, depth: depth - 1)), \(literal(&random, depth: depth - 1))]"
    default: "{user: \(literal(&random, depth: depth - 1)), other: [\(literal(&random, depth: depth - 1))]}"
    }
  }

  private func json(_ random: inout SplitMix, depth: Int) -> String {
    switch Int.random(in: 0..<(depth > 0 ? 4 : 2), using: &random) {
    case 0: "\"\(Self.secret)\""
    case 1: "\"a \\\" \(Self.secret)\""
    case 2: "[\(json(&random, depth: depth - 1)), 1, \(json(&random, depth: depth - 1))]"
    default: "{\"user\": \(json(&random, depth: depth - 1)), \"b\": \(json(&random, depth: depth - 1))}"
    }
  }
}
