import ClientOperation
import JSON

/// Executes a response as it grows: of each part only what it changed is checked, and what was wrong before stays null.
package struct GrowingResult: Sendable {
  private let plan: SelectionPlan
  private var nulls: [ResponsePath] = []
  private var errors: [ResultError] = []
  private var known: Set<ResultError> = []
  private var failures: [FragmentFailure] = []
  private var contradictions: [ResultError] = []

  package init(plan: SelectionPlan) {
    self.plan = plan
  }

  /// Takes the data as it is after one more part. `fulfilled` are the fragments that the part completed.
  package mutating func receive(
    _ data: JSONValue, changedPaths: [ResponsePath], fulfilled: [(fragmentID: Int, path: ResponsePath)] = []
  ) -> ResultExecutor.Result {
    if changedPaths.contains(.root) {
      take(ResultExecutor.notes(of: data, plan: plan))
    } else {
      for path in changedPaths { take(ResultExecutor.notes(of: data, at: path, plan: plan)) }
    }
    for (id, path) in fulfilled {
      take(ResultExecutor.notes(ofFragment: id, at: path, in: data, plan: plan))
    }
    // A place inside what another error has made null already is gone: there is nothing to do.
    let result = nulls.reduce(data) { data, place in (try? data.replacing(at: place, with: .null)) ?? data }
    return ResultExecutor.Result(
      data: result, errors: errors, failures: failures, contradictions: contradictions)
  }

  private mutating func take(_ notes: [ResultNote]) {
    for note in notes {
      let error = note.error
      guard known.insert(error).inserted else { continue }
      errors.append(error)
      if note.isContradiction { contradictions.append(error) }
      if let place = note.nulled, !nulls.contains(place) { nulls.append(place) }
      for edge in note.edges {
        let path = ResponsePath(Array(error.path.components.dropLast(edge.beneath ?? error.path.count)))
        failures.append(FragmentFailure(fragmentID: edge.fragmentID, path: path, error: error))
      }
    }
  }
}
