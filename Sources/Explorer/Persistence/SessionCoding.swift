import ApusClientAPI
import ApusClientRequestChain
import ApusClientRequests
import ApusExplorerCore
import ApusExplorerText
import ApusGraphQLMediaTypes
import ApusJSON
import ApusSecrets

/// The JSON form of saved sessions:
/// `{"version": 3, "shownTab": 0, "focus": "query", …, "tabs": [{"id": 1, "query": {…}, …}]}`.
enum SessionCoding {
  /// The format version. A file of another version is not read, and `SessionStore` leaves it alone.
  static let version = 3

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
    guard json["version"]?.int == version, let tabs = json["tabs"], tabs.kind == .array else { return nil }
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
      let draft = tab.extensions.draft
      if !draft.isComplete { members.append(("extensionsReferences", draft.json)) }
      switch tab.extensions.server {
      case .origin(let origin): members.append(("extensionsOrigin", JSONValue(origin.description)))
      case .unknown: members.append(("extensionsOrigin", .null))
      case .next: break
      }
    }
    if tab.runOptions.usesGET { members.append(("usesGET", JSONValue(true))) }
    if let seconds = tab.runOptions.timeLimit { members.append(("timeLimit", JSONValue(seconds))) }
    if tab.runOptions.usesPersistedQueries { members.append(("usesPersistedQueries", JSONValue(true))) }
    if let onError = tab.runOptions.onError { members.append(("onError", JSONValue(onError.rawValue))) }
    if !tab.runOptions.importedURL.isEmpty { members.append(("importedURL", JSONValue(tab.runOptions.importedURL))) }
    if !tab.runOptions.endpointURL.isEmpty { members.append(("endpointURL", JSONValue(tab.runOptions.endpointURL))) }
    if !tab.runOptions.references.isEmpty {
      members.append(("references", .array(tab.runOptions.references.map(encode))))
    }
    if !tab.runOptions.subscriptionURL.isEmpty {
      members.append(("subscriptionURL", JSONValue(tab.runOptions.subscriptionURL)))
      members.append(
        ("subscriptionOrigin", tab.runOptions.subscriptionOrigin.map { JSONValue($0.description) } ?? .null))
    }
    members.append(("place", encode(tab.responseView)))
    if tab.deferredListing != DeferredListing() { members.append(("deferred", encode(tab.deferredListing))) }
    // The response is in a separate file, which is not rewritten when the query changes.
    if let response = tab.response { members.append(("responseRun", JSONValue(response.run))) }
    return .object(members)
  }

  /// A reference is its name; with a value that can be stored, an object.
  private static func encode(_ reference: RunOptions.Reference) -> JSONValue {
    guard reference.source == .file, let value = reference.value else { return JSONValue(reference.name) }
    return .object([("name", JSONValue(reference.name)), ("value", JSONValue(value))])
  }

  private static func decodeReference(_ json: JSONValue) -> RunOptions.Reference? {
    if let name = json.string { return .init(name: name) }
    guard let name = json["name"]?.string, let value = json["value"]?.string else { return nil }
    return .init(name: name, value: value, source: .file)
  }

  private static func encode(_ file: SavedSession.File) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("path", JSONValue(file.path)), ("savedQuery", JSONValue(file.query.text)),
      ("savedVariables", JSONValue(file.variables.text)),
    ]
    if !file.query.isComplete { members.append(("queryReferences", file.query.json)) }
    if !file.variables.isComplete { members.append(("variablesReferences", file.variables.json)) }
    return .object(members)
  }

  /// The languages of texts with references.
  private enum Language { case document, json, headers }

  /// Decodes text with its references. They are listed only if there are any. Without a list, marks at places that
  /// count as secret are references, as in older files.
  private static func draft(_ text: String, _ references: JSONValue?, _ language: Language, of query: String)
    -> DraftText
  {
    if let references { return DraftText(text, json: references) }
    switch language {
    case .document: return Redactor(document: query).stored(document: text)
    case .json: return Redactor(document: query).stored(variables: text)
    case .headers:
      let placeholder = DraftText.unusedCharacter(in: text)
      return DraftText(
        text.replacing(HeaderLine.notSavedInOlderFiles, with: String(placeholder)), placeholder: placeholder)
    }
  }

  private static func decodeFile(_ json: JSONValue) -> SavedSession.File? {
    guard let path = json["path"]?.string else { return nil }
    let query = json["savedQuery"]?.string ?? ""
    return SavedSession.File(
      path: path, query: draft(query, json["queryReferences"], .document, of: query),
      variables: draft(json["savedVariables"]?.string ?? "", json["variablesReferences"], .json, of: query))
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
    tab.file = json["file"].flatMap(decodeFile)
    let query = json["query"]?["text"]?.string ?? ""
    if let url = json["endpoint"]?["url"]?.string, !url.isEmpty {
      tab.endpoint = SavedSession.Endpoint(
        name: json["endpoint"]?["name"]?.string, url: url,
        lacksSecrets: json["endpoint"]?["lacksSecrets"]?.bool ?? false)
    }
    tab.operations = json["operations"]?.elements.compactMap(decodeOperation) ?? []
    tab.cachePolicy = json["cachePolicy"]?.string.flatMap(CachePolicy.init) ?? .networkOnly
    // Without an origin, the extensions belong to the next server that they are sent to.
    let server: RequestExtensions.Server? = json["extensionsOrigin"].map { origin in
      origin.string.flatMap(Origin.init(url:)).map { .origin($0) } ?? .unknown
    }
    let extensions = draft(json["extensions"]?.string ?? "", json["extensionsReferences"], .json, of: query)
    tab.extensions = RequestExtensions(extensions, for: server ?? .next)
    tab.runOptions = RunOptions(
      usesGET: json["usesGET"]?.bool ?? false, usesPersistedQueries: json["usesPersistedQueries"]?.bool ?? false)
    tab.runOptions.onError = json["onError"]?.string.flatMap { ErrorBehavior(rawValue: $0) }
    tab.runOptions.references = json["references"]?.elements.compactMap(decodeReference) ?? []
    tab.runOptions.endpointURL = json["endpointURL"]?.string ?? ""
    tab.runOptions.importedURL = json["importedURL"]?.string ?? ""
    tab.runOptions.subscriptionURL = json["subscriptionURL"]?.string ?? ""
    tab.runOptions.subscriptionOrigin = json["subscriptionOrigin"]?.string.flatMap(Origin.init(url:))
    tab.runOptions.timeLimit = json["timeLimit"]?.int.flatMap { $0 > 0 ? $0 : nil }
    tab.query = decodeText(json["query"], .document, of: query)
    tab.variables = decodeText(json["variables"], .json, of: query)
    tab.headers = decodeText(json["headers"], .headers, of: query)
    tab.headerOrigins = json["headerOrigins"]?.elements.map { line in
      line.isNull ? nil : line.elements.compactMap { $0.string.flatMap(Origin.init(url:)) }
    }
    tab.responseView = decodeResponseView(json["place"])
    if let listing = json["deferred"] { tab.deferredListing = decodeListing(listing) }
    if let run = json["responseRun"]?.int { tab.response = SavedResponse(run: run) }
    return tab
  }

  private static func encode(_ operation: EditorAnalysis.Operation) -> JSONValue {
    .object([
      ("name", operation.name.map { JSONValue($0) } ?? .null), ("kind", JSONValue(operation.kind)),
      ("lines", [JSONValue(operation.lines.lowerBound), JSONValue(operation.lines.upperBound)]),
      ("firstField", operation.firstField.map { JSONValue($0) } ?? .null),
    ])
  }

  private static func decodeOperation(_ json: JSONValue) -> EditorAnalysis.Operation? {
    let lines = json["lines"]?.elements.compactMap(\.int) ?? []
    guard let kind = json["kind"]?.string, lines.count == 2, 0 <= lines[0], lines[0] <= lines[1] else { return nil }
    return EditorAnalysis.Operation(
      name: json["name"]?.string, kind: kind, lines: lines[0]...lines[1], firstField: json["firstField"]?.string)
  }

  private static func encode(_ text: SavedSession.EditorContent) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("text", JSONValue(text.buffer.text)), ("cursor", encode(text.selection.cursor)),
      ("anchor", encode(text.selection.anchor)), ("scroll", encode(text.scroll)),
    ]
    if !text.references.isEmpty { members.append(("references", text.draft.json)) }
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

  private static func decodeText(
    _ json: JSONValue?, _ language: Language, of query: String
  ) -> SavedSession.EditorContent {
    var text = SavedSession.EditorContent(
      json?["text"]?.string ?? "",
      selection: TextSelection(anchor: decodePosition(json?["anchor"]), cursor: decodePosition(json?["cursor"])),
      scroll: decodePosition(json?["scroll"]))
    text.draft = draft(text.buffer.text, json?["references"], language, of: query)
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

  private static func encode(_ view: SavedSession.ResponseViewState) -> JSONValue {
    let folds = view.listedFolds.map { fold in
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
      ("folds", .array(folds)), ("selected", JSONValue(view.selected)), ("scroll", JSONValue(view.scroll)),
    ])
  }

  private static func decodeResponseView(_ json: JSONValue?) -> SavedSession.ResponseViewState {
    var view = SavedSession.ResponseViewState()
    view.selected = json?["selected"]?.int ?? 0
    view.scroll = json?["scroll"]?.int ?? 0
    view.listedFolds =
      json?["folds"]?.elements.map { fold in
        let steps = fold["path"]?.elements.compactMap { step -> FoldStep? in
          if let key = step.string { return .key(key) }
          if let index = step.int { return .index(index) }
          guard let first = step[0]?.int, let last = step[1]?.int, first <= last else { return nil }
          return .range(first..<last)
        }
        return SavedSession.Fold(steps: steps ?? [], isOpen: fold["open"]?.bool ?? true)
      } ?? []
    return view
  }

  static func encode(_ response: SavedResponse) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("version", JSONValue(version)), ("run", JSONValue(response.run)),
      ("name", response.operation?.name.map { JSONValue($0) } ?? .null),
      ("kind", response.operation.map { JSONValue($0.kind) } ?? .null),
      ("hidden", response.operation.map { encode($0.hidden) } ?? .null), ("parts", JSONValue(response.payloadCount)),
      ("pages", JSONValue(response.pages)),
      ("bytes", JSONValue(response.byteCount)), ("microseconds", JSONValue(response.elapsed.microseconds)),
    ]
    members.append(("status", JSONValue(response.status.rawValue)))
    // A response without data has no member for it, in contrast to one whose data is null.
    if let data = response.data { members.append(("data", data)) }
    members +=
      ResponseOutcome(errors: response.errors, extensions: response.extensions, failure: response.failure).members
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
      ("refetchedAfter", use.refetchedAfter.map { JSONValue($0) } ?? .null),
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
    var use = CacheUsage(fromCache: fromCache, fromNetwork: fromNetwork, misses: misses ?? [])
    use.refetchedAfter = json["refetchedAfter"]?.string
    return use
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
    guard json["version"]?.int == version, let run = json["run"]?.int else { return nil }
    let outcome = ResponseOutcome(json)
    var response = SavedResponse(
      run: run,
      operation: json["kind"]?.string.map {
        OperationInfo(name: json["name"]?.string, kind: $0, hidden: decodeHidden(json["hidden"]))
      }, payloadCount: json["parts"]?.int ?? 1,
      byteCount: json["bytes"]?.int ?? 0, elapsed: .microseconds(json["microseconds"]?.int ?? 0),
      data: json["data"], errors: outcome.errors,
      fragments: json["fragments"]?.elements.compactMap(decodeFragment) ?? [])
    response.status = json["status"]?.string.flatMap { HistoryEntry.Status(rawValue: $0) } ?? .complete
    (response.extensions, response.failure) = (outcome.extensions, outcome.failure)
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
