import ApusClientOperation
import ApusJSON
import Synchronization

/// The states of a response's deferred fragments by path. The table is built on first use.
package final class DeferredStates: Sendable {
  private let fragments: [DeferredFragment]
  private let table = Mutex<[ResponsePath: [Int]]?>(nil)

  package init(_ fragments: [DeferredFragment]) {
    self.fragments = fragments
  }

  package func state(of fragmentID: Int, at path: ResponsePath) -> DeferredState? {
    let indexes = table.withLock { table in
      let indexesByPath = table ?? Dictionary(grouping: fragments.indices) { fragments[$0].path }
      table = indexesByPath
      return indexesByPath[path]
    }
    return indexes?.first { fragments[$0].fragmentID == fragmentID }.map { fragments[$0].state }
  }

  struct Relative: Hashable {
    let path: [PathComponent]
    let label: String?
    let state: DeferredState
  }

  /// Returns the states at and below a path, with relative paths.
  func states(nested path: ResponsePath) -> Set<Relative> {
    Set(
      fragments(nested: path).map {
        Relative(path: Array($0.path.components.dropFirst(path.count)), label: $0.label, state: $0.state)
      })
  }

  func fragments(nested path: ResponsePath) -> [DeferredFragment] {
    fragments.filter { $0.path.starts(with: path) }
  }

  /// Returns the state of a fragment derived from the data; `nil` if the object at the path has no such fragment.
  static func state(
    of fragmentID: Int, at path: ArraySlice<PathComponent>, in json: JSONValue, _ node: PlanNode
  ) -> DeferredState? {
    switch path.first {
    case .key(let key):
      guard let child = node.fields(of: json)[key]?.child, let value = json[key] else { return nil }
      return state(of: fragmentID, at: path.dropFirst(), in: value, child)
    case .index(let index):
      guard let element = json[index] else { return nil }
      return state(of: fragmentID, at: path.dropFirst(), in: element, node)
    case nil:
      let typename = node.typename(of: json)
      let deferred = node.fields(for: typename).fragments.first { $0.fragment.id == fragmentID }
      return deferred.map { state(of: $0, node: $0.node, usage: $0.usage, in: json, typename) }
    }
  }

  /// Returns the state of a fragment on an object, derived from the object's data.
  static func state(
    of fragment: PlanFragment, node: PlanNode, usage: PlanDeferral?, in json: JSONValue, _ typename: String?
  ) -> DeferredState {
    if fragment.application == .never { return .notExecuted }
    return FragmentCoverage.covers(node, value: json, typename: typename, usage: usage) ? .fulfilled : .pending
  }
}
