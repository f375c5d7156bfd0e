import ApusFormatting
import ApusClientFormats
import ApusClientRequestChain
import ApusExplorerCore
import ApusSecrets
import Synchronization

/// The traffic of a run, kept so that the run can be saved as a recording after it ends.
final class SavedExchange: Sendable {
  private struct State {
    var observations: [(time: Duration, observation: RequestMonitor.Observation)] = []
    var byteCount = 0
    var leftOut = 0
    var ending: (time: Duration, error: String?, exitCode: Int32)?
  }

  /// The maximum number of bytes of parts to keep; later parts are left out.
  private static let byteLimit = 32 << 20
  private let start = ContinuousClock.now
  private let state = Mutex(State())

  func record(_ observation: RequestMonitor.Observation) {
    record(observation, at: ContinuousClock.now - start)
  }

  func record(_ observation: RequestMonitor.Observation, at time: Duration) {
    state.withLock { state in
      if case .part(let part) = observation {
        guard state.byteCount + part.body.count <= Self.byteLimit else {
          state.leftOut += 1
          return
        }
        state.byteCount += part.body.count
      }
      state.observations.append((time, observation))
    }
  }

  func end(error: String?, exitCode: Int32) {
    end(error: error, exitCode: exitCode, at: ContinuousClock.now - start)
  }

  func end(error: String?, exitCode: Int32, at time: Duration) {
    state.withLock { $0.ending = (time, error, exitCode) }
  }

  /// Writes the run to a file.
  func save(_ session: RunSession, to path: String, _ secrets: SecretValues) -> Action {
    let snapshot = state.withLock { $0 }
    do throws(RecordingFile.WriteError) {
      let file = try RecordingFile(path, secrets: secrets)
      let run = file.startRequest(
        url: session.client.redactedURL, operationName: session.operation.compiled.name, query: session.text,
        variables: session.operation.variables, cachePolicy: session.options.cachePolicy,
        onError: session.options.onError, at: .zero)
      for (time, observation) in snapshot.observations { run.record(observation, at: time) }
      let ending = snapshot.ending ?? (time: snapshot.observations.last?.time ?? .zero, error: nil, exitCode: 0)
      run.end(error: ending.error, exitCode: ending.exitCode, at: ending.time)
      try file.check()
    } catch {
      return .operationFailed("\(error)")
    }
    let rest =
      snapshot.leftOut > 0 ? " without the last \(DisplayFormat.plural(snapshot.leftOut, "payload")), beyond 32 MB" : ""
    return .exported("\(path)\(rest): view it with apus replay, or apus replay --explore for this screen")
  }
}
