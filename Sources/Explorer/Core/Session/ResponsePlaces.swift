/// Saving and restoring the position in a response.
extension ResponseTree {
  package var location: SavedSession.ResponseViewState {
    var place = SavedSession.ResponseViewState()
    place.folds = folds
    place.selected = list.selected
    place.scroll = list.scroll
    return place
  }

  mutating func restore(_ place: SavedSession.ResponseViewState) {
    restore(folds: place.folds)
    list.selected = min(max(0, place.selected), max(0, rows.count - 1))
    list.scroll = min(max(0, place.scroll), list.selected)
  }
}

extension FoldTree {
  /// The folds that the user changed, outer folds first; at most 5,000.
  var saved: [SavedSession.Fold] {
    var folds: [SavedSession.Fold] = []
    collect([], into: &folds)
    return folds
  }

  private func collect(_ steps: [SavedSession.Fold.Step], into folds: inout [SavedSession.Fold]) {
    if let isOpen { folds.append(SavedSession.Fold(steps: steps, isOpen: isOpen)) }
    for (step, child) in children.sorted(by: { "\($0.key)" < "\($1.key)" }) {
      guard folds.count < 5000 else { return }
      child.collect(steps + [step.saved], into: &folds)
    }
  }
}

extension FoldTree.Step {
  fileprivate var saved: SavedSession.Fold.Step {
    switch self {
    case .key(let key): .key(key)
    case .index(let index): .index(index)
    case .range(let range): .range(range)
    }
  }

  init(_ saved: SavedSession.Fold.Step) {
    switch saved {
    case .key(let key): self = .key(key)
    case .index(let index): self = .index(index)
    case .range(let range): self = .range(range)
    }
  }
}
