import JSON
import Synchronization

/// The states of a response's deferred fragments by their place. The table is made when it is first asked.
package final class DeferredStates: Sendable {
  private let fragments: [DeferredFragment]
  private let table = Mutex<[ResponsePath: [Int]]?>(nil)

  package init(_ fragments: [DeferredFragment]) {
    self.fragments = fragments
  }

  package func state(of fragmentID: Int, at path: ResponsePath) -> DeferredState? {
    let indexes = table.withLock { table in
      let known = table ?? Dictionary(grouping: fragments.indices) { fragments[$0].path }
      table = known
      return known[path]
    }
    return indexes?.first { fragments[$0].fragmentID == fragmentID }.map { fragments[$0].state }
  }

  struct Relative: Hashable {
    let path: [PathComponent]
    let label: String?
    let state: DeferredState
  }

  /// The states of what stands at a place and beneath, by the rest of their paths.
  func states(beneath path: ResponsePath) -> [Relative] {
    fragments.filter { $0.path.starts(with: path) }.map {
      Relative(path: Array($0.path.components.dropFirst(path.count)), label: $0.label, state: $0.state)
    }
  }
}
