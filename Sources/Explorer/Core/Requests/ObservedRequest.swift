/// A request of an application under `apus tap`, as a row of the Requests view. Its text has no secrets and is truncated.
package struct ObservedRequest: Equatable, Sendable {
  package enum State: Equatable, Sendable {
    case running
    case complete
    /// The response is not complete, not readable, or has no data; with the reason.
    case failed(String)
    /// The application did not wait for the end of the response.
    case cancelled

    /// The name in the list and in the filter.
    package var name: String {
      switch self {
      case .running: "running"
      case .complete: "complete"
      case .failed: "failed"
      case .cancelled: "canceled"
      }
    }
  }

  /// The number of the request, from 1 in the order of arrival.
  package let number: Int
  /// The local time of its arrival.
  package let time: ClockTime
  package var client = ""
  /// The name of the operation, the start of its hash or id, or "`anonymous`".
  package var operation: String
  /// The type of the operation; empty if its document is not known.
  package var type = ""
  /// The method and the path: "`POST /graphql`".
  package var target = ""
  package var state = State.running
  /// The status of the response; `nil` before it, and for WebSockets.
  package var status: Int?
  package var duration: Duration?
  package var firstPayload: Duration?
  package var lastPayload: Duration?
  package var payloadCount = 0
  /// The number of payloads that wait until the user releases them.
  package var heldCount = 0
  package var errorCount = 0
  package var byteCount = 0
  /// The numbers of records that the response added to the cache and changed in it.
  package var newRecords = 0
  package var changedRecords = 0
  /// The rules that changed the response.
  package var changes: [String] = []
  /// The reason why payloads are not merged; `nil` if they are.
  package var problem: String?
  /// The reason why the application could perhaps do without the request; `nil` if there is none.
  package var hint: String?

  package init(number: Int, time: ClockTime, operation: String) {
    (self.number, self.time, self.operation) = (number, time, operation)
  }

  /// The name of the state, or the number of payloads that wait: "`held 2`".
  package var stateWord: String { heldCount > 0 ? "held \(heldCount)" : state.name }

  package var isRunning: Bool { state == .running }

  /// The operation with its type: "`query Birds`".
  package var title: String { type.isEmpty ? operation : "\(type) \(operation)" }

  /// The reason of a failure, or the problem with the response.
  package var remark: String? { if case .failed(let reason) = state { reason } else { problem } }
}
