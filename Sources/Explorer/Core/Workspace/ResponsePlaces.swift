/// Saving and restoring the position in a response.
extension ResponseTree {
  package var place: Workspace.ResponsePlace {
    var place = Workspace.ResponsePlace()
    place.folds = folds
    place.selected = list.selected
    place.scroll = list.scroll
    return place
  }

  mutating func restore(_ place: Workspace.ResponsePlace) {
    restore(folds: place.folds)
    list.selected = min(max(0, place.selected), max(0, rows.count - 1))
    list.scroll = min(max(0, place.scroll), list.selected)
  }
}

extension FoldNode {
  /// The folds that the user changed, outer folds first; at most 5,000.
  var kept: [Workspace.Fold] {
    var folds: [Workspace.Fold] = []
    collect([], into: &folds)
    return folds
  }

  private func collect(_ steps: [Workspace.Fold.Step], into folds: inout [Workspace.Fold]) {
    if let isOpen { folds.append(Workspace.Fold(steps: steps, isOpen: isOpen)) }
    for (step, child) in children.sorted(by: { "\($0.key)" < "\($1.key)" }) {
      guard folds.count < 5000 else { return }
      child.collect(steps + [step.kept], into: &folds)
    }
  }
}

extension FoldNode.Step {
  fileprivate var kept: Workspace.Fold.Step {
    switch self {
    case .key(let key): .key(key)
    case .index(let index): .index(index)
    case .range(let range): .range(range)
    }
  }

  init(_ kept: Workspace.Fold.Step) {
    switch kept {
    case .key(let key): self = .key(key)
    case .index(let index): self = .index(index)
    case .range(let range): self = .range(range)
    }
  }
}
