import ApusClientAPI
import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import ApusJSON
import FoundationEssentials
import Testing

/// Complete screens with their colors, at five sizes, in the built-in dark and light themes. Each is a file
/// in `Golden` with two lines per row, the text and a letter for the style of each cell, followed by a legend
/// of the letters.
///
/// `APUS_WRITE_DOCS=1` writes the files again; review the changes.
@Suite struct GoldenScreenTests {
  private static let folder =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") + "/Golden"

  private static let sizes = [
    Size(width: 40, height: 10), Size(width: 60, height: 15), Size(width: 80, height: 24), Size(width: 120, height: 40),
    Size(width: 200, height: 60),
  ]

  @Test(arguments: sizes, [Theme.Variant.dark, .light])
  func `the screen after a run matches its golden file`(size: Size, variant: Theme.Variant) throws {
    let state = BirdStation.state(
      after: BirdStation.running + [
        .run(1, .resultReceived(BirdStation.second)), .run(1, .resultReceived(BirdStation.third)), .run(1, .completed),
      ])
    try expectGolden(state, size, variant, "\(variant)")
  }

  @Test(arguments: sizes)
  func `tabs of two endpoints match the golden files`(size: Size) throws {
    var state = BirdStation.state(after: BirdStation.running + [.commandInvoked(.newTab)])
    let opening = update(&state, .endpointConfirmed("live", tab: state.tabs.shown.id))
    guard case .at(let id, _)? = opening.first else {
      Issue.record("no endpoint is opened")
      return
    }
    let choice = EndpointChoice(name: "live", url: "https://live.example/graphql", isProduction: true)
    _ = update(&state, .from(id, .connected(choice)))
    _ = update(&state, .from(id, .schema(.loaded(typeCount: 5, example: nil))))
    state.screen.notice = nil
    try expectGolden(state, size, .dark, "endpoints")
  }

  @Test(
    arguments: [Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 200, height: 50)],
    [Theme.Variant.dark, .light])
  func `the timeline matches its golden file`(size: Size, variant: Theme.Variant) throws {
    try expectGolden(timeline, size, variant, "timeline-\(variant)")
  }

  /// Fragments in four states and a streamed list, shown as of the second to last payload.
  private var timeline: ExplorerState {
    var operation = BirdStation.operation
    operation.startedAt = ClockTime(hour: 8, minute: 30, second: 0, millisecond: 125)
    func payload(_ number: Int, _ milliseconds: Int, _ states: [DeferredState], _ stream: DeferredState) -> Action {
      var result = BirdStation.initial
      result.payloadIndex = number
      result.elapsed = .milliseconds(milliseconds)
      result.isComplete = number == 3
      result.fragments = states.enumerated().map { index, state in
        let labels = ["flights", "rings", "history"]
        return DeferredFragment(
          fragmentID: index, label: labels[index], path: BirdStation.paths[index % 2], typeCondition: "Bird", name: nil,
          state: state, settledAfter: state.isPending ? nil : .milliseconds(milliseconds - 10 * index),
          shortfall: index == 1 && !state.isPending ? .errors : nil)
      }
      result.streams = [StreamedList(label: "flock", path: ["station", "birds", "edges"], state: stream)]
      return .run(1, .resultReceived(result))
    }
    let lost = GraphQLError(message: "The history is lost", path: BirdStation.paths[0])
    return BirdStation.state(
      after: [
        .commandInvoked(.runOperation), .run(1, .started(operation)),
        payload(0, 40, [.pending, .pending, .pending], .pending),
        payload(1, 320, [.fulfilled, .pending, .pending], .pending),
        payload(2, 610, [.fulfilled, .fulfilled, .pending], .pending),
        payload(3, 1240, [.fulfilled, .fulfilled, .failed([lost])], .fulfilled), .run(1, .completed),
        .commandInvoked(.focusDeferred), .commandInvoked(.previousPayload),
      ])
  }

  @Test(arguments: sizes, [Theme.Variant.dark, .light])
  func `the start screen matches its golden file`(size: Size, variant: Theme.Variant) throws {
    var state = ExplorerState(endpoint: "")
    state.endpoints.profiles = [
      EndpointChoice(name: "birds", url: "https://birds.example/graphql", origin: "profile"),
      EndpointChoice(name: "live", url: "https://live.example/graphql", isProduction: true), .demo,
    ]
    _ = update(&state, .started)
    let late = PickerItem(id: "https://late.example/graphql", title: "https://late.example/graphql", note: "2 h ago")
    _ = update(&state, .history(.endpointsFound([late])))
    try expectGolden(state, size, variant, "start-\(variant)")
  }

  @Test(arguments: sizes, [Theme.Variant.dark, .light])
  func `the reason for a missing schema matches its golden file`(size: Size, variant: Theme.Variant) throws {
    var state = ExplorerState(endpoint: "https://birds.example/graphql", query: "{ birds }")
    let reason = "https://birds.example/graphql answered 401 (Please send a token); check the credentials"
    _ = update(&state, .schema(.failed(reason)))
    _ = update(&state, .commandInvoked(.openSchema))
    try expectGolden(state, size, variant, "no-schema-\(variant)")
  }

  /// A string that contains JSON in several scripts, wrapped at the edge of the window.
  @Test(arguments: sizes, [Theme.Variant.dark, .light])
  func `the value popup matches its golden file`(size: Size, variant: Theme.Variant) throws {
    var state = BirdStation.state(after: BirdStation.running)
    let remark = String(repeating: "flies over the lake at dusk, ", count: 8) + "and back"
    let notes = #"{"ring":"鳥-2","seen":["गौरैया","नीलकंठ","👩🏽‍🔬 🇮🇳"],"remark":"\#(remark)","n":12.50}"#
    state.popups.present(Popup(ValuePopup(path: ["station", "notes"], JSONValue(notes))))
    try expectGolden(state, size, variant, "value-\(variant)")
  }

  @Test(
    arguments: [Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 160, height: 30)],
    [Theme.Variant.dark, .light])
  func `a pinned response matches its golden file`(size: Size, variant: Theme.Variant) throws {
    let before = BirdStation.json(
      #"{"station":"Falsterbo","birds":[{"id":"1","name":"Wren"},{"id":"2","name":"Robin"}],"gone":1}"#)
    let after = BirdStation.json(
      #"{"station":"Ottenby","birds":[{"id":"9","name":"Swift"},{"id":"1","name":"Wren"}],"more":[1,2]}"#)
    var state = BirdStation.state(
      after: run(1, before) + [.commandInvoked(.focusResponse), .commandInvoked(.pinResponse)])
    let differences = ResponseAction.differencesFound(ValueDifference.between(before, after), version: 1)
    for action in run(2, after) + [.reading(differences), .commandInvoked(.zoomPane), .commandInvoked(.nextDifference)]
    {
      _ = update(&state, action)
    }
    try expectGolden(state, size, variant, "kept-\(variant)")
  }

  private func run(_ id: Int, _ data: JSONValue) -> [Action] {
    [
      .commandInvoked(.runOperation), .run(id, .started(BirdStation.operation)),
      .run(id, .resultReceived(RunResult(data: data, elapsed: .milliseconds(12), byteCount: 120))),
      .run(id, .completed),
    ]
  }

  @Test(arguments: sizes, [Theme.Variant.dark, .light])
  func `the help and a topic match their golden files`(size: Size, variant: Theme.Variant) throws {
    var state = BirdStation.state(after: [])
    state.screen.keyRows = KeyTable.standard.rows
    _ = update(&state, .commandInvoked(.showHelp))
    try expectGolden(state, size, variant, "help-\(variant)")
    _ = update(&state, .commandInvoked(.popupDown))
    _ = update(&state, .commandInvoked(.popupAccept))
    try expectGolden(state, size, variant, "topic-\(variant)")
  }

  /// A popup, or a pane of a complete run, that has a golden file at each size.
  private static let commands: [(name: String, commands: [Command])] = [
    ("palette", [.showPalette]), ("errors", [.showErrors]), ("traffic", [.showTraffic]), ("cache", [.focusCache]),
    ("deferred", [.focusDeferred]),
  ]

  @Test(arguments: commands, sizes)
  func `panes and popups match their golden files`(shown: (name: String, commands: [Command]), size: Size) throws {
    var traffic = Traffic()
    traffic.status = "HTTP/1.1 200"
    traffic.format = "deferSpec=20220824"
    var state = BirdStation.state(
      after: BirdStation.running + [
        .run(1, .resultReceived(BirdStation.second)), .run(1, .resultReceived(BirdStation.third)),
        .run(1, .trafficObserved(traffic)), .run(1, .completed),
      ])
    for command in shown.commands { _ = update(&state, .commandInvoked(command)) }
    state.screen.notice = nil
    try expectGolden(state, size, .dark, shown.name)
  }

  @Test(arguments: sizes)
  func `the requests of an application match the golden files`(size: Size) throws {
    var state = RequestsViewTests.state()
    try expectGolden(state, size, .dark, "requests-none")
    var birds = RequestsViewTests.request(1)
    (birds.status, birds.duration, birds.payloadCount, birds.byteCount) = (200, .milliseconds(2040), 3, 14_300)
    (birds.firstPayload, birds.lastPayload) = (.milliseconds(36), .milliseconds(2040))
    (birds.newRecords, birds.changedRecords) = (21, 40)
    var owl = RequestsViewTests.request(2, .failed("the connection broke off"), name: "鳥を見る", minute: 31, client: "")
    (owl.status, owl.duration, owl.type) = (503, .milliseconds(120), "mutation")
    var running = RequestsViewTests.request(
      4, .running, name: "BirdsOfTheStationWithALongName", minute: 33, client: "Safari")
    (running.payloadCount, running.firstPayload, running.byteCount) = (1, .milliseconds(7), 320)
    running.changes = ["--delay label=reviews:2s"]
    var partial = RequestsViewTests.request(5, name: "Menu", minute: 34)
    (partial.errorCount, partial.payloadCount, partial.status) = (2, 1, 200)
    let canceled = RequestsViewTests.request(3, .cancelled, name: "Search", minute: 32)
    _ = update(
      &state, .requests(.changed([birds, owl, canceled, running, partial], skippedCount: 4, otherCount: 12)))
    let conflict = "query Menu and query Profile take each other's fields, such as QUERY_ROOT.menu.0.title: select 'id'"
    _ = update(&state, .requests(.conflictFound(conflict)))
    state.screen.notice = nil
    try expectGolden(state, size, .dark, "requests")
    _ = update(&state, .requests(.rulesUsed(["delay label=reviews:2s", "hold", "for Birds"])))
    _ = update(&state, .commandInvoked(.editRules))
    state.screen.notice = nil
    try expectGolden(state, size, .dark, "requests-rules")
  }

  private func expectGolden(_ state: ExplorerState, _ size: Size, _ variant: Theme.Variant, _ name: String) throws {
    var state = state
    let theme = Theme.builtIn(variant, capabilities: TerminalCapabilities(colors: .direct))
    let frame = ExplorerScreen.render(&state, theme: theme, size: size).frame
    let drawn = describe(frame)
    let path = "\(Self.folder)/\(name)-\(size.width)x\(size.height).txt"
    if ProcessInfo.processInfo.environment["APUS_WRITE_DOCS"] != nil {
      try FileManager.default.createDirectory(atPath: Self.folder, withIntermediateDirectories: true)
      try Data(drawn.utf8).write(to: URL(filePath: path))
    }
    let bytes = try #require(FileManager.default.contents(atPath: path), "\(path) is not there")
    let requested = String(decoding: bytes, as: UTF8.self)
    guard drawn != requested else { return }
    let different = zip(drawn.split(separator: "\n"), requested.split(separator: "\n")).filter { $0.0 != $0.1 }
    let report = different.prefix(6).map { "is     \($0.0)\nwanted \($0.1)" }.joined(separator: "\n")
    Issue.record("\(path):\n\(report)")
  }

  private func describe(_ frame: Frame) -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    var looks: [Style] = []
    var lines: [String] = []
    for row in 0..<frame.size.height {
      let cells = (0..<frame.size.width).map { frame.cell(at: Point(column: $0, row: row)) }
      lines.append("|" + cells.map(\.text).joined() + "|")
      let marks: [Character] = cells.map { cell in
        if !looks.contains(cell.style) { looks.append(cell.style) }
        return letters[(looks.firstIndex(of: cell.style) ?? 0) % letters.count]
      }
      lines.append(" \(String(marks))")
    }
    let legend = looks.enumerated().map { index, style in
      "\(letters[index % letters.count]) \(name(style.foreground)) on \(name(style.background))\(name(style.attributes))"
    }
    return (lines + legend).joined(separator: "\n") + "\n"
  }

  private func name(_ color: Color) -> String {
    switch color.kind {
    case .default: "default"
    case .indexed(let index): "\(index)"
    case .rgb(let red, let green, let blue):
      "#\([red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())"
    }
  }

  private func name(_ attributes: TextAttributes) -> String {
    let names: [(TextAttributes, String)] = [
      (.bold, "bold"), (.dim, "dim"), (.italic, "italic"), (.underline, "underlined"), (.wavyUnderline, "waves"),
      (.reverse, "reversed"), (.strikethrough, "struck"),
    ]
    return names.filter { attributes.contains($0.0) }.map { ", \($0.1)" }.joined()
  }
}
