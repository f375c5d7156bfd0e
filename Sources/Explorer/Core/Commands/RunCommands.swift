/// Commands for running operations and for their payloads and pages.
extension Command {
  static let runs: [Command] = [
    runOperation, cancel, nextPage, allPages, previousPage, tenPages, firstPage, choosePagedList, offerPaging,
    previousPayload, nextPayload, firstPayload, newestPayload, goToPayload, exportTimeline, showTraffic,
    pickCachePolicy, showCacheUse, runOnOtherEndpoint, editRequestExtensions, pickRequestOptions,
    pickErrorBehavior, editSubscriptionURL,
  ]

  package static let runOperation = Command(
    "runOperation", "Run the operation under the cursor",
    .keys(.everywhere, "F5", "Ctrl-R", footer: "run"),
    .keys(.editors, "Ctrl-Enter"),
    .keys(.panes, "Ctrl-Enter"),
    unless: { $0.tab.editors.query.buffer.isEmpty ? "The query is empty" : nil }
  ) { $0.runOperation() }

  package static let editRequestExtensions = Command(
    "editRequestExtensions", "Request extensions: JSON sent with the variables"
  ) { $0.present(LinePopup(.requestExtensions, text: $0.tab.extensions.text)) }

  package static let pickRequestOptions = Command(
    "pickRequestOptions", "Request options: GET, persisted queries, extensions"
  ) { $0.apply($0.tab.pickRequestOptions(defined: $0.connection.environmentNames)) }

  package static let pickErrorBehavior = Command(
    "pickErrorBehavior", "Choose the effect of field errors (onError)"
  ) { $0.apply($0.tab.pickErrorBehavior()) }

  package static let editSubscriptionURL = Command(
    "editSubscriptionURL", "URL of this tab's subscriptions"
  ) { $0.present(LinePopup(.subscriptionURL, text: $0.tab.runOptions.subscriptionURL)) }

  package static let cancel = Command(
    "cancel", "Cancel the request",
    unless: { $0.tab.response.isBusy ? nil : "Nothing is running" }
  ) { $0.cancelWork() }

  package static let nextPage = Command(
    "nextPage", "Load the next page",
    .keys(.everywhere, "Alt-n"),
    .keys(.response, "n", footer: "next page"),
    .keys(.choice, "n"),
    unless: { $0.reason(againstLoading: .next) }
  ) { $0.loadPages(.next) }

  package static let allPages = Command(
    "allPages", "Load all pages",
    .keys(.everywhere, "Alt-N"),
    .keys(.response, "N", footer: "all pages"),
    .keys(.choice, "N"),
    unless: { $0.reason(againstLoading: .all(limit: nil)) }
  ) { $0.loadPages(.all(limit: nil)) }

  package static let previousPage = Command(
    "previousPage", "Load the previous page",
    .keys(.everywhere, "Alt-p"),
    .keys(.response, "p"),
    .keys(.choice, "p"),
    unless: { $0.reason(againstLoading: .previous) }
  ) { $0.loadPages(.previous) }

  package static let tenPages = Command(
    "tenPages", "Load ten pages",
    .keys(.response, "+"),
    .keys(.choice, "+"),
    unless: { $0.reason(againstLoading: .all(limit: 10)) }
  ) { $0.loadPages(.all(limit: 10)) }

  package static let firstPage = Command(
    "firstPage", "Return to the first page",
    .keys(.response, "P"),
    unless: { $0.reason(againstLoading: .first) }
  ) { $0.loadPages(.first) }

  package static let choosePagedList = Command(
    "choosePagedList", "Choose which list to page",
    .keys(.response, "="),
    unless: { $0.reasonAgainstChoosingAList }
  ) { $0.apply($0.tab.response.choosePagedList(.next)) }

  package static let offerPaging = Command(
    "offerPaging", "Add the fields and arguments that paging needs",
    .keys(.response, "A"),
    unless: { $0.reasonAgainstPaging }
  ) { [$0.tab.editors.offerPaging] }

  package static let previousPayload = Command(
    "previousPayload", "Previous payload",
    .keys(.everywhere, "Alt-,"),
    .keys(.response, "["),
    .keys(.deferred, "[", footer: "previous payload"),
    .keys(.event, "[", help: "Previous event"),
    unless: { $0.tab.response.reasonAgainstSteppingBack }
  ) { $0.apply($0.tab.response.stepThroughPayloads(by: -1)) }

  package static let nextPayload = Command(
    "nextPayload", "Next payload",
    .keys(.everywhere, "Alt-."),
    .keys(.response, "]"),
    .keys(.deferred, "]", footer: "next"),
    .keys(.event, "]", help: "Next event"),
    unless: { $0.tab.response.reasonAgainstSteppingForward }
  ) { $0.apply($0.tab.response.stepThroughPayloads(by: 1)) }

  package static let firstPayload = Command(
    "firstPayload", "First payload",
    .keys(.response, "{"),
    .keys(.deferred, "{"),
    unless: { $0.tab.response.reasonAgainstSteppingBack }
  ) { $0.apply($0.tab.response.showFirstPayload()) }

  package static let goToPayload = Command(
    "goToPayload", "Go to a payload by number",
    .keys(.response, "#"),
    .keys(.deferred, "#", help: "Go to a payload by number"),
    .keys(.event, "#", help: "Go to an event by number"),
    unless: { $0.tab.response.reasonAgainstGoingToPayload }
  ) { $0.present(LinePopup(.payload)) }

  package static let exportTimeline = Command(
    "exportTimeline", "Export the timeline",
    .keys(.deferred, "x", footer: "export", help: "Export the timeline as text or SVG, or copy it"),
    unless: { $0.tab.response.deferredRowCount == 0 ? "There are no deferred fragments" : nil }
  ) { $0.present(ExportPopup(.timeline)) }

  package static let newestPayload = Command(
    "newestPayload", "Latest payload",
    .keys(.response, "}"),
    .keys(.deferred, "}"),
    .keys(.event, "}", help: "Follow the latest event"),
    unless: { $0.tab.response.reasonAgainstSteppingForward }
  ) { $0.apply($0.tab.response.showNewestPayload()) }

  package static let showTraffic = Command(
    "showTraffic", "Traffic: request, format, times, raw payloads",
    .keys(.everywhere, "F9"),
    unless: { $0.tab.response.reasonAgainstTraffic }
  ) { $0.present(TrafficPopup()) }

  package static let pickCachePolicy = Command(
    "pickCachePolicy", "Choose the tab's cache policy",
    .keys(.everywhere, "Alt-c")
  ) { $0.apply($0.tab.pickCachePolicy()) }

  package static let showCacheUse = Command(
    "showCacheUse", "Cache hits and misses",
    .keys(.everywhere, "Alt-u"),
    unless: { $0.tab.response.reasonAgainstCacheUse }
  ) { $0.apply($0.tab.response.showCacheUse()) }
}

extension Command {
  package static let runOnOtherEndpoint = Command(
    "runOnOtherEndpoint", "Run on another endpoint and compare",
    .keys(.everywhere, "Alt-S"),
    unless: { $0.reasonAgainstRunningElsewhereToo }
  ) { $0.apply($0.pickOtherEndpoint()) }
}

extension ExplorerState {
  fileprivate var reasonAgainstPaging: String? {
    guard let run = tab.response.run else {
      return tab.response.opened == nil ? "There is no response" : ResponseFeature.keptAlone
    }
    if run.isActive { return "The operation is still running" }
    // A saved session does not store paging state.
    if run.isRestored, run.lists.isEmpty { return ResponseFeature.fromLastTime }
    if let reason = tab.response.reasonAgainstData { return reason }
    return run.paging != nil ? "Pages are loading" : nil
  }

  fileprivate var reasonAgainstChoosingAList: String? {
    reasonAgainstPaging ?? (tab.response.run?.lists.isEmpty == true ? "The response has no pageable list" : nil)
  }

  fileprivate func reason(againstLoading requested: PageRequest) -> String? {
    if let reason = reasonAgainstPaging { return reason }
    let run = tab.response.run
    let lists = run?.lists ?? []
    let focusedList = tab.response.listToPage(isFocused: isResponseFocused)
    switch requested {
    case .first: return run?.pagedPath == nil ? "This is the first page" : nil
    case .previous, .allPrevious:
      guard let list = focusedList ?? lists.first else { return "The response has no pageable list" }
      return lists.contains(where: \.hasPreviousPage) ? nil : "\(list.path) has no previous page"
    case .next, .all:
      // Without a pageable list, the command offers to add paging.
      guard let list = focusedList ?? lists.first else { return nil }
      if requested.isAll, lists.contains(where: \.hasPreviousPage) { return nil }
      return lists.contains(where: \.hasNextPage) ? nil : "\(list.path) has no next page"
    }
  }
}
