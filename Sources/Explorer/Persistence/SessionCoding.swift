import ApusClientAPI
import ApusClientRequestChain
import ApusExplorerCore
import ApusExplorerText
import ApusJSON
import ApusSecrets

/// Encodes saved sessions as JSON, with a format version. An older explorer does not change a newer file.
enum SessionCoding {
  /// The format version. Version 2 added the servers that the headers belong to, version 3 the endpoints of tabs.
  static let version = 3
  private static let readVersions = 1...version

  static func encode(_ workspace: SavedSession) -> JSONValue {
    .object([
      ("version", JSONValue(version)),
      ("shownTab", JSONValue(workspace.shownTab)),
      ("focus", JSONValue(workspace.focus.keptName)),
      ("recentPanes", .array(workspace.recentPanes.map { JSONValue($0.keptName) })),
      (
        "arrangement",
        .object([
          ("layout", JSONValue(workspace.arrangement.layout.rawValue)),
          ("width", JSONValue(workspace.arrangement.widthChange)),
          ("height", JSONValue(workspace.arrangement.heightChange)),
          ("zoomed", JSONValue(workspace.arrangement.isZoomed)),
        ])
      ),
      ("theme", workspace.theme.map { JSONValue($0) } ?? .null),
      ("tabs", .array(workspace.tabs.map(encode))),
    ])
  }

  /// Returns nil if the JSON is not a session of a supported version.
  static func decode(_ json: JSONValue) -> SavedSession? {
    guard json["version"]?.int.map(readVersions.contains) == true, let tabs = json["tabs"], tabs.kind == .array else {
      return nil
    }
    var workspace = SavedSession(tabs: tabs.elements.map(decodeTab))
    guard !workspace.tabs.isEmpty else { return nil }
    workspace.shownTab = json["shownTab"]?.int ?? 0
    workspace.focus = json["focus"]?.string.flatMap(PaneID.init(keptName:)) ?? .query
    workspace.recentPanes = json["recentPanes"]?.elements.compactMap { $0.string.flatMap(PaneID.init(keptName:)) } ?? []
    workspace.theme = json["theme"]?.string
    let arrangement = json["arrangement"]
    workspace.arrangement.layout = arrangement?["layout"]?.string.flatMap(PaneLayout.Preset.init) ?? .columns
    workspace.arrangement.widthChange = min(40, max(-35, arrangement?["width"]?.int ?? 0))
    workspace.arrangement.heightChange = min(40, max(-35, arrangement?["height"]?.int ?? 0))
    workspace.arrangement.isZoomed = arrangement?["zoomed"]?.bool ?? false
    return workspace
  }

  // MARK: Tabs

  private static func encode(_ tab: SavedSession.Tab) -> JSONValue {
    var members: [(String, JSONValue)] = [("id", JSONValue(tab.id))]
    if let name = tab.name { members.append(("name", JSONValue(name))) }
    if let file = tab.file { members.append(("file", encode(file))) }
    if !tab.operations.isEmpty { members.append(("operations", .array(tab.operations.map(encode)))) }
    members.append(("query", encode(tab.query)))
    members.append(("variables", encode(tab.variables)))
    members.append(("headers", encode(tab.headers)))
    if let origins = tab.headerOrigins {
      let lines = origins.map { line in line.map { JSONValue.array($0.map { JSONValue($0.description) }) } ?? .null }
      members.append(("headerOrigins", .array(lines)))
    }
    if let endpoint = tab.endpoint { members.append(("endpoint", encode(endpoint))) }
    members.append(("cachePolicy", JSONValue(tab.cachePolicy.rawValue)))
    if !tab.extensions.text.isEmpty {
      members.append(("extensions", JSONValue(tab.extensions.text)))
      switch tab.extensions.server {
      case .origin(let origin): members.append(("extensionsOrigin", JSONValue(origin.description)))
      case .unknown: members.append(("extensionsOrigin", .null))
      case .next: break
      }
    }
    if tab.runOptions.usesGET { members.append(("usesGET", JSONValue(true))) }
    if tab.runOptions.usesPersistedQueries { members.append(("usesPersistedQueries", JSONValue(true))) }
    members.append(("place", encode(tab.place)))
    if tab.deferredListing != DeferredListing() { members.append(("deferred", encode(tab.deferredListing))) }
    // The response is in a separate file, which is not rewritten when the query changes.
    if let response = tab.response { members.append(("responseRun", JSONValue(response.run))) }
    return .object(members)
  }

  private static func encode(_ file: CollectionFile) -> JSONValue {
    .object([
      ("path", JSONValue(file.path)), ("savedQuery", JSONValue(file.savedQuery)),
      ("savedVariables", JSONValue(file.savedVariables)),
    ])
  }

  private static func encode(_ endpoint: SavedSession.Endpoint) -> JSONValue {
    .object([
      ("name", endpoint.name.map { JSONValue($0) } ?? .null), ("url", JSONValue(endpoint.url)),
      ("lacksSecrets", JSONValue(endpoint.lacksSecrets)),
    ])
  }

  private static func decodeTab(_ json: JSONValue) -> SavedSession.Tab {
    var tab = SavedSession.Tab(id: json["id"]?.int ?? 1)
    tab.name = json["name"]?.string
    if let file = json["file"], let path = file["path"]?.string {
      tab.file = CollectionFile(
        path: path, savedQuery: file["savedQuery"]?.string ?? "", savedVariables: file["savedVariables"]?.string ?? "")
    }
    if let url = json["endpoint"]?["url"]?.string, !url.isEmpty {
      tab.endpoint = SavedSession.Endpoint(
        name: json["endpoint"]?["name"]?.string, url: url,
        lacksSecrets: json["endpoint"]?["lacksSecrets"]?.bool ?? false)
    }
    tab.operations = json["operations"]?.elements.compactMap(decodeOperation) ?? []
    tab.cachePolicy = json["cachePolicy"]?.string.flatMap(CachePolicy.init) ?? .networkOnly
    // Older files have no origin. Their extensions belong to the server of the session.
    let server: RequestExtensions.Server? = json["extensionsOrigin"].map { origin in
      origin.string.flatMap(Origin.init(url:)).map { .origin($0) } ?? .unknown
    }
    tab.extensions = RequestExtensions(json["extensions"]?.string ?? "", for: server ?? .next)
    tab.runOptions = RunOptions(
      usesGET: json["usesGET"]?.bool ?? false, usesPersistedQueries: json["usesPersistedQueries"]?.bool ?? false)
    tab.query = decodeText(json["query"])
    tab.variables = decodeText(json["variables"])
    tab.headers = decodeText(json["headers"])
    tab.headerOrigins = json["headerOrigins"]?.elements.map { line in
      line.isNull ? nil : line.elements.compactMap { $0.string.flatMap(Origin.init(url:)) }
    }
    tab.place = decodePlace(json["place"])
    if let listing = json["deferred"] { tab.deferredListing = decodeListing(listing) }
    if let run = json["responseRun"]?.int { tab.response = SavedResponse(run: run) }
    return tab
  }

  private static func encode(_ operation: EditorAnalysis.Operation) -> JSONValue {
    .object([
      ("name", operation.name.map { JSONValue($0) } ?? .null), ("kind", JSONValue(operation.kind)),
      ("lines", [JSONValue(operation.lines.lowerBound), JSONValue(operation.lines.upperBound)]),
    ])
  }

  private static func decodeOperation(_ json: JSONValue) -> EditorAnalysis.Operation? {
    let lines = json["lines"]?.elements.compactMap(\.int) ?? []
    guard let kind = json["kind"]?.string, lines.count == 2, 0 <= lines[0], lines[0] <= lines[1] else { return nil }
    return EditorAnalysis.Operation(name: json["name"]?.string, kind: kind, lines: lines[0]...lines[1])
  }

  private static func encode(_ text: SavedSession.EditorContent) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("text", JSONValue(text.buffer.text)), ("cursor", encode(text.selection.cursor)),
      ("anchor", encode(text.selection.anchor)), ("scroll", encode(text.scroll)),
    ]
    if text.wraps { members.append(("wraps", JSONValue(true))) }
    if !text.folds.isEmpty {
      members.append(
        ("folds", .array(text.folds.map { [JSONValue($0.lowerBound), JSONValue($0.upperBound)] })))
    }
    let history = text.history.trimmed()
    if history.canUndo { members.append(("done", .array(history.done.map(encode)))) }
    if history.canRedo { members.append(("undone", .array(history.undone.map(encode)))) }
    return .object(members)
  }

  private static func encode(_ group: EditorHistory.Group) -> JSONValue {
    .object([
      ("kind", JSONValue(group.kind.rawValue)), ("before", encode(group.before.primary)),
      ("after", encode(group.after.primary)),
      (
        "edits",
        .array(group.edits.map { [encode($0.start), JSONValue($0.removed), JSONValue($0.inserted)] })
      ),
    ])
  }

  private static func encode(_ selection: TextSelection) -> JSONValue {
    [encode(selection.anchor), encode(selection.cursor)]
  }

  private static func decodeGroups(_ json: JSONValue?) -> [EditorHistory.Group] {
    json?.elements.map { group in
      EditorHistory.Group(
        kind: group["kind"]?.string.flatMap(EditorHistory.Kind.init) ?? .other,
        edits: group["edits"]?.elements.map {
          EditorHistory.Edit(start: decodePosition($0[0]), removed: $0[1]?.string ?? "", inserted: $0[2]?.string ?? "")
        } ?? [], before: Cursors(primary: decodeSelection(group["before"])),
        after: Cursors(primary: decodeSelection(group["after"])))
    } ?? []
  }

  private static func decodeSelection(_ json: JSONValue?) -> TextSelection {
    TextSelection(anchor: decodePosition(json?[0]), cursor: decodePosition(json?[1]))
  }

  private static func decodeText(_ json: JSONValue?) -> SavedSession.EditorContent {
    var text = SavedSession.EditorContent(
      json?["text"]?.string ?? "",
      selection: TextSelection(anchor: decodePosition(json?["anchor"]), cursor: decodePosition(json?["cursor"])),
      scroll: decodePosition(json?["scroll"]))
    text.wraps = json?["wraps"]?.bool ?? false
    text.folds =
      json?["folds"]?.elements.compactMap { fold in
        guard let first = fold[0]?.int, let last = fold[1]?.int, first <= last else { return nil }
        return first...last
      } ?? []
    text.history = EditorHistory(done: decodeGroups(json?["done"]), undone: decodeGroups(json?["undone"]))
    return text
  }

  private static func encode(_ position: TextPosition) -> JSONValue {
    [JSONValue(position.line), JSONValue(position.column)]
  }

  private static func decodePosition(_ json: JSONValue?) -> TextPosition {
    TextPosition(max(0, json?[0]?.int ?? 0), max(0, json?[1]?.int ?? 0))
  }

  private static func encode(_ listing: DeferredListing) -> JSONValue {
    .object([
      ("order", JSONValue(listing.order.rawValue)), ("reversed", JSONValue(listing.isReversed)),
      ("filter", JSONValue(listing.filter)),
    ])
  }

  private static func decodeListing(_ json: JSONValue) -> DeferredListing {
    DeferredListing(
      order: json["order"]?.string.flatMap(DeferredListing.Order.init) ?? .document,
      isReversed: json["reversed"]?.bool ?? false, filter: json["filter"]?.string ?? "")
  }

  // MARK: Responses

  private static func encode(_ place: SavedSession.ResponseViewState) -> JSONValue {
    let folds = place.listedFolds.map { fold in
      JSONValue.object([
        ("open", JSONValue(fold.isOpen)),
        (
          "path",
          .array(
            fold.steps.map { step in
              switch step {
              case .key(let key): JSONValue(key)
              case .index(let index): JSONValue(index)
              case .range(let range): [JSONValue(range.lowerBound), JSONValue(range.upperBound)]
              }
            })
        ),
      ])
    }
    return .object([
      ("folds", .array(folds)), ("selected", JSONValue(place.selected)), ("scroll", JSONValue(place.scroll)),
    ])
  }

  private static func decodePlace(_ json: JSONValue?) -> SavedSession.ResponseViewState {
    var place = SavedSession.ResponseViewState()
    place.selected = json?["selected"]?.int ?? 0
    place.scroll = json?["scroll"]?.int ?? 0
    place.listedFolds =
      json?["folds"]?.elements.map { fold in
        let steps = fold["path"]?.elements.compactMap { step -> SavedSession.Fold.Step? in
          if let key = step.string { return .key(key) }
          if let index = step.int { return .index(index) }
          guard let first = step[0]?.int, let last = step[1]?.int, first <= last else { return nil }
          return .range(first..<last)
        }
        return SavedSession.Fold(steps: steps ?? [], isOpen: fold["open"]?.bool ?? true)
      } ?? []
    return place
  }

  static func encode(_ response: SavedResponse) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("version", JSONValue(version)), ("run", JSONValue(response.run)),
      ("name", response.operation?.name.map { JSONValue($0) } ?? .null),
      ("kind", response.operation.map { JSONValue($0.kind) } ?? .null),
      ("hidden", response.operation.map { encode($0.hidden) } ?? .null), ("parts", JSONValue(response.parts)),
      ("pages", JSONValue(response.pages)),
      ("bytes", JSONValue(response.byteCount)), ("microseconds", JSONValue(response.elapsed.microseconds)),
    ]
    members.append(("status", JSONValue(response.status.rawValue)))
    if let failure = response.failure {
      members.append(
        (
          "failure",
          .object([
            ("stage", JSONValue(failure.stage.rawValue)), ("message", JSONValue(failure.message)),
            ("summary", failure.summary.map { JSONValue($0) } ?? .null),
          ])
        ))
    }
    members.append(("data", response.data ?? .null))
    members.append(("errors", .array(response.errors.map(\.json))))
    members.append(("fragments", .array(response.fragments.map(encode))))
    members.append(("missing", .array(response.missing.map(\.json))))
    if let use = response.cacheUse { members.append(("cacheUse", encode(use))) }
    return .object(members)
  }

  private static func encode(_ use: CacheUsage) -> JSONValue {
    let misses = use.misses.map { miss in
      JSONValue.object([
        ("path", miss.path.json), ("record", JSONValue(miss.record)), ("field", JSONValue(miss.field)),
        ("reason", JSONValue(miss.reason)), ("hasRecord", JSONValue(miss.hasRecord)),
      ])
    }
    return .object([
      ("fromCache", JSONValue(use.fromCache)), ("fromNetwork", JSONValue(use.fromNetwork)), ("misses", .array(misses)),
    ])
  }

  private static func decodeCacheUse(_ json: JSONValue) -> CacheUsage? {
    guard let fromCache = json["fromCache"]?.int, let fromNetwork = json["fromNetwork"]?.int else { return nil }
    let misses = json["misses"]?.elements.compactMap { miss -> CacheUsage.Miss? in
      guard let path = miss["path"].flatMap({ ResponsePath($0) }) else { return nil }
      return CacheUsage.Miss(
        path: path, record: miss["record"]?.string ?? "", field: miss["field"]?.string ?? "",
        reason: miss["reason"]?.string ?? "", hasRecord: miss["hasRecord"]?.bool ?? false)
    }
    return CacheUsage(fromCache: fromCache, fromNetwork: fromNetwork, misses: misses ?? [])
  }

  private static func encode(_ fragment: DeferredFragment) -> JSONValue {
    var members: [(String, JSONValue)] = [("id", JSONValue(fragment.fragmentID)), ("path", fragment.path.json)]
    if let label = fragment.label { members.append(("label", JSONValue(label))) }
    if let type = fragment.typeCondition { members.append(("type", JSONValue(type))) }
    if let name = fragment.name { members.append(("name", JSONValue(name))) }
    if let announced = fragment.announcedAfter { members.append(("announced", JSONValue(announced.microseconds))) }
    if let settled = fragment.settledAfter { members.append(("microseconds", JSONValue(settled.microseconds))) }
    if let shortfall = fragment.shortfall { members.append(("shortfall", JSONValue(shortfall.rawValue))) }
    switch fragment.state {
    case .pending: members.append(("state", "pending"))
    case .fulfilled: members.append(("state", "fulfilled"))
    case .notExecuted: members.append(("state", "notExecuted"))
    case .failed(let errors): members.append(("errors", .array(errors.map(\.json))))
    }
    return .object(members)
  }

  private static func decodeFragment(_ json: JSONValue) -> DeferredFragment? {
    guard let path = json["path"].flatMap({ ResponsePath($0) }) else { return nil }
    let state: DeferredState =
      switch json["state"]?.string {
      case "pending": .pending
      case "fulfilled": .fulfilled
      case "notExecuted": .notExecuted
      default: .failed(json["errors"]?.elements.map { GraphQLError(json: $0) } ?? [])
      }
    return DeferredFragment(
      fragmentID: json["id"]?.int ?? 0, label: json["label"]?.string, path: path, typeCondition: json["type"]?.string,
      name: json["name"]?.string, state: state, announcedAfter: json["announced"]?.int.map { .microseconds($0) },
      settledAfter: json["microseconds"]?.int.map { .microseconds($0) },
      shortfall: json["shortfall"]?.string.flatMap { IncompleteReason(rawValue: $0) })
  }

  private static func encode(_ hidden: HiddenFields) -> JSONValue {
    .object([
      ("names", .array(hidden.names.sorted().map { JSONValue($0) })),
      ("children", .object(hidden.children.sorted { $0.key < $1.key }.map { ($0.key, encode($0.value)) })),
    ])
  }

  private static func decodeHidden(_ json: JSONValue?) -> HiddenFields {
    HiddenFields(
      names: Set(json?["names"]?.elements.compactMap(\.string) ?? []),
      children: Dictionary(
        (json?["children"]?.members ?? JSONValue.object([]).members).map { ($0.key, decodeHidden($0.value)) },
        uniquingKeysWith: { first, _ in first }))
  }

  static func decodeResponse(_ json: JSONValue) -> SavedResponse? {
    guard json["version"]?.int.map(readVersions.contains) == true, let run = json["run"]?.int else { return nil }
    var response = SavedResponse(
      run: run,
      operation: json["kind"]?.string.map {
        OperationInfo(name: json["name"]?.string, kind: $0, hidden: decodeHidden(json["hidden"]))
      }, parts: json["parts"]?.int ?? 1,
      byteCount: json["bytes"]?.int ?? 0, elapsed: .microseconds(json["microseconds"]?.int ?? 0),
      data: json["data"].flatMap { $0.isNull ? nil : $0 },
      errors: json["errors"]?.elements.map { GraphQLError(json: $0) } ?? [],
      fragments: json["fragments"]?.elements.compactMap(decodeFragment) ?? [])
    response.status = json["status"]?.string.flatMap { HistoryEntry.Status(rawValue: $0) } ?? .complete
    if let failure = json["failure"], let message = failure["message"]?.string {
      let stage = failure["stage"]?.string.flatMap { RunError.Stage(rawValue: $0) } ?? .network
      response.failure = RunError(stage, message, summary: failure["summary"]?.string)
    }
    response.pages = max(0, json["pages"]?.int ?? 0)
    response.missing = json["missing"]?.elements.compactMap { ResponsePath($0) } ?? []
    response.cacheUse = json["cacheUse"].flatMap(decodeCacheUse)
    return response
  }
}

extension Duration {
  var microseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
  }
}

extension PaneID {
  fileprivate init?(keptName: String) {
    guard let pane = PaneID.allCases.first(where: { $0.keptName == keptName }) else { return nil }
    self = pane
  }
}
