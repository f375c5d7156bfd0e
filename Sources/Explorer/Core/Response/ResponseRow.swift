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
    /// The location of further items of a streamed list, by its index among the streams of the result.
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
  /// The difference from the compared response.
  package var difference: RowDifference?
  /// The indexes of the fragments delivered to this object and, while it is folded, of the pending ones.
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

/// The difference between a row and the corresponding row of another response.
package enum RowDifference: Equatable, Sendable {
  case added
  /// Only the other response has the row.
  case removed
  case changed(from: JSONValue)
  /// The item has another position in its list.
  case moved
}

/// The folds that the user changed, as a tree along the response paths.
struct FoldTree: Equatable, Sendable {
  enum Step: Hashable, Sendable {
    case key(String)
    case index(Int)
    case range(Range<Int>)
  }

  var isOpen: Bool?
  var children: [Step: FoldTree] = [:]

  mutating func set(_ isOpen: Bool?, at steps: ArraySlice<Step>) {
    guard let step = steps.first else {
      self.isOpen = isOpen
      return
    }
    children[step, default: FoldTree()].set(isOpen, at: steps.dropFirst())
  }
}

/// Annotations on response paths, such as fragments, errors and changes, as a tree along the paths.
struct AnnotationTree: Equatable, Sendable {
  /// The indexes of the settled fragments.
  var settled: [Int] = []
  /// The indexes of the pending fragments, which are shown as placeholders.
  var pending: [Int] = []
  /// The indexes of the incomplete streamed lists.
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

  /// The errors at this path and below.
  var allErrors: [Int] {
    (errors + children.values.flatMap(\.allErrors)).sorted()
  }
}
