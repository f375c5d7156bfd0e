import ApusJSON

/// The numbers of values inside lists, by the path of each list around them: `birds.3.eggs.1` is in `birds` and in
/// `birds.3.eggs`. Finding those of a list costs their number, not that of all values.
struct ListMembers: Sendable {
  private var numbers: [ResponsePath: Set<Int>] = [:]

  init(_ paths: some Sequence<(offset: Int, element: ResponsePath)>) {
    for (number, path) in paths { insert(number, at: path) }
  }

  mutating func insert(_ number: Int, at path: ResponsePath) {
    for list in path.outerLists { numbers[list, default: []].insert(number) }
  }

  mutating func remove(_ number: Int, at path: ResponsePath) {
    for list in path.outerLists { numbers[list]?.remove(number) }
  }

  /// Returns the numbers of the values in any of the lists, in ascending order.
  func numbers(in lists: some Sequence<ResponsePath>) -> [Int] {
    lists.reduce(into: Set()) { $0.formUnion(numbers[$1] ?? []) }.sorted()
  }
}

extension ResponsePath {
  /// The paths of the lists around a value.
  fileprivate var outerLists: [ResponsePath] {
    components.indices.compactMap { index in
      if case .index = components[index] { ResponsePath(Array(components[..<index])) } else { nil }
    }
  }
}
