import ApusJSON

/// A response that is kept beside those that come after it: of another run, another tab, another endpoint.
package struct PinnedResponse: Equatable, Sendable {
  /// The operation and the endpoint.
  package let title: String
  /// The run that it is of.
  let run: Int
  /// As it is shown beside another: folded like it, with its differences marked.
  package private(set) var tree: ResponseTree
  /// The row that the selected one of the other is found again in; nil where it is not here.
  package private(set) var rowAtHand: Int?
  /// What it stands beside, and what of that was selected.
  private var other: JSONValue?
  private var pathAtHand: ResponsePath?

  init?(_ response: TabResponse, endpoint: String) {
    guard let run = response.run, response.tree.data != nil else { return nil }
    self.run = run.id
    title = [run.operation?.title, endpoint].compactMap { $0 }.joined(separator: ", ")
    tree = response.tree
    tree.forgetMarks()
  }

  var data: JSONValue? { tree.data }

  /// Folds and marks it like what it stands beside, and finds again the place that is selected there.
  mutating func align(with shown: ResponseTree) {
    guard let data = shown.data, let own = tree.data else { return }
    let isSame = other?.isIdentical(to: data) ?? false
    if !isSame || tree.folds != shown.folds {
      tree.mirror(shown, data)
      other = data
      pathAtHand = nil
    }
    let path = shown.path(ofRow: shown.list.selected)
    guard path != pathAtHand else { return }
    pathAtHand = path
    rowAtHand = ListMatch.path(path, of: data, in: own).map { tree.row(nearest: $0) }
  }
}

extension TabResponse {
  /// Whether the pinned response stands beside this one.
  package var isBesidePinned: Bool {
    reading.comparison?.isWithPinned == true && view == .tree && reading.filter.result == nil
  }
}
