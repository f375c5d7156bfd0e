import ApusClientOperation
import ApusJSON

/// Executes a response as it grows. Each payload is checked only where it changed the data, and earlier errors stay
/// null.
package struct IncrementalResultExecutor: Sendable {
  private let plan: SelectionPlan
  private var nulls = NulledPaths()
  private var errors: [ResultError] = []
  private var reported: Set<ResultError> = []
  private var failures: [FragmentError] = []
  private var contradictions: [ResultError] = []
  /// The data so far with IDs as strings; set once a payload contained an ID as a number.
  private var coerced: JSONValue?
  private var nulledData = NulledData()
  private var nulledCoerced = NulledData()

  package init(plan: SelectionPlan) {
    self.plan = plan
  }

  /// Processes the data after a payload. `fulfilled` are the fragments that the payload completed.
  package mutating func receive(
    _ data: JSONValue, changedPaths: [ResponsePath], fulfilled: [(fragmentID: Int, path: ResponsePath)] = []
  ) -> ResultExecutor.Result {
    let isWhole = changedPaths.contains(.root)
    let changedPaths = isWhole ? [.root] : changedPaths
    var hasNumberIDs = coerced != nil
    nulls.beginPart()
    for path in changedPaths {
      let check = isWhole ? ResultExecutor.run(data, plan: plan) : ResultExecutor.run(data, at: path, plan: plan)
      merge(check.notes)
      hasNumberIDs = hasNumberIDs || check.hasNumberIDs
    }
    if hasNumberIDs { coerced = coerce(data, changedPaths: changedPaths) }
    for (id, path) in fulfilled {
      merge(ResultExecutor.notes(ofFragment: id, at: path, in: data, plan: plan))
    }
    let result = nulledData.receive(data, changedPaths: changedPaths, nulls)
    return ResultExecutor.Result(
      data: result, coerced: coerced.map { nulledCoerced.receive($0, changedPaths: changedPaths, nulls) } ?? result,
      errors: errors, failures: failures,
      contradictions: contradictions)
  }

  /// Returns the data with IDs as strings. Only the changed paths are converted; the rest comes from the previous
  /// payload.
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

  private mutating func merge(_ notes: [NullPropagation]) {
    for note in notes {
      let error = note.error
      guard reported.insert(error).inserted else { continue }
      errors.append(error)
      if note.isContradiction { contradictions.append(error) }
      if let place = note.nulled { nulls.add(place) }
      for edge in note.edges {
        let path = ResponsePath(Array(error.path.components.dropLast(edge.pathLength ?? error.path.count)))
        failures.append(FragmentError(fragmentID: edge.fragmentID, path: path, error: error))
      }
    }
  }
}

/// The paths of errors, in order and without duplicates.
private struct NulledPaths: Sendable {
  private(set) var all: [ResponsePath] = []
  private var seen: Set<ResponsePath> = []
  /// The number of paths before the current payload.
  private var countBefore = 0

  mutating func beginPart() { countBefore = all.count }

  mutating func add(_ place: ResponsePath) {
    if seen.insert(place).inserted { all.append(place) }
  }

  /// Returns the paths added by the payload, and earlier ones inside its changes.
  func toRepeat(changedPaths: [ResponsePath]) -> [ResponsePath] {
    let inside = all[..<countBefore].filter { place in
      changedPaths.contains { place.components.starts(with: $0.components) }
    }
    return inside + all[countBefore...]
  }
}

/// The data with nulls at errors, kept between payloads so that each costs only its changes.
private struct NulledData: Sendable {
  private var value: JSONValue?

  mutating func receive(_ data: JSONValue, changedPaths: [ResponsePath], _ nulls: NulledPaths) -> JSONValue {
    guard !nulls.all.isEmpty else { return data }
    var (result, places) = (data, nulls.all)
    if let earlier = value, let grown = Self.taking(changedPaths, of: data, into: earlier) {
      (result, places) = (grown, nulls.toRepeat(changedPaths: changedPaths))
    }
    // A path inside another null no longer exists, so the error is ignored.
    for place in places { result = (try? result.replacing(at: place, with: .null)) ?? result }
    value = result
    return result
  }

  /// Copies values at changed paths from the data; `nil` if one does not exist.
  private static func taking(_ paths: [ResponsePath], of data: JSONValue, into earlier: JSONValue) -> JSONValue? {
    var result = earlier
    for path in paths {
      guard let changed = data.value(at: path) else { return nil }
      result = (try? result.replacing(at: path, with: changed)) ?? result
    }
    return result
  }
}
