import ApusJSON

/// The list elements that a payload moved or removed.
struct ListMoves: Sendable {
  /// The new index of each older element that is still in a list, by the present path of the list.
  private var newIndexes: [ResponsePath: [Int: Int]] = [:]

  var isEmpty: Bool { newIndexes.isEmpty }
  /// The present paths of the lists.
  var lists: Dictionary<ResponsePath, [Int: Int]>.Keys { newIndexes.keys }

  /// Adds a list. `sources` are the former indexes of its elements; `nil` for a new element.
  mutating func add(_ sources: [Int?], at path: ResponsePath) {
    var indexes: [Int: Int] = [:]
    for (index, source) in sources.enumerated() {
      if let source { indexes[source] = index }
    }
    newIndexes[path] = indexes
  }

  /// Returns the present path of a value; `nil` if its list element is gone.
  func path(of former: ResponsePath) -> ResponsePath? {
    var path = ResponsePath([])
    for component in former.components {
      if case .index(let index) = component, let indexes = newIndexes[path] {
        guard let moved = indexes[index] else { return nil }
        path.components.append(.index(moved))
      } else {
        path.components.append(component)
      }
    }
    return path
  }
}
