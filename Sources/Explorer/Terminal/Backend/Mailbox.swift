import Synchronization

/// Where any task or thread leaves messages for one reader, who takes all that have gathered at once.
package final class Mailbox<Message: Sendable>: Sendable {
  private struct State {
    var messages: [Message] = []
    var reader: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  package init() {}

  /// Leaves a message; never waits.
  package func post(_ message: Message) {
    post([message])
  }

  package func post(_ messages: [Message]) {
    guard !messages.isEmpty else { return }
    let reader = state.withLock { state in
      state.messages += messages
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume()
  }

  /// All messages since the last call, in order; waits while there are none. Empty only if the task was cancelled.
  package func next() async -> [Message] {
    while true {
      let messages = takeAll()
      if !messages.isEmpty || Task.isCancelled { return messages }
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let goOn = state.withLock { state in
            if !state.messages.isEmpty || Task.isCancelled { return true }
            precondition(state.reader == nil, "a mailbox has one reader")
            state.reader = continuation
            return false
          }
          if goOn { continuation.resume() }
        }
      } onCancel: {
        let reader = state.withLock { state in
          defer { state.reader = nil }
          return state.reader
        }
        reader?.resume()
      }
    }
  }

  /// All messages so far, without waiting.
  package func takeAll() -> [Message] {
    state.withLock { state in
      defer { state.messages = [] }
      return state.messages
    }
  }
}
