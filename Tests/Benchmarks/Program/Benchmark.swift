/// A benchmark, which measures one subject and prints the result. Each has its own file and an entry in `all`.
struct Benchmark: Sendable {
  let name: String
  /// A one-line description.
  let summary: String
  let run: @Sendable () async throws -> Void
  /// Runs one work item in a child process (`Workload.task`) that does nothing else.
  let task: @Sendable ([String]) async throws -> Void

  init(
    name: String, summary: String, task: @escaping @Sendable ([String]) async throws -> Void = { _ in },
    run: @escaping @Sendable () async throws -> Void
  ) {
    self.name = name
    self.summary = summary
    self.task = task
    self.run = run
  }

  static let all: [Benchmark] = [
    .graphQL, .languageService, .languageServer, .network, .response, .pager, .generation, .cache, .explorer,
  ]
}
