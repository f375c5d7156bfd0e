extension Task where Failure == any Error {
  /// The result of the task, which is canceled if the waiting task is, as by a test's time limit.
  package var joined: Success {
    get async throws {
      try await withTaskCancellationHandler {
        try await value
      } onCancel: {
        cancel()
      }
    }
  }
}

extension Task where Failure == Never {
  /// The result of the task, which is canceled if the waiting task is, as by a test's time limit.
  package var joined: Success {
    get async {
      await withTaskCancellationHandler {
        await value
      } onCancel: {
        cancel()
      }
    }
  }
}
