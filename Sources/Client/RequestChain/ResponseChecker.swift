import ApusClientAPI
import ApusClientCache
import ApusClientIncremental
import ApusClientOperation
import ApusClientResultExecution
import ApusGraphQLMediaTypes
import ApusJSON

/// A checked response. Contradictions of the operation are among the errors.
struct CheckedResponse: Sendable {
  var data: JSONValue?
  /// The data for models, with IDs as strings.
  var modelData: JSONValue?
  var errors: [GraphQLError]
  var fragments: [DeferredFragment]
  /// The contradictions of the operation; `nil` if the response was not checked.
  var contradictions: [ResultError]?

  init(_ merged: MergedResult) {
    data = merged.data
    modelData = merged.data
    errors = merged.errors
    fragments = merged.fragments
  }
}

/// Checks a response against its operation, payload by payload.
struct ResponseChecker: Sendable {
  private let checking: ResultChecking
  private let onError: ErrorBehavior?
  private var growing: IncrementalResultExecutor

  init(plan: SelectionPlan, checking: ResultChecking, onError: ErrorBehavior?) {
    self.checking = checking
    self.onError = onError
    growing = IncrementalResultExecutor(plan: plan)
  }

  mutating func receive(_ merged: MergedResult) -> CheckedResponse {
    var response = CheckedResponse(merged)
    guard checking != .none, let data = merged.data, !data.isNull else { return response }
    let fulfilled = merged.fulfilled.map { index in
      (fragmentID: merged.fragments[index].fragmentID, path: merged.fragments[index].objectPath)
    }
    let result = growing.receive(data, changedPaths: merged.changedPaths, fulfilled: fulfilled)
    let expected = expectedNulls(merged)
    response.errors += result.errors.filter { !expected.contains($0) }.map { GraphQLError($0) }
    response.contradictions = result.contradictions.filter { !expected.contains($0) }
    guard checking == .propagateNulls else { return response }
    response.data = result.data
    response.modelData = result.coerced
    guard !result.failures.isEmpty else { return response }
    var failures = Dictionary(grouping: result.failures, by: { Place($0.fragmentID, $0.path) })
    for (index, fragment) in response.fragments.enumerated() {
      guard let failures = failures.removeValue(forKey: Place(fragment.fragmentID, fragment.objectPath)) else {
        continue
      }
      response.fragments[index] = fragment.withState(
        .failed(failures.map { GraphQLError($0.error) }), after: fragment.settledAfter)
    }
    return response
  }

  /// Returns the nulls of non-null fields that the server explains with an error at the same path, as the request asked it
  /// to (`NULL`). A model still gets null at the nearest optional property.
  private func expectedNulls(_ merged: MergedResult) -> ExpectedNulls {
    ExpectedNulls(paths: onError == .null ? Set(merged.errors.compactMap(\.path)) : [])
  }

  private struct ExpectedNulls {
    let paths: Set<ResponsePath>

    func contains(_ error: ResultError) -> Bool {
      guard case .nullForNonNull = error.problem else { return false }
      return paths.contains(error.path)
    }
  }

  private struct Place: Hashable {
    let fragmentID: Int
    let path: ResponsePath

    init(_ fragmentID: Int, _ path: ResponsePath) {
      self.fragmentID = fragmentID
      self.path = path
    }
  }
}
