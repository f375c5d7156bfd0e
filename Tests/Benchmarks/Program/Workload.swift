/// A named work item, which can be run and measured repeatedly.
struct Workload: Sendable {
  let name: String
  let run: @Sendable () async throws -> Cost

  init(name: String, run: @escaping @Sendable () async throws -> Cost) {
    self.name = name
    self.run = run
  }

  /// Creates work that runs in this process.
  static func here(_ name: String, _ body: @escaping @Sendable () async throws -> Void) -> Workload {
    Workload(name: name) { try await Cost.measure(body) }
  }

  /// Creates work that runs a process, from its start to its end. Its output is discarded.
  static func process(_ name: String, _ program: String, _ arguments: [String]) -> Workload {
    Workload(name: name) { try ProcessMeasurement.run(program, arguments) }
  }

  /// Creates work that runs a benchmark's task in a process.
  static func task(_ name: String, of benchmark: String, _ arguments: [String]) -> Workload {
    process(name, CommandLine.arguments[0], ["--task", benchmark] + arguments)
  }
}
