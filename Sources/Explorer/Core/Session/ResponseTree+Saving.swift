/// Saving and restoring the position in a response.
extension ResponseTree {
  package var location: SavedSession.ResponseViewState {
    var view = SavedSession.ResponseViewState()
    view.folds = folds
    view.selected = list.selected
    view.scroll = list.scroll
    return view
  }

  mutating func restore(_ view: SavedSession.ResponseViewState) {
    restore(folds: view.folds)
    list.selected = min(max(0, view.selected), max(0, rows.count - 1))
    list.scroll = min(max(0, view.scroll), list.selected)
  }
}

extension FoldTree {
  /// The folds that the user changed, outer folds first; at most 5,000.
  var saved: [SavedSession.Fold] {
    var folds: [SavedSession.Fold] = []
    collect([], into: &folds)
    return folds
  }

  private func collect(_ steps: [FoldStep], into folds: inout [SavedSession.Fold]) {
    if let isOpen { folds.append(SavedSession.Fold(steps: steps, isOpen: isOpen)) }
    for (step, child) in children.sorted(by: { "\($0.key)" < "\($1.key)" }) {
      guard folds.count < 5000 else { return }
      child.collect(steps + [step], into: &folds)
    }
  }
}
