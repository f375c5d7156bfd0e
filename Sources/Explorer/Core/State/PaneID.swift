/// The panes, in the order in which Tab walks through them and Alt-1 to Alt-5 number them.
package enum PaneID: Int, CaseIterable, Hashable, Sendable {
  case query = 1
  case variables, response, deferred, cache

  package var title: String {
    switch self {
    case .query: "Query"
    case .variables: "Variables"
    case .response: "Response"
    case .deferred: "Deferred"
    case .cache: "Cache"
    }
  }

  package var isEditor: Bool { self == .query || self == .variables }

  package func next(by step: Int) -> PaneID {
    let all = PaneID.allCases
    let index = (rawValue - 1 + step + all.count) % all.count
    return all[index]
  }
}

/// The cells that a pane's content has on the screen: what a page is, and what must be scrolled into.
package struct Viewport: Hashable, Sendable {
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}
