import ApusClientIncremental
import ApusClientOperation
import ApusGraphQLMediaTypes
import ApusJSON
import Testing

/// Compares the merger with `PayloadModel` for all combinations of a small alphabet, in every order of the payloads.
@Suite(.timeLimit(.minutes(3))) struct PayloadModelTests {
  typealias Alphabet = PayloadAlphabet

  /// A response of which some payloads arrived.
  private struct State {
    var merger: IncrementalMerger
    var cell = PayloadModel.Cell(content: .object(["now": .init(content: .leaf("1"))]))
    var selected = PayloadModel.Selection(fields: ["now": .init()])
    var result: MergedResult?

    init(_ plan: SelectionPlan, _ format: IncrementalFormat, count: Int) throws {
      merger = IncrementalMerger(plan: plan)
      var members: [(String, JSONValue)] = [("data", ["now": 1]), ("hasNext", true)]
      if format == .incrementalV02 {
        members.append(
          ("pending", .array((0..<count).map { ["id": JSONValue("\($0)"), "path": [], "label": JSONValue("\($0)")] })))
      }
      result = try merger.receive(payload: .object(members), at: .zero)
    }

    mutating func receive(
      _ payload: Alphabet.Payload, label: Int, _ format: IncrementalFormat, _ shape: PayloadModel.Shape
    ) throws {
      let name = JSONValue("\(label)")
      let entry: JSONValue
      switch format {
      case .defer20220824:
        entry = ["incremental": [["path": [], "label": name, "data": payload.json]], "hasNext": true]
      case .incrementalV02:
        entry = ["incremental": [["id": name, "data": payload.json]], "completed": [["id": name]], "hasNext": true]
      }
      result = try merger.receive(payload: entry, at: .zero)
      guard case .object(let fields) = cell.content else { return }
      cell.content = .object(PayloadModel.merge(fields, [payload.field: payload.value], shape))
      selected.add(payload.selected)
    }

    /// A description of the difference between the merger and the model; `nil` if there is none.
    var difference: String? {
      guard let result else { return "no result" }
      let conflicts = PayloadModel.conflicts(in: cell, selected)
      if result.data != cell.json { return "\(result.data?.description ?? "none") instead of \(cell.json)" }
      if Set(result.conflicts.compactMap(\.path)) != conflicts {
        return "contradictions at \(result.conflicts.compactMap(\.path)) instead of \(conflicts) in \(cell.json)"
      }
      if conflicts.isEmpty, result.fragments.contains(where: { $0.state.name == "failed" }) {
        return "a failed fragment"
      }
      return nil
    }
  }

  /// Compares every sequence of two or three payloads. Returns the number of sequences.
  private static func compare(
    _ alphabet: Alphabet, _ count: Int, _ format: IncrementalFormat
  ) async throws -> Int {
    let workers = 2
    return try await withThrowingTaskGroup(of: Int.self) { group in
      for worker in 0..<workers {
        group.addTask {
          try compare(
            alphabet, count, format,
            firsts: stride(from: worker, to: alphabet.payloads.count, by: workers).map { alphabet.payloads[$0] })
        }
      }
      return try await group.reduce(0, +)
    }
  }

  private static func compare(
    _ alphabet: Alphabet, _ count: Int, _ format: IncrementalFormat, firsts: [Alphabet.Payload]
  ) throws -> Int {
    var plans: [[String]: SelectionPlan] = [:]
    var failures = 0
    var compared = 0
    func plan(_ selections: [String]) throws -> SelectionPlan {
      if let existing = plans[selections] { return existing }
      let plan = SelectionPlan(operation: try Alphabet.operation(selections), variables: .object([]))
      plans[selections] = plan
      return plan
    }
    func extend(_ state: State, _ sent: [Alphabet.Payload], _ selections: [String]) throws {
      let index = sent.count
      guard index < selections.count else {
        compared += 1
        guard let difference = state.difference else { return }
        failures += 1
        if failures < 6 { Issue.record("\(sent.map { "\($0.selection): \($0.json)" }): \(difference)") }
        return
      }
      for payload in alphabet.payloads where payload.selection == selections[index] {
        var next = state
        try next.receive(payload, label: index, format, alphabet.shape)
        try extend(next, sent + [payload], selections)
      }
    }
    let selections = Set(alphabet.payloads.map(\.selection)).sorted()
    for first in firsts {
      for second in selections {
        for third in count == 3 ? selections : [""] {
          let all = [first.selection, second] + (count == 3 ? [third] : [])
          var state = try State(try plan(all), format, count: count)
          try state.receive(first, label: 0, format, alphabet.shape)
          try extend(state, [first], all)
        }
      }
    }
    return compared
  }

  private static let lists = Alphabet(
    field: "users", leaves: [("id", ["1", "2"]), ("n", ["null", "\"x\"", "\"y\""])], isList: true)

  @Test(arguments: IncrementalFormat.allCases)
  func `lists of two payloads merge as the model`(format: IncrementalFormat) async throws {
    #expect(try await Self.compare(Self.lists, 2, format) == 8836)
  }

  /// Null and lists of two elements.
  @Test func `lists of three payloads merge as the model`() async throws {
    let alphabet = Alphabet(field: "users", leaves: [("id", ["1", "2"]), ("n", ["null", "5"])], isList: true)
      .filtered { $0.elementCount == 2 || $0.elementCount == nil }
    let count = alphabet.payloads.count
    #expect(try await Self.compare(alphabet, 3, .defer20220824) == count * count * count)
  }

  @Test(arguments: IncrementalFormat.allCases)
  func `edges merge by the keys of their nodes`(format: IncrementalFormat) async throws {
    let alphabet = Alphabet(
      field: "edges", leaves: [("cursor", ["\"a\"", "\"b\""])], objects: [("node", ["1", "2"])], isList: true)
    #expect(try await Self.compare(alphabet, 2, format) == 94 * 94)
  }

  @Test(arguments: IncrementalFormat.allCases)
  func `lists inside lists merge by index`(format: IncrementalFormat) async throws {
    let alphabet = Alphabet(
      field: "grid", leaves: [("id", ["1", "2"]), ("n", ["null", "{\"a\":1}"])], isList: true, isMatrix: true)
    #expect(try await Self.compare(alphabet, 2, format) == 60 * 60)
  }

  @Test(arguments: IncrementalFormat.allCases)
  func `objects merge as the model`(format: IncrementalFormat) async throws {
    let alphabet = Alphabet(
      field: "me",
      leaves: [("__typename", ["\"A\"", "\"B\""]), ("id", ["1", "2"]), ("n", ["null", "[1]", "{\"a\":1}"])],
      objects: [("friend", ["1", "2"])], isList: false)
    let count = alphabet.payloads.count
    #expect(try await Self.compare(alphabet, 2, format) == count * count)
  }

  @Test func `objects of three payloads merge as the model`() async throws {
    let alphabet = Alphabet(
      field: "me", leaves: [("id", ["1", "2"]), ("n", ["null", "5"])], objects: [("friend", ["1"])], isList: false)
    let count = alphabet.payloads.count
    #expect(try await Self.compare(alphabet, 3, .defer20220824) == count * count * count)
  }
}
