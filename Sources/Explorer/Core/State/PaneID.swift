/// The panes, by the numbers that Alt goes to them with.
package enum PaneID: Int, CaseIterable, Equatable, Sendable {
  case query = 1
  case variables, response, deferred, cache, headers

  /// The order in which Tab walks through them.
  package static let walk: [PaneID] = [.query, .variables, .headers, .response, .deferred, .cache]

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

  /// As if they had been looked at in this order.
  static let atFirst: [PaneID] = [.query, .response, .deferred, .variables, .cache, .headers]

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
