import ApusJSON

/// A pinned response, shown next to later ones from other runs, tabs or endpoints.
package struct PinnedResponse: Equatable, Sendable {
  /// The title of the operation and the endpoint.
  package let title: String
  /// The identifier of the run that the response is from; nil for a response from the history.
  let run: Int?
  /// The tree to show next to the other response: with its folds, and with the differences marked.
  package private(set) var tree: ResponseTree
  /// The row that corresponds to the selected row of the other response; nil if there is none.
  package private(set) var rowAtHand: Int?
  /// The data of the other response.
  private var other: JSONValue?
  /// The path of the selected row in the other response.
  private var pathAtHand: ResponsePath?

  init?(_ response: ResponseFeature, endpoint: String) {
    guard response.content != .nothing else { return nil }
    run = response.run?.id
    title = [response.run?.operation?.title ?? response.opened?.operation, endpoint].compactMap { $0 }
      .joined(separator: ", ")
    tree = response.tree
    tree.forgetMarks()
  }

  var data: JSONValue? { tree.data }

  /// Folds and marks the tree like the other response, and finds the row that corresponds to the selected one.
  mutating func align(with shown: ResponseTree) {
    guard shown.content == .data, tree.content == .data, let data = shown.data, let current = tree.data else {
      (other, pathAtHand, rowAtHand) = (nil, nil, nil)
      if tree.isComparing { tree.compare(with: nil) }
      return
    }
    let isSame = other?.isIdentical(to: data) ?? false
    if !isSame || tree.folds != shown.folds {
      tree.mirror(shown, data)
      other = data
      pathAtHand = nil
    }
    let path = shown.path(ofRow: shown.list.selected)
    guard path != pathAtHand else { return }
    pathAtHand = path
    rowAtHand = ListAlignment.path(path, of: data, in: current).map { tree.row(nearest: $0) }
  }
}

extension ResponseFeature {
  /// Whether the pinned response is shown next to this one.
  package var isBesidePinned: Bool {
    reading.comparison?.isWithPinned == true && view == .tree && reading.filter.result == nil
  }
}
