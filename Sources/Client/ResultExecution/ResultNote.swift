import ApusJSON

/// Something wrong in a response on its way up to the place that it makes null; components are added behind as the path
/// becomes known.
struct ResultNote {
  enum Stop: Equatable {
    /// Not yet: at the end of the way up this is the root.
    case none
    /// A nullable place, with so many components of the path beneath it.
    case place(beneath: Int)
    /// The edge of one or more deferred fragments.
    case fragments
    /// Nothing becomes null.
    case told
  }

  /// A deferred fragment whose edge was reached.
  struct Edge {
    let fragmentID: Int
    /// The depth of the object that the fragment stands on.
    let depth: Int
    /// How many components lie beneath that object; `nil` until the way up has come to it.
    var beneath: Int?
  }

  let problem: ResultError.Problem
  var reversedPath: [PathComponent] = []
  var stop: Stop
  var edges: [Edge] = []

  init(problem: ResultError.Problem, stop: Stop) {
    self.problem = problem
    self.stop = stop
  }

  var path: ResponsePath { ResponsePath(Array(reversedPath.reversed())) }

  var error: ResultError { ResultError(problem, at: path) }

  /// Whether it tells of a value that is there and must not be kept as an answer.
  var isContradiction: Bool { stop != .told && problem != .missing }

  /// The place that becomes null.
  var nulled: ResponsePath? {
    switch stop {
    case .none: .root
    case .place(let beneath): ResponsePath(Array(path.components.dropLast(beneath)))
    case .fragments, .told: nil
    }
  }
}

/// A deferred fragment that arrived and cannot be given out.
package struct FragmentFailure: Sendable, Equatable {
  package let fragmentID: Int
  /// The object that the fragment stands on.
  package let path: ResponsePath
  package let error: ResultError
}
