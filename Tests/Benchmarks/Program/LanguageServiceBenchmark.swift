import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLSchema
import ApusPlatform
import FoundationEssentials

extension Benchmark {
  /// Measures completion and hover as used by an editor: with GitHub's schema and a document of 2,000 lines, types a
  /// letter at each of 10,000 random positions, parses the document, and answers the request.
  static let languageService = Benchmark(
    name: "language-service", summary: "completion and hover at 10,000 random cursors, parse of the edit included"
  ) {
    let file = "\(try SharedFiles.folder("schemas"))/github/schema.graphql"
    let schema = Schema.load(sdl: [Document(parsing: [UInt8](try Data(contentsOf: URL(filePath: file))), name: file)])
    for shape in DocumentShape.allCases {
      TypingRun(schema: schema, shape: shape).run()
    }
  }
}

/// The distribution of the 2,000 lines.
private enum DocumentShape: String, CaseIterable {
  case manyOperations = "2,000 lines, operations of 50"
  case oneOperation = "2,000 lines, one operation"
}

/// Types letters at random positions of a document and sends a request at each.
private struct TypingRun {
  let schema: Schema
  let shape: DocumentShape
  static let seed: UInt64 = 7
  static let cursors = 10_000

  func run() {
    var random = Random(state: Self.seed)
    let text = Array(document(&random).utf8)
    var costs: [[Cost]] = [[], [], []]
    var items = 0
    for _ in 0..<Self.cursors {
      let offset = random.below(text.count + 1)
      var edited = text
      edited.insert(UInt8(ascii: "a") + UInt8(random.below(26)), at: offset)
      var service = LanguageService(document: Document(parsing: ""), schema: schema)
      let parse = Self.measure { service = LanguageService(document: Document(parsing: edited), schema: schema) }
      let complete = Self.measure { items += service.complete(at: offset + 1).count }
      let hover = Self.measure { items += service.hover(at: offset) == nil ? 0 : 1 }
      costs[0].append(parse)
      costs[1].append(parse + complete)
      costs[2].append(parse + hover)
    }
    let lines = text.count { $0 == 0x0A }
    let title = "\(shape.rawValue) (\(lines), \(text.count / 1024) KB), seed \(Self.seed)"
    // Elapsed time includes other programs; processor time belongs only to the service.
    var table = Table([title, "median ms", "CPU 99% ms", "CPU max ms", "99% ms", "of parse"])
    let yardstick = costs[0].map(\.processor).percentile(99)
    for (name, own) in zip(["parse alone", "parse and complete", "parse and hover"], costs) {
      let tail = own.map(\.processor).percentile(99)
      table.add(
        [
          name, Table.number(own.map(\.wall).median), Table.number(tail),
          Table.number(own.map(\.processor).max() ?? .nan), Table.number(own.map(\.wall).percentile(99)),
          Table.number(tail / yardstick) + "×",
        ])
    }
    table.print()
    print("\(items) answers in all.\n")
  }

  /// Measures the elapsed time and the thread's processor time.
  private static func measure(_ work: () -> Void) -> Cost {
    let wall = Cost.now(CLOCK_MONOTONIC)
    let processor = Cost.now(CLOCK_THREAD_CPUTIME_ID)
    work()
    return Cost(
      wall: Cost.now(CLOCK_MONOTONIC) - wall, processor: Cost.now(CLOCK_THREAD_CPUTIME_ID) - processor)
  }

  /// Returns operations with arguments, aliases, inline fragments and spreads.
  private func document(_ random: inout Random) -> String {
    guard let root = schema.queryType else { return "" }
    var writer = DocumentWriter(schema: schema, random: random)
    var number = 0
    repeat {
      number += 1
      let last = shape == .oneOperation ? 2000 : min(2000, writer.lines + 50)
      writer.add("query Operation\(number)($first: Int = 10, $id: ID!) {")
      repeat { writer.selections(of: root, depth: 1, until: last) } while writer.lines < last - 1
      writer.add("}")
    } while writer.lines < 2000
    random = writer.random
    return writer.text
  }
}

extension Cost {
  fileprivate static func + (left: Cost, right: Cost) -> Cost {
    Cost(wall: left.wall + right.wall, processor: left.processor + right.processor)
  }
}

/// Writes selections of a schema's types, one per line.
private struct DocumentWriter {
  let schema: Schema
  var random: Random
  private(set) var text = ""
  private(set) var lines = 0

  init(schema: Schema, random: Random) {
    self.schema = schema
    self.random = random
  }

  mutating func add(_ line: String, depth: Int = 0) {
    text += String(repeating: "  ", count: depth) + line + "\n"
    lines += 1
  }

  mutating func selections(of type: TypeDefinition, depth: Int, until last: Int) {
    let fields = type.fields
    guard !fields.isEmpty, depth < 9 else { return add("__typename", depth: depth) }
    for _ in 0..<6 where lines + depth < last {
      let field = fields[random.below(fields.count)]
      let arguments = field.arguments.filter { $0.isRequired || $0.name == "first" }
        .map { $0.name == "first" ? "first: $first" : "\($0.name): $id" }
      let call = field.name + (arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))")
      let alias = random.below(8) == 0 ? "alias\(lines): " : ""
      guard let inner = field.type.definition, inner.isComposite else {
        add(alias + call, depth: depth)
        continue
      }
      add("\(alias)\(call) {", depth: depth)
      if inner.isAbstract, let possible = inner.possibleTypes.first {
        add("... on \(possible.name) {", depth: depth + 1)
        selections(of: possible, depth: depth + 2, until: last)
        add("}", depth: depth + 1)
      } else {
        selections(of: inner, depth: depth + 1, until: last)
      }
      add("}", depth: depth)
    }
    if text.hasSuffix("{\n") { add("__typename", depth: depth) }
  }
}

/// A SplitMix64 generator, which returns the same numbers for a seed.
private struct Random {
  var state: UInt64

  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
  }
}
