import ApusJSON

/// A row of the response tree.
package struct ResponseRow: Equatable, Sendable {
  package enum Label: Equatable, Sendable {
    case root
    case key(String)
    case index(Int)
    /// An item that only the other response has, with its index there.
    case removedItem(Int)
    /// A range of a long list, which can be folded separately.
    case range(Range<Int>)
    case none

    /// Whether the label is that of a path component.
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
    /// The location of a pending deferred fragment, by its index among the fragments of the result.
    case placeholder(fragment: Int)
    /// The end of a streamed list that continues. The number is the index among the streams of the result.
    case moreItems(stream: Int)
    /// An error of the result, shown at its path.
    case problem(error: Int)
    /// Evicted data that has not been refetched yet.
    case missing
  }

  package var depth: Int
  package var label: Label
  package var content: Content
  package var isOpen = false
  /// Whether the newest payload delivered or changed the value.
  package var isFresh = false
  /// The difference from the compared response. A removed row is in the other response only.
  package var difference: ValueChange.Kind?
  /// The value in the compared response if it is another one.
  package var before: JSONValue?
  /// Indexes of the fragments delivered to this object and, while it is folded, of the pending ones.
  package var fragments: [Int] = []

  package var isFoldable: Bool {
    if case .container(_, let count, _) = content { return (count > 0 || isOpen) && difference != .removed }
    return false
  }
}

/// A step of the path to a fold.
package enum FoldStep: Hashable, Sendable {
  case key(String)
  case index(Int)
  /// A stretch of a long list.
  case range(Range<Int>)
}

/// The folds that the user changed, as a tree along the response paths.
struct FoldTree: Equatable, Sendable {
  var isOpen: Bool?
  var children: [FoldStep: FoldTree] = [:]

  mutating func set(_ isOpen: Bool?, at steps: ArraySlice<FoldStep>) {
    guard let step = steps.first else {
      self.isOpen = isOpen
      return
    }
    children[step, default: FoldTree()].set(isOpen, at: steps.dropFirst())
  }
}

/// Annotations on response paths, such as fragments, errors and changes, as a tree along the paths.
struct AnnotationTree: Equatable, Sendable {
  /// Indexes of the settled fragments.
  var settled: [Int] = []
  /// Indexes of the pending fragments, which are shown as placeholders.
  var pending: [Int] = []
  /// Indexes of the incomplete streamed lists.
  var streams: [Int] = []
  var errors: [Int] = []
  var isMissing = false
  /// The value before the newest payload changed it; the outer optional is nil if the payload did not change it.
  var previous: JSONValue??
  var children: [PathComponent: AnnotationTree] = [:]

  mutating func with(_ path: ArraySlice<PathComponent>, _ change: (inout AnnotationTree) -> Void) {
    guard let step = path.first else { return change(&self) }
    children[step, default: AnnotationTree()].with(path.dropFirst(), change)
  }

  /// Removes the previous values of all paths.
  mutating func removePrevious() {
    previous = nil
    for step in children.keys { children[step]?.removePrevious() }
  }

  /// Errors at this path and below.
  var allErrors: [Int] {
    (errors + children.values.flatMap(\.allErrors)).sorted()
  }
}
