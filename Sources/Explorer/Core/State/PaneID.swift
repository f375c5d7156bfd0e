/// A pane. The raw value is the digit that focuses the pane with Alt.
package enum PaneID: Int, CaseIterable, Equatable, Sendable {
  case query = 1
  case variables, response, deferred, cache, headers

  /// An area of the screen, in reading order. The panes of a region share it as tabs.
  package enum Region: CaseIterable, Equatable, Sendable {
    case query, inputs, response, fragments, cache

    package var panes: [PaneID] { PaneID.allCases.filter { $0.region == self } }
  }

  /// The order in which Tab visits the panes.
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

  /// The name in saved files, such as `deferred`, which does not change with numbers or titles.
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

  /// The help topic for the pane; nil if it depends on the pane's content.
  var topic: Topic? {
    switch self {
    case .deferred: .deferred
    case .cache: .cache
    case .headers: .profiles
    case .query, .variables, .response: nil
    }
  }

  /// The editor in the pane; nil if the pane shows a list.
  package var text: EditorID? {
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

/// The size of a pane's content in cells, for paging and scrolling.
package struct Viewport: Equatable, Sendable {
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}
