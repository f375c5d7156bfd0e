/// A piece of work with a name, which can be run and measured again and again.
struct Work: Sendable {
  let name: String
  let run: @Sendable () async throws -> Cost

  init(name: String, run: @escaping @Sendable () async throws -> Cost) {
    self.name = name
    self.run = run
  }

  /// Work in this process.
  static func here(_ name: String, _ body: @escaping @Sendable () async throws -> Void) -> Work {
    Work(name: name) { try await Cost.measure(body) }
  }

  /// A whole process, from its start to its end; what it prints is dropped.
  static func process(_ name: String, _ program: String, _ arguments: [String]) -> Work {
    Work(name: name) { try WholeProcess.run(program, arguments) }
  }

  /// The task of a benchmark, as a whole process.
  static func task(_ name: String, of benchmark: String, _ arguments: [String]) -> Work {
    process(name, CommandLine.arguments[0], ["--task", benchmark] + arguments)
  }
}
