import ApusClientAPI
import ApusExplorerText
import ApusJSON

/// The response of a tab: the run that brought it, its parts, and how it is read.
package struct TabResponse: Equatable, Sendable {
  package var run: Run?
  package var tree = ResponseTree()
  /// The results of the run, one for each part.
  package var parts = PartHistory()
  /// Where one is among the deferred fragments.
  package var rail = ListCursor()
  /// The resolvers that the server tells of, while they are unfolded.
  package var tracing: ResolverTracing?
  /// What went over the wire for the run.
  package var traffic: Traffic?
  package var reading = Reading()
  /// The entry of the history that the response is of, without the response; nil for one of a run.
  package var opened: HistoryEntry?
  /// What a run that was restored missed in the cache: its parts are not kept.
  var restoredMissing: [ResponsePath] = []

  package init() {}

  /// Whether what is in view came with the run before, for nothing has come of this one.
  package var isOfRunBefore: Bool {
    guard let run, run.parts == 0, run.request != nil else { return false }
    // A subscription begins with an empty list of events.
    return reading.events == nil && !tree.rows.isEmpty
  }

  package var isBusy: Bool { run.map { $0.isActive || $0.paging != nil } ?? false }

  /// The tree that is shown: what the filter made of the response, or the response itself.
  package var shownTree: ResponseTree {
    get { reading.filter.result ?? tree }
    set {
      if reading.filter.result != nil { reading.filter.result = newValue } else { tree = newValue }
    }
  }

  /// The data that is shown, as a person asked for it.
  var shownData: SharedJSON? { shownTree.data.map { SharedJSON($0, without: shownTree.hidden) } }

  /// The whole response; of a filtered one what the filter made of it.
  var whole: SharedJSON {
    guard let shown = shownData else { return SharedJSON(.null) }
    guard reading.filter.result == nil else { return shown }
    let data = shown.value
    var members = [("data", data)]
    if let errors = run?.errors, !errors.isEmpty { members.append(("errors", .array(errors.map(\.json)))) }
    if let extensions = run?.extensions { members.append(("extensions", extensions)) }
    return SharedJSON(.object(members), without: shown.hidden.map { HiddenFields(children: ["data": $0]) })
  }

  // MARK: The deferred fragments

  package var fragments: [DeferredFragment] { run?.fragments ?? [] }

  var selectedFragment: DeferredFragment? {
    fragments.indices.contains(rail.selected) ? fragments[rail.selected] : nil
  }

  /// The part that the selected fragment came with.
  var partOfSelectedFragment: Int? { selectedFragment.flatMap { parts.part(settling: $0) } }
}
