import ApusExplorerText
import ApusJSON

/// The way in which the response is read: its view, and what it is searched for, filtered by and compared with.
package struct Reading: Equatable, Sendable {
  /// What is typed at the foot of the response, while something is.
  package enum Prompt: Equatable, Sendable {
    case search, filter, path, events
  }

  package var prompt: Prompt?
  /// What was typed so far where it is taken only at the end.
  package var pathInput = LineEditor()
  package var search = ResponseSearch()
  package var filter = ResponseFilter()
  package internal(set) var view = ResponseView.tree
  /// The events of a subscription, shown as a list or not; `nil` for queries and mutations.
  package var events: EventList?
  /// The last whole response of another run, to compare with.
  package var previousData: JSONValue?
  package internal(set) var comparison: ResponseComparison?

  package init() {}

  /// Whether an event is opened: the response is that event then.
  package var isEventOpen: Bool { events != nil && view != .events }

  /// Begins with an empty list of events, if the run is of a subscription.
  mutating func begin(isSubscription: Bool) {
    events = isSubscription ? EventList() : nil
    if isSubscription { view = .events } else if view == .events { view = .tree }
  }
}

/// A text that is looked for in the response, and where it is.
package struct ResponseSearch: Equatable, Sendable {
  package var input = LineEditor()
  package var matches: [ResponsePath] = []
  /// The lines that it is in, where the response is shown as text.
  package var lines: [Int] = []
  /// Whether there are more than are counted.
  package var isCut = false
  package var isSearching = false
  /// Which of the matches was gone to.
  package var index = 0
  /// Counts what was asked: the answer to an older question is dropped.
  package var version = 0
  /// A match was gone to, and it is not known yet whether it lies beyond the edge.
  package internal(set) var isToBeShown = false

  package init() {}

  package var text: String { input.text }
  package var isActive: Bool { !input.isEmpty }
  package var count: Int { max(matches.count, lines.count) }
}

/// A jq filter over the response's data.
package struct ResponseFilter: Equatable, Sendable {
  package var input = LineEditor()
  /// Filters that were used before, the newest last.
  package var history: [String] = []
  /// Which of them is shown, counted from the newest, while a person walks through them.
  package var historyPlace: Int?
  package var message: String?
  package var isRunning = false
  package var version = 0
  /// What the filter made of the data, as a tree of its own.
  package var result: ResponseTree?

  package init() {}

  package var text: String { input.text }
  package var isActive: Bool { !input.isEmpty }
}
