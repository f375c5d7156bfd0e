import ApusClientOperation
import ApusJSON

/// Executes a response as it grows: of each part only what it changed is checked, and what was wrong before stays null.
package struct GrowingResult: Sendable {
  private let plan: SelectionPlan
  private var nulls: [ResponsePath] = []
  private var errors: [ResultError] = []
  private var known: Set<ResultError> = []
  private var failures: [FragmentFailure] = []
  private var contradictions: [ResultError] = []
  /// The data so far with its IDs as text; from the first part on that had one as a number.
  private var coerced: JSONValue?

  package init(plan: SelectionPlan) {
    self.plan = plan
  }

  /// Takes the data as it is after one more part. `fulfilled` are the fragments that the part completed.
  package mutating func receive(
    _ data: JSONValue, changedPaths: [ResponsePath], fulfilled: [(fragmentID: Int, path: ResponsePath)] = []
  ) -> ResultExecutor.Result {
    let isWhole = changedPaths.contains(.root)
    var hasNumberIDs = coerced != nil
    for path in isWhole ? [.root] : changedPaths {
      let check = isWhole ? ResultExecutor.run(data, plan: plan) : ResultExecutor.run(data, at: path, plan: plan)
      take(check.notes)
      hasNumberIDs = hasNumberIDs || check.hasNumberIDs
    }
    if hasNumberIDs { coerced = coerce(data, changedPaths: isWhole ? [.root] : changedPaths) }
    for (id, path) in fulfilled {
      take(ResultExecutor.notes(ofFragment: id, at: path, in: data, plan: plan))
    }
    let result = nulled(data)
    return ResultExecutor.Result(
      data: result, coerced: coerced.map(nulled) ?? result, errors: errors, failures: failures,
      contradictions: contradictions)
  }

  /// The data with nulls where something was wrong.
  private func nulled(_ data: JSONValue) -> JSONValue {
    // A place inside what another error has made null already is gone: there is nothing to do.
    nulls.reduce(data) { data, place in (try? data.replacing(at: place, with: .null)) ?? data }
  }

  /// The data with its IDs as text: the part's changes are made in what was coerced before.
  private func coerce(_ data: JSONValue, changedPaths: [ResponsePath]) -> JSONValue {
    guard var result = coerced, !changedPaths.contains(.root) else { return IDCoercion.coerce(data, plan: plan) }
    for path in changedPaths {
      guard let value = IDCoercion.coerce(data, at: path, plan: plan) ?? data.value(at: path),
        let changed = try? result.replacing(at: path, with: value)
      else { return IDCoercion.coerce(data, plan: plan) }
      result = changed
    }
    return result
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
