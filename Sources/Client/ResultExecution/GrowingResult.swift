import ApusClientOperation
import ApusJSON

/// Executes a response as it grows: of each part only what it changed is checked, and what was wrong before stays null.
package struct GrowingResult: Sendable {
  private let plan: SelectionPlan
  private var nulls = NulledPlaces()
  private var errors: [ResultError] = []
  private var known: Set<ResultError> = []
  private var failures: [FragmentFailure] = []
  private var contradictions: [ResultError] = []
  /// The data so far with its IDs as text; from the first part on that had one as a number.
  private var coerced: JSONValue?
  private var nulledData = NulledData()
  private var nulledCoerced = NulledData()

  package init(plan: SelectionPlan) {
    self.plan = plan
  }

  /// Takes the data as it is after one more part. `fulfilled` are the fragments that the part completed.
  package mutating func receive(
    _ data: JSONValue, changedPaths: [ResponsePath], fulfilled: [(fragmentID: Int, path: ResponsePath)] = []
  ) -> ResultExecutor.Result {
    let isWhole = changedPaths.contains(.root)
    let changedPaths = isWhole ? [.root] : changedPaths
    var hasNumberIDs = coerced != nil
    nulls.beginPart()
    for path in changedPaths {
      let check = isWhole ? ResultExecutor.run(data, plan: plan) : ResultExecutor.run(data, at: path, plan: plan)
      take(check.notes)
      hasNumberIDs = hasNumberIDs || check.hasNumberIDs
    }
    if hasNumberIDs { coerced = coerce(data, changedPaths: changedPaths) }
    for (id, path) in fulfilled {
      take(ResultExecutor.notes(ofFragment: id, at: path, in: data, plan: plan))
    }
    let result = nulledData.receive(data, changedPaths: changedPaths, nulls)
    return ResultExecutor.Result(
      data: result, coerced: coerced.map { nulledCoerced.receive($0, changedPaths: changedPaths, nulls) } ?? result,
      errors: errors, failures: failures,
      contradictions: contradictions)
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
      if let place = note.nulled { nulls.add(place) }
      for edge in note.edges {
        let path = ResponsePath(Array(error.path.components.dropLast(edge.beneath ?? error.path.count)))
        failures.append(FragmentFailure(fragmentID: edge.fragmentID, path: path, error: error))
      }
    }
  }
}

/// Where something was wrong, in the order in which it was found, each place once.
private struct NulledPlaces: Sendable {
  private(set) var all: [ResponsePath] = []
  private var known: Set<ResponsePath> = []
  /// How many were there before the part that is being taken.
  private var countBefore = 0

  mutating func beginPart() { countBefore = all.count }

  mutating func add(_ place: ResponsePath) {
    if known.insert(place).inserted { all.append(place) }
  }

  /// Those that the part brought, and those inside what it changed.
  func toRepeat(changedPaths: [ResponsePath]) -> [ResponsePath] {
    let inside = all[..<countBefore].filter { place in
      changedPaths.contains { place.components.starts(with: $0.components) }
    }
    return inside + all[countBefore...]
  }
}

/// A response's data with nulls where something was wrong: kept as it grows, so that a part costs what it changes.
private struct NulledData: Sendable {
  private var value: JSONValue?

  mutating func receive(_ data: JSONValue, changedPaths: [ResponsePath], _ nulls: NulledPlaces) -> JSONValue {
    guard !nulls.all.isEmpty else { return data }
    var (result, places) = (data, nulls.all)
    if let known = value, let grown = Self.taking(changedPaths, of: data, into: known) {
      (result, places) = (grown, nulls.toRepeat(changedPaths: changedPaths))
    }
    // A place inside what another error has made null already is gone: there is nothing to do.
    for place in places { result = (try? result.replacing(at: place, with: .null)) ?? result }
    value = result
    return result
  }

  /// `nil` when something that changed is not in the data.
  private static func taking(_ paths: [ResponsePath], of data: JSONValue, into known: JSONValue) -> JSONValue? {
    var result = known
    for path in paths {
      guard let changed = data.value(at: path) else { return nil }
      result = (try? result.replacing(at: path, with: changed)) ?? result
    }
    return result
  }
}
