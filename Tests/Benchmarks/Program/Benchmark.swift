/// A program that measures one thing and prints it. Each has a file of its own and a line in `all`.
struct Benchmark: Sendable {
  let name: String
  /// One line on what is measured.
  let summary: String
  let run: @Sendable () async throws -> Void
  /// What the benchmark does when it is its own child (`Work.task`): one piece of work, in a process that does nothing else.
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
