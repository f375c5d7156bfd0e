/// The panes, by the numbers that Alt goes to them with.
package enum PaneID: Int, CaseIterable, Equatable, Sendable {
  case query = 1
  case variables, response, deferred, cache, headers

  /// A place on the screen, in reading order. Panes of one region share it: the others are tabs beside the one shown.
  package enum Region: CaseIterable, Equatable, Sendable {
    case query, inputs, response, fragments, cache

    package var panes: [PaneID] { PaneID.allCases.filter { $0.region == self } }
  }

  /// The order in which Tab walks through them.
  package static let walk = Region.allCases.flatMap(\.panes)

  package var region: Region {
    switch self {
    case .query: .query
    case .variables, .headers: .inputs
    case .response: .response
    case .deferred: .fragments
    case .cache: .cache
    }
  }

  package var title: String {
    switch self {
    case .query: "Query"
    case .variables: "Variables"
    case .response: "Response"
    case .deferred: "Deferred"
    case .cache: "Cache"
    case .headers: "Headers"
    }
  }

  /// The name in a file, which stays when numbers and titles change.
  package var keptName: String {
    switch self {
    case .query: "query"
    case .variables: "variables"
    case .response: "response"
    case .deferred: "deferred"
    case .cache: "cache"
    case .headers: "headers"
    }
  }

  /// The topic that explains it; nil where that depends on its content.
  var topic: Topic? {
    switch self {
    case .deferred: .deferred
    case .cache: .cache
    case .headers: .profiles
    case .query, .variables, .response: nil
    }
  }

  /// The text that it shows; nil where it shows a list.
  package var text: TextID? {
    switch self {
    case .query: .query
    case .variables: .variables
    case .headers: .headers
    case .response, .deferred, .cache: nil
    }
  }

  package var isEditor: Bool { text != nil }

  package func next(by step: Int) -> PaneID {
    let all = PaneID.walk
    let index = all.firstIndex(of: self) ?? 0
    return all[(index + step + all.count) % all.count]
  }
}

/// The cells that a pane's content has on the screen: what a page is, and what must be scrolled into.
package struct Viewport: Equatable, Sendable {
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}
