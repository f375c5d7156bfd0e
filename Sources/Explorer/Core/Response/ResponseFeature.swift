import ApusClientAPI
import ApusExplorerText
import ApusJSON

/// The response of a tab: its run, its payloads and its presentation.
package struct ResponseFeature: Equatable, Sendable {
  package var run: Run?
  package var tree = ResponseTree()
  /// Results of the run, one per payload.
  package var payloads = PayloadHistory()
  /// The selection in the deferred pane.
  package var deferredList = ListCursor()
  package var deferredListing = DeferredListing()
  /// Resolver timings that the server reported, while they are unfolded.
  package var tracing: ResolverTracing?
  /// The network traffic of the run.
  package var traffic: Traffic?
  package var reading = ResponsePresentation()
  /// The history entry that the response is from, without its response; nil for the response of a run.
  package var opened: HistoryEntry?
  /// The number of events of the subscription when its tab was last shown.
  private var seenEvents = 0
  /// Cache misses of a restored run, whose payloads were not saved.
  var restoredMissing: [ResponsePath] = []

  package init() {}

  /// Whether the visible response is from the previous run, because this one has not received a payload yet.
  package var isOfRunBefore: Bool {
    guard let run, run.payloadCount == 0, run.request != nil else { return false }
    // A subscription starts with an empty event list instead.
    return reading.events == nil && !tree.rows.isEmpty
  }

  /// The number of events that arrived since the tab was last shown.
  package var unseenEvents: Int {
    reading.events == nil ? 0 : max(0, (run?.eventCount ?? 0) - seenEvents)
  }

  /// Counts the events of the shown tab as seen.
  mutating func markEventsSeen() { seenEvents = reading.events == nil ? 0 : run?.eventCount ?? 0 }

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
    reading.filter.result?.data.map { VisibleJSON($0) } ?? tree.complete
  }

  /// The error that ended the run, or the run in the history.
  package var failure: RunError? { run.map(\.failure) ?? opened?.failure }

  /// Errors of the run, or of the response from the history.
  package var errors: [GraphQLError] { run.map(\.errors) ?? tree.errors }

  // MARK: Deferred fragments

  package var fragments: [DeferredFragment] { run?.fragments ?? [] }

  var selectedFragment: DeferredFragment? {
    deferredIndex(ofRow: deferredList.selected).flatMap { fragments.indices.contains($0) ? fragments[$0] : nil }
  }

  /// The index of the payload that delivered the selected fragment or reported its failure.
  var payloadOfSelectedFragment: Int? { selectedFragment.flatMap { payloads.payload(settling: $0) } }
}
