import ApusClientAPI
import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import ApusJSON
import Synchronization
import Testing

/// Fixtures for tests without a server: a station with two birds, each with a deferred fragment.
enum BirdStation {
  static let query = """
    query Birds($first: Int = 2) {
      station(id: "S1") {
        name
        birds(first: $first) {
          edges { node { id ring ...Flights @defer(label: "flights") } }
          pageInfo { hasNextPage endCursor }
        }
      }
    }
    """

  static let paths: [ResponsePath] = [
    ["station", "birds", "edges", 0, "node"], ["station", "birds", "edges", 1, "node"],
  ]

  static func json(_ text: String) -> JSONValue {
    (try? JSONDocument(parsing: Array(text.utf8)).root) ?? .null
  }

  static func fragment(_ index: Int, _ state: DeferredState, after: Duration? = nil) -> DeferredFragment {
    DeferredFragment(
      fragmentID: 0, label: "flights", path: paths[index], typeCondition: "Bird", name: "Flights", state: state,
      settledAfter: after)
  }

  /// The initial result: the fields that are not deferred, with both fragments pending.
  static let initial = RunResult(
    data: json(
      """
      {"station":{"__typename":"Station","name":"Falsterbo","birds":{"edges":[
      {"node":{"__typename":"Bird","id":"12","ring":"A-1"}},{"node":{"__typename":"Bird","id":"13","ring":"鳥-2"}}],
      "pageInfo":{"hasNextPage":true,"endCursor":"b13"}}}}
      """), fragments: [fragment(0, .pending), fragment(1, .pending)], changedPaths: [[]], isComplete: false,
    payloadIndex: 0,
    elapsed: .milliseconds(12), byteCount: 320,
    lists: [
      PagedList(
        path: ["station", "birds"], listPath: ["station", "birds", "nodes"], itemCount: 2, hasNextPage: true)
    ])

  /// The second result: the flights of the first bird have arrived.
  static var second: RunResult {
    var result = initial
    result.data = try? initial.data?.mergingDeeply(
      json(#"{"flights":[{"to":"S2","km":120.50}]}"#), at: paths[0])
    result.fragments[0] = fragment(0, .fulfilled, after: .milliseconds(421))
    result.changedPaths = [paths[0]]
    result.payloadIndex = 1
    result.elapsed = .milliseconds(421)
    result.byteCount = 110
    return result
  }

  /// The last result: the flights of the second bird failed.
  static var third: RunResult {
    var result = second
    let error = GraphQLError(message: "The flights are lost", path: paths[1])
    result.fragments[1] = fragment(1, .failed([error]), after: .milliseconds(900))
    result.errors = [error]
    result.changedPaths = []
    result.payloadIndex = 2
    result.elapsed = .milliseconds(900)
    result.isComplete = true
    return result
  }

  static let operation = OperationInfo(
    name: "Birds", kind: "query",
    hidden: HiddenFields(children: [
      "station": HiddenFields(
        names: ["__typename"],
        children: [
          "birds": HiddenFields(children: [
            "edges": HiddenFields(children: ["node": HiddenFields(names: ["__typename"])])
          ])
        ])
    ]))

  static func state(query: String = query, variables: String = "{\n  \"first\": 2\n}") -> ExplorerState {
    ExplorerState(
      endpoint: "http://localhost:4000/graphql", query: query, variables: variables,
      themes: ["Apus dark", "Apus light"])
  }

  /// Returns the state after actions; their effects are discarded.
  static func state(after actions: [Action]) -> ExplorerState {
    var state = state()
    let opened: [Action] = [
      .schema(.loaded(typeCount: 31, example: nil)), .cache(.recordsListed([], totalCount: 0, totalBytes: 0)),
    ]
    for action in opened + actions { _ = update(&state, action) }
    return state
  }

  static var running: [Action] {
    [.commandInvoked(.runOperation), .run(1, .started(operation)), .run(1, .resultReceived(initial))]
  }
}

/// Returns the rows of a state's screen.
func screen(_ state: ExplorerState, _ width: Int, _ height: Int) -> [String] {
  var state = state
  let theme = Theme.builtIn(capabilities: TerminalCapabilities(colors: .direct))
  return ExplorerScreen.render(&state, theme: theme, size: Size(width: width, height: height)).frame.lines
}

func expectScreen(
  _ state: ExplorerState, _ width: Int, _ height: Int, _ expected: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let lines = screen(state, width, height)
  let requested = expected.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  #expect(lines.count == height, sourceLocation: sourceLocation)
  guard lines != requested else { return }
  let difference = zip(lines, requested).enumerated().filter { $0.element.0 != $0.element.1 }
    .map { "row \($0.offset):\n  is     |\($0.element.0)\n  wanted |\($0.element.1)" }
  Issue.record(
    "\(difference.joined(separator: "\n"))\nthe screen:\n\(lines.joined(separator: "\n"))",
    sourceLocation: sourceLocation)
}
