import ApusExplorerText
import ApusJSON

/// The presentation of the response: its view, search, filter and comparison.
package struct ResponsePresentation: Equatable, Sendable {
  /// The kind of input in the prompt below the response.
  package enum Prompt: Equatable, Sendable {
    case search, filter, path, events, rows
  }

  package var prompt: Prompt?
  /// The path typed so far, which takes effect when the prompt is accepted.
  package var pathInput = LineEditor()
  package var search = ResponseSearch()
  package var filter = ResponseFilter()
  package internal(set) var view = ResponseView.tree
  /// Events of a subscription, whether the list is visible or not; `nil` for queries and mutations.
  package var events: EventList?
  /// The last complete response of another run, for comparison.
  package var previousData: JSONValue?
  package internal(set) var comparison: ResponseComparison?

  package init() {}

  /// Whether an event is open. If so, the response is that event.
  package var isEventOpen: Bool { events != nil && view != .events }

  /// Starts with an empty event list if the run is a subscription.
  mutating func begin(isSubscription: Bool) {
    events = isSubscription ? EventList() : nil
    if isSubscription { view = .events } else if view == .events { view = .tree }
  }
}

/// A search in the response, and its matches.
package struct ResponseSearch: Equatable, Sendable {
  package var input = LineEditor()
  package var matches: [ResponsePath] = []
  /// Matching lines, if the response is shown as JSON text.
  package var lines: [Int] = []
  /// Whether there are more matches than the limit.
  package var isCut = false
  package var isSearching = false
  /// The index of the current match.
  package var index = 0
  /// The number of the last search; results of earlier searches are dropped.
  package var version = 0
  /// Whether the current match still has to be scrolled into view horizontally.
  package internal(set) var isToBeShown = false

  package init() {}

  package var text: String { input.text }
  package var isActive: Bool { !input.isEmpty }
  package var count: Int { max(matches.count, lines.count) }
}

/// A jq filter on the response's data.
package struct ResponseFilter: Equatable, Sendable {
  package var input = LineEditor()
  /// Filters used before, newest last.
  package var history: [String] = []
  /// The position in the history, counted from the newest filter, while the user steps through it.
  package var historyIndex: Int?
  package var message: String?
  package var isRunning = false
  package var version = 0
  /// The output of the filter as a separate tree.
  package var result: ResponseTree?

  package init() {}

  package var text: String { input.text }
  package var isActive: Bool { !input.isEmpty }
}
