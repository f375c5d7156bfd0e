import Synchronization

/// A queue of messages from any thread to a single reader, which receives all waiting messages together.
package final class Mailbox<Message: Sendable>: Sendable {
  private struct State {
    var messages: [Message] = []
    var reader: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  package init() {}

  /// Adds a message without blocking.
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

  /// Returns the messages since the last call in order, and waits if there are none. Empty only if the task is
  /// canceled.
  package func next() async -> [Message] {
    while true {
      let messages = takeAll()
      if !messages.isEmpty || Task.isCancelled { return messages }
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let resumesNow = state.withLock { state in
            if !state.messages.isEmpty || Task.isCancelled { return true }
            precondition(state.reader == nil, "a mailbox has one reader")
            state.reader = continuation
            return false
          }
          if resumesNow { continuation.resume() }
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

  /// Returns the waiting messages without waiting for more.
  package func takeAll() -> [Message] {
    state.withLock { state in
      defer { state.messages = [] }
      return state.messages
    }
  }
}
