import ApusClientRequests

/// An event of the Requests view.
package enum RequestsAction: Equatable, Sendable {
  // From the environment
  /// New and changed requests in the order of their arrival, the number of requests that are left out because newer ones
  /// replace them, and the number of all forwarded requests that are not GraphQL.
  case changed([ObservedRequest], skippedCount: Int, otherCount: Int)
  /// Two queries take each other's fields; with the description.
  case conflictFound(String)
  case noted(String)
  /// No more requests are forwarded; with the reason.
  case failed(String)
  /// A request to open in a tab, without its URL. Its headers are those of the application.
  case opened(Int, RequestDraft)
  /// Rules change responses of new requests, each as a line.
  case rulesUsed([String])
  /// Rules that the user typed are not used, because the line with this index is not a rule; with the reason.
  case rulesRefused(line: Int, String)

  // From the user
  /// The selection moved by a number of rows.
  case moved(by: Int)
  case rowClicked(Int)
  case filterTyped(String)
  /// The request of this number is to be opened in a tab.
  case chosen(Int)
}

/// Work for the Requests view.
package enum RequestsEffect: Equatable, Sendable {
  /// Sends the requests of the application as they arrive.
  case watch
  /// Reads the request of a number, to open it in a tab.
  case open(Int)
  /// Sends the next payload that waits, or all of the response.
  case release(Int, all: Bool)
  /// Makes the payloads of later requests wait; or sends those that wait, and later ones when they arrive.
  case hold(Bool)
  /// Replaces the rules that change responses of later requests by those of lines.
  case use([String])

  private enum Key: Hashable { case watch, open, use }

  var work: EffectWork {
    switch self {
    case .watch: .start(Key.watch, .isBackground) { await $0.requests.watch($1) }
    case .open(let number): .start(Key.open) { $1(await $0.requests.open(number)) }
    case .release(let number, let isAll): .immediately { $0.requests.release(number, isAll) }
    case .hold(let holds): .immediately { $0.requests.hold(holds) }
    case .use(let lines): .start(Key.use) { $1(.requests($0.requests.use(lines))) }
    }
  }
}

/// Access to the requests of an application under `apus tap`.
package struct RequestsEnvironment: Sendable {
  /// Sends changes until the task is canceled.
  package var watch: @Sendable (@escaping ExplorerEnvironment.Send) async -> Void = { _ in }
  /// Reads a request; returns `opened` or `operationFailed`.
  package var open: @Sendable (_ number: Int) async -> Action = { _ in .operationFailed("There is no request") }
  /// Releases the next payload of a request, or all of its response.
  package var release: @Sendable (_ number: Int, _ all: Bool) -> Void = { _, _ in }
  /// Sets whether the payloads of later requests wait.
  package var hold: @Sendable (Bool) -> Void = { _ in }
  /// Replaces the rules; returns `rulesUsed` or `rulesRefused`.
  package var use: @Sendable (_ lines: [String]) -> RequestsAction = { _ in .rulesUsed([]) }

  package init() {}
}
