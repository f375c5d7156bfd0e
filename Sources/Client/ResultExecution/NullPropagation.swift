import ApusJSON

/// An error during null propagation. Path components are appended on the way up, from the innermost.
struct NullPropagation {
  enum Stop: Equatable {
    /// Propagation continues; at the end, the root becomes null.
    case none
    /// A nullable value becomes null. The number of path components is below it.
    case place(pathLength: Int)
    /// Propagation stopped at one or more deferred fragments.
    case fragments
    /// Nothing becomes null.
    case reported
  }

  /// A deferred fragment at which propagation stopped.
  struct FragmentBoundary {
    let fragmentID: Int
    /// The depth of the fragment's object.
    let depth: Int
    /// The number of path components below that object; `nil` until propagation has reached it.
    var pathLength: Int?
  }

  let problem: ResultError.Problem
  var reversedPath: [PathComponent] = []
  var stop: Stop
  var edges: [FragmentBoundary] = []

  init(problem: ResultError.Problem, stop: Stop) {
    self.problem = problem
    self.stop = stop
  }

  var path: ResponsePath { ResponsePath(Array(reversedPath.reversed())) }

  var error: ResultError { ResultError(problem, at: path) }

  /// Whether the error concerns an existing value that must not be cached.
  var isContradiction: Bool { stop != .reported && problem != .missing }

  /// The path that becomes null.
  var nulled: ResponsePath? {
    switch stop {
    case .none: .root
    case .place(let pathLength): ResponsePath(Array(path.components.dropLast(pathLength)))
    case .fragments, .reported: nil
    }
  }
}

/// A deferred fragment that failed although it arrived.
package struct FragmentError: Sendable, Equatable {
  package let fragmentID: Int
  /// The path of the fragment's object.
  package let path: ResponsePath
  package let error: ResultError
}
