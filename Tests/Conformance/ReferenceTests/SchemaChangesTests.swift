import ApusGraphQLAnalysis
import ApusGraphQLSchema
import ApusJSON
import ApusTestSupport
import Foundation
import Testing

/// All breaking and dangerous changes that the reference reports between two schemas must be reported with the same
/// messages. Other reported changes must be of kinds that the reference does not have.
@Suite(.enabled(if: ReferenceRecord.isThere, Comment(rawValue: ReferenceRecord.absence)), .timeLimit(.minutes(30)))
struct SchemaChangesTests {
  private static let python = "\(Checkout.root)/.test-servers/reference/bin/python"

  /// The change kinds that the reference does not have.
  private static let own: Set<String> = [
    "ROOT_TYPE_REMOVED", "ROOT_TYPE_CHANGED", "ARG_MADE_REQUIRED", "INPUT_FIELD_MADE_REQUIRED", "ONE_OF_ADDED",
    "TYPE_ADDED_TO_INTERFACE", "SPECIFIED_BY_URL_CHANGED",
  ]

  @Test func `changes of random schemas match the reference`() async throws {
    let seed: UInt64 = 20_251_122
    var pairs: [(name: String, old: String, new: String)] = []
    for number in 0..<250 {
      let old = RandomSchema(seed: seed &+ UInt64(number))
      pairs.append(("pair \(number) of seed \(seed)", old.sdl, old.mutated(seed: UInt64(number)).sdl))
    }
    let found = try await compare(pairs)
    // The comparison is only meaningful if all kinds of the reference occur.
    let theirs = SchemaChangeKind.allCases.filter { $0.criticality != .safe }.map(\.rawValue)
    #expect(Set(theirs).subtracting(Self.own).subtracting(found) == [])
  }

  @Test(.enabled(if: Corpus.folder != nil, Comment(rawValue: Corpus.absence)))
  func `changes of real schemas match the reference`() async throws {
    let names = ["animals", "artsy", "github", "linear", "saleor", "shopify-2021", "starwars", "swapi"]
    var texts: [String: String] = [:]
    for name in names { texts[name] = String(decoding: try Corpus.bytes("\(name)/schema.graphql"), as: UTF8.self) }
    let shopify = try Schema.load(introspection: JSONDocument(parsing: Corpus.bytes("shopify/introspection.json")).root)
    texts["shopify"] = shopify.printSDL()
    let pairs = [
      ("shopify-2021", "shopify"), ("shopify", "shopify-2021"), ("animals", "starwars"), ("starwars", "swapi"),
      ("swapi", "starwars"), ("saleor", "shopify"), ("linear", "github"), ("github", "linear"), ("artsy", "saleor"),
      ("saleor", "artsy"),
    ]
    _ = try await compare(pairs.map { ("\($0) to \($1)", texts[$0] ?? "", texts[$1] ?? "") })
  }

  /// Compares pairs of schemas. Returns the kinds of changes that occurred.
  private func compare(_ pairs: [(name: String, old: String, new: String)]) async throws -> Set<String> {
    let process = try ChildProcess(Self.python, ["\(Checkout.servers)/reference_changes.py"])
    var differences: [String] = []
    var kinds: Set<String> = []
    var count = 0
    for pair in pairs {
      process.write(JSONWriter.compact(["old": JSONValue(pair.old), "new": JSONValue(pair.new)]) + "\n")
      let answer = try JSONDocument(parsing: await process.nextLine() ?? "null").root
      guard let changes = answer["changes"] else {
        Issue.record("\(pair.name): \(await process.outcome().errors)\n\(pair.old)\n\(pair.new)")
        return kinds
      }
      let theirs = Set(changes.elements.map { Self.line($0[0]?.string ?? "", $0[1]?.string ?? "") })
        .subtracting(Self.notations)
      let difference = SchemaDiff(from: Schema.load(sdl: pair.old), to: Schema.load(sdl: pair.new))
      let ours = difference.changes.filter { $0.criticality != .safe }
      let lines = Set(ours.map { Self.line($0.kind.rawValue, $0.message) })
      kinds.formUnion(ours.map(\.kind.rawValue))
      count += theirs.count
      let more = ours.filter { !Self.own.contains($0.kind.rawValue) }.map { Self.line($0.kind.rawValue, $0.message) }
      let (missing, surplus) = (theirs.subtracting(lines).sorted(), Set(more).subtracting(theirs).sorted())
      if !missing.isEmpty || !surplus.isEmpty {
        differences.append("\(pair.name)\n  only the reference: \(missing)\n  only ours: \(surplus)")
      }
    }
    print("\(pairs.count) pairs, \(count) findings of the reference, \(differences.count) pairs differ")
    #expect(differences.prefix(5).joined(separator: "\n") == "")
    #expect(count > pairs.count)
    return kinds
  }

  /// Defaults that differ only in notation, which the reference reports: `0` and `0.0` of a Float.
  private static let notations: Set = [
    "INPUT_FIELD_DEFAULT_VALUE_CHANGE PriceRangeFilter.min has changed defaultValue"
  ]

  /// Returns the kind and the message. Default values are omitted because they are printed differently.
  private static func line(_ kind: String, _ message: String) -> String {
    guard kind.contains("DEFAULT_VALUE"), let end = message.range(of: " from ") else { return "\(kind) \(message)" }
    return "\(kind) \(message[..<end.lowerBound])"
  }
}
