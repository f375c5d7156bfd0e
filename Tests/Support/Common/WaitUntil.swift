/// Asks repeatedly until a condition holds, for changes that nothing reports. Throws `CancellationError` if the task is
/// canceled, as a test's time limit does.
package func waitUntil(_ holds: () async throws -> Bool) async throws {
  while try await !holds() {
    // Asking without a pause would take a processor from the work that changes the condition.
    try await Task.sleep(for: .milliseconds(1))
  }
}
