import ApusPlatform

/// `apus-benchmarks [NAME...]`: runs the named benchmarks, or all, and prints a table for each.
@main
enum BenchmarkCommand {
  static func main() async {
    do {
      try await run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      let line = "apus-benchmarks: \(error)\n"
      _ = write(STDERR_FILENO, line, line.utf8.count)
      exit(1)
    }
  }

  private static func run(_ arguments: [String]) async throws {
    switch arguments.first {
    case "--list":
      for benchmark in Benchmark.all { print("\(benchmark.name): \(benchmark.summary)") }
    case "--task" where arguments.count > 1:
      try await named(arguments[1]).task(Array(arguments.dropFirst(2)))
    default:
      #if DEBUG
        print("This is a debug build: its figures mean nothing. Build with `-c release`.\n")
      #endif
      for benchmark in arguments.isEmpty ? Benchmark.all : try arguments.map(named) {
        print("# \(benchmark.name): \(benchmark.summary)\n")
        try await benchmark.run()
      }
    }
  }

  private static func named(_ name: String) throws -> Benchmark {
    guard let found = Benchmark.all.first(where: { $0.name == name }) else {
      throw BenchmarkError("there is no benchmark '\(name)'; --list shows all")
    }
    return found
  }
}

/// The reason why a benchmark could not run.
struct BenchmarkError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
