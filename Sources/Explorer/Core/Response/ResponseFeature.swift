import ApusClientAPI
import ApusExplorerText
import ApusJSON

/// The response of a tab: its run, its payloads and its presentation.
package struct ResponseFeature: Equatable, Sendable {
  package var run: Run?
  package var tree = ResponseTree()
  /// The results of the run, one per payload.
  package var parts = PayloadHistory()
  /// The selection in the deferred pane.
  package var deferredList = ListCursor()
  package var deferredListing = DeferredListing()
  /// The resolver timings that the server reported, while they are unfolded.
  package var tracing: ResolverTracing?
  /// The network traffic of the run.
  package var traffic: Traffic?
  package var reading = ResponsePresentation()
  /// The history entry that the response is from, without its response; nil for the response of a run.
  package var opened: HistoryEntry?
  /// The cache misses of a restored run, whose payloads were not saved.
  var restoredMissing: [ResponsePath] = []

  package init() {}

  /// Whether the visible response is from the previous run, because this one has not received a payload yet.
  package var isOfRunBefore: Bool {
    guard let run, run.parts == 0, run.request != nil else { return false }
    // A subscription starts with an empty event list instead.
    return reading.events == nil && !tree.rows.isEmpty
  }

  package var isBusy: Bool { run.map { $0.isActive || $0.paging != nil } ?? false }

  /// The tree that is shown: the result of the filter, or the response.
  package var shownTree: ResponseTree {
    get { reading.filter.result ?? tree }
    set {
      if reading.filter.result != nil { reading.filter.result = newValue } else { tree = newValue }
    }
  }

  /// The data that is shown, without the hidden fields.
  var shownData: VisibleJSON? { shownTree.data.map { VisibleJSON($0, without: shownTree.hidden) } }

  /// The complete response, or the result of the filter if there is one.
  var complete: VisibleJSON {
    guard let shown = shownData else { return VisibleJSON(.null) }
    guard reading.filter.result == nil else { return shown }
    let data = shown.value
    var members = [("data", data)]
    if let errors = run?.errors, !errors.isEmpty { members.append(("errors", .array(errors.map(\.json)))) }
    if let extensions = run?.extensions { members.append(("extensions", extensions)) }
    return VisibleJSON(.object(members), without: shown.hidden.map { HiddenFields(children: ["data": $0]) })
  }

  // MARK: Deferred fragments

  package var fragments: [DeferredFragment] { run?.fragments ?? [] }

  var selectedFragment: DeferredFragment? {
    deferredIndex(ofRow: deferredList.selected).flatMap { fragments.indices.contains($0) ? fragments[$0] : nil }
  }

  /// The index of the payload that delivered the selected fragment or reported its failure.
  var partOfSelectedFragment: Int? { selectedFragment.flatMap { parts.part(settling: $0) } }
}
