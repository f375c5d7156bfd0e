import ApusJSON

/// One line of the response tree.
package struct ResponseRow: Equatable, Sendable {
  package enum Label: Equatable, Sendable {
    case root
    case key(String)
    case index(Int)
    /// An item that only the other response has, at its place there.
    case removedItem(Int)
    /// A stretch of a long list, folded by itself.
    case range(Range<Int>)
    case none

    /// Whether it is of what a step of a path leads to.
    func isOf(_ step: PathComponent) -> Bool {
      switch self {
      case .key(let key): step == .key(key)
      case .index(let index): step == .index(index)
      case .root, .removedItem, .range, .none: false
      }
    }
  }

  package enum Content: Equatable, Sendable {
    case leaf(JSONValue)
    case container(isList: Bool, count: Int, typename: String?)
    /// Where a deferred fragment will land, by its place among the fragments of the result.
    case placeholder(fragment: Int)
    /// Where more items of a streamed list will land, by its place among the streams of the result.
    case moreItems(stream: Int)
    /// An error of the result, shown where its path points.
    case problem(error: Int)
    /// What left the cache and is not yet back.
    case missing
  }

  package var depth: Int
  package var label: Label
  package var content: Content
  package var isOpen = false
  /// Came with the newest part.
  package var isFresh = false
  /// How it differs from the response that it is compared with.
  package var difference: RowDifference?
  /// Fragments that landed in this object; while it is folded, those still pending too.
  package var fragments: [Int] = []

  package var isFoldable: Bool {
    if case .container(_, let count, _) = content { return (count > 0 || isOpen) && difference != .removed }
    return false
  }

  package var isContainer: Bool {
    if case .container = content { return true }
    return false
  }
}

/// How a row differs from that of another response.
package enum RowDifference: Equatable, Sendable {
  case added
  /// It is in the other response alone.
  case removed
  case changed(from: JSONValue)
  /// It stood elsewhere in its list.
  case moved
}

/// What a person folded and unfolded by hand, as a tree along the paths of the response.
struct FoldNode: Equatable, Sendable {
  enum Step: Hashable, Sendable {
    case key(String)
    case index(Int)
    case range(Range<Int>)
  }

  var isOpen: Bool?
  var children: [Step: FoldNode] = [:]

  mutating func set(_ isOpen: Bool?, at steps: ArraySlice<Step>) {
    guard let step = steps.first else {
      self.isOpen = isOpen
      return
    }
    children[step, default: FoldNode()].set(isOpen, at: steps.dropFirst())
  }
}

/// What stands at a path besides its value: fragments, errors, changes, as a tree along the paths of the response.
struct MarkNode: Equatable, Sendable {
  /// Settled fragments, and those that a placeholder stands for.
  var settled: [Int] = []
  var pending: [Int] = []
  /// Streamed lists that are not whole.
  var streams: [Int] = []
  var errors: [Int] = []
  var isMissing = false
  /// What stood here before the newest part changed it; the outer optional says whether it did.
  var previous: JSONValue??
  var children: [PathComponent: MarkNode] = [:]

  mutating func with(_ path: ArraySlice<PathComponent>, _ change: (inout MarkNode) -> Void) {
    guard let step = path.first else { return change(&self) }
    children[step, default: MarkNode()].with(path.dropFirst(), change)
  }

  /// Forgets what the newest part changed.
  mutating func removePrevious() {
    previous = nil
    for step in children.keys { children[step]?.removePrevious() }
  }

  /// Every error at or beneath this place.
  var allErrors: [Int] {
    (errors + children.values.flatMap(\.allErrors)).sorted()
  }
}
