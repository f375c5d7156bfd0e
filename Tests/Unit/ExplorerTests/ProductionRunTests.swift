import ApusExplorerCore
import ApusExplorerText
import Testing

/// A mutation on production: the question shows the run, and no other run is sent.
@Suite(.timeLimit(.minutes(1))) struct ProductionRunTests {
  private static let live = EndpointChoice(name: "live", url: "https://live.example/graphql", isProduction: true)

  private static func operation(_ kind: String, _ lines: ClosedRange<Int>, name: String? = nil)
    -> EditorAnalysis.Operation
  {
    EditorAnalysis.Operation(name: name, kind: kind, lines: lines)
  }

  private static func state(_ query: String, variables: String = "", line: Int = 0) -> ExplorerState {
    var state = ExplorerState(endpoint: "https://here.example/graphql", query: query)
    _ = update(&state, .connected(live))
    state.tab.editors.variables.setText(variables)
    state.tab.editors.query.moveCursor(TextPosition(line, 0))
    return state
  }

  private static func analyse(_ operations: [EditorAnalysis.Operation], _ state: inout ExplorerState) {
    let analysis = EditorAnalysis(version: state.tab.editors.query.version, operations: operations)
    _ = update(&state, .text(.analysed(.query, analysis)))
  }

  /// Sends an action. Returns the text of the query that is sent, or the question that is asked instead.
  private static func outcome(of action: Action, _ state: inout ExplorerState) -> (
    sent: String?, question: ConfirmationPopup?
  ) {
    for case .run(_, .start(let request)) in update(&state, action) { return (request.draft.query.text, nil) }
    return (nil, state.popups.last?.state as? ConfirmationPopup)
  }

  private static let two = "mutation A {\n  a\n}\nmutation B { b }\nquery C { c }"

  /// The question has the operation under the cursor, the document if it spreads fragments or is not analyzed yet, and variables.
  @Test(
    arguments: [
      (two, "", 0, true, "Run the mutation A on production?", ["mutation A {", "  a", "}"]),
      (two, "", 3, true, "Run the mutation B on production?", ["mutation B { b }"]),
      (two, "", 3, false, "Run the mutation on production?", two.split(separator: "\n").map(String.init)),
      (two, " \n", 3, true, "Run the mutation B on production?", ["mutation B { b }"]),
      (
        two, "{\n}", 3, true, "Run the mutation B on production?", ["mutation B { b }", "", "Variables", "{", "}"]
      ),
      (
        "mutation A { ...F }\nfragment F on M { a }\nmutation B { b }", "", 0, true,
        "Run the mutation A on production?",
        ["mutation A { ...F }", "fragment F on M { a }", "mutation B { b }"]
      ),
      // Queries are not asked about; before the analysis, only a document without the word.
      (two, "", 4, true, nil, []), ("query C { c }", "", 0, false, nil, []),
      ("query C { mutations }", "", 0, true, nil, []),
      ("query C { mutations }", "", 0, false, "Run the mutation on production?", ["query C { mutations }"]),
    ] as [(String, String, Int, Bool, String?, [String])])
  func `the question shows the operation and its variables`(
    query: String, variables: String, line: Int, isAnalysed: Bool, question: String?, lines: [String]
  ) {
    var state = Self.state(query, variables: variables, line: line)
    if isAnalysed {
      let operations =
        query == Self.two
        ? [
          Self.operation("mutation", 0...2, name: "A"), Self.operation("mutation", 3...3, name: "B"),
          Self.operation("query", 4...4, name: "C"),
        ]
        : [Self.operation(String(query.prefix { $0 != " " }), 0...0, name: String(query.split(separator: " ")[1]))]
      Self.analyse(operations, &state)
    }
    let found = Self.outcome(of: .commandInvoked(.runOperation), &state)
    #expect(found.question?.question == question)
    #expect(found.question?.lines ?? [] == lines)
    #expect((found.sent == nil) == (question != nil))
  }

  /// The outdated analysis of a text that was edited has other lines.
  @Test func `an outdated analysis is not shown`() {
    var state = Self.state("mutation A { a }\nmutation B { b }", line: 1)
    Self.analyse([Self.operation("mutation", 0...0, name: "A"), Self.operation("mutation", 1...1, name: "B")], &state)
    state.tab.editors.query.setText("# A\nmutation A { a }\nmutation B { b }")
    state.tab.editors.query.moveCursor(TextPosition(1, 0))
    let found = Self.outcome(of: .commandInvoked(.runOperation), &state)
    #expect(found.question?.question == "Run the mutation on production?")
    #expect(found.question?.lines == ["# A", "mutation A { a }", "mutation B { b }"])
  }

  /// A change between the question and the answer.
  enum Change: CaseIterable { case nothing, analysis, query, variables, cursor, endpoint, tab }

  @Test(arguments: Change.allCases)
  func `a run that differs from the question is not sent`(change: Change) throws {
    var state = Self.state("mutation A { a }", variables: "{}")
    let question = try #require(Self.outcome(of: .commandInvoked(.runOperation), &state).question)
    guard case .send(let confirmation) = question.confirmation else {
      Issue.record("\(question.confirmation)")
      return
    }
    state.popups = []
    switch change {
    case .nothing: break
    case .analysis: Self.analyse([Self.operation("mutation", 0...0, name: "A")], &state)
    // A file that another program changed.
    case .query: state.tab.editors.query.setFileText("mutation B { b }")
    case .variables: state.tab.editors.variables.setFileText(#"{"all": true}"#)
    case .cursor: state.tab.editors.query.moveCursor(TextPosition(0, 3))
    case .endpoint:
      _ = update(
        &state, .connected(EndpointChoice(name: "other", url: "https://other.example/graphql", isProduction: true)))
    case .tab: _ = update(&state, .commandInvoked(.newTab))
    }
    let found = Self.outcome(of: confirmation, &state)
    switch change {
    case .nothing, .analysis: #expect(found.sent == "mutation A { a }")
    case .query: #expect(found.sent == nil && found.question?.lines == ["mutation B { b }", "", "Variables", "{}"])
    case .variables: #expect(found.sent == nil && found.question?.lines.last == #"{"all": true}"#)
    case .cursor: #expect(found.sent == nil && found.question?.lines.first == "mutation A { a }")
    case .endpoint, .tab:
      #expect(found.sent == nil && found.question == nil)
      #expect(state.screen.notice?.text == "Nothing was sent: the endpoint or tab has changed")
    }
  }

  /// The question about headers of another server comes after that about the mutation, and its answer confirms no other one.
  @Test(arguments: [false, true])
  func `an answer about headers confirms no mutation`(isChanged: Bool) throws {
    var state = ExplorerState(endpoint: "https://here.example/graphql", query: "mutation A { a }")
    state.tab.editors.headers.setText("X-A: 1")
    _ = update(&state, .commandInvoked(.focusQuery))
    _ = update(&state, .connected(Self.live))
    let first = try #require(Self.outcome(of: .commandInvoked(.runOperation), &state).question)
    guard case .send(let confirmation) = first.confirmation else { return }
    state.popups = []
    let second = try #require(Self.outcome(of: confirmation, &state).question)
    #expect(second.question.hasPrefix("Send the 1 header"))
    guard case .send(let answer) = second.confirmation else { return }
    state.popups = []
    if isChanged { state.tab.editors.query.setFileText("mutation B { b }") }
    let found = Self.outcome(of: answer, &state)
    #expect(found.sent == (isChanged ? nil : "mutation A { a }"))
    #expect(found.question?.lines == (isChanged ? ["mutation B { b }"] : nil))
  }
}
