import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusGraphQLValidation
import FoundationEssentials

extension Benchmark {
  /// Measures the GraphQL modules against graphql-js: parsing, building and printing GitHub's schema, and validating
  /// Linear's 1,220 definitions, each in a newly started process.
  static let graphQL = Benchmark(
    name: "graphql", summary: "load, print and validate, whole processes, against graphql-js",
    task: { arguments in try GraphQLTask(arguments).run() },
    run: {
      let schemas = try SharedFiles.folder("schemas")
      let github = "\(schemas)/github/schema.graphql"
      let linear = "\(schemas)/linear"
      let isInstalled = GraphQLJS.isInstalled
      if !isInstalled { print("graphql-js is absent (on Debian: apt-get install node-graphql): no ratios.\n") }
      for (title, task) in [
        ("build GitHub's schema", ["build", github]), ("print GitHub's schema", ["print", github]),
        ("validate Linear's documents", ["validate", "\(linear)/schema.graphql", "\(linear)/operations.graphql"]),
      ] {
        try await Comparison(
          title, yardstick: isInstalled ? GraphQLJS.work(task) : nil,
          works: [.task("apus", of: "graphql", task)]
        ).run()
      }
    })
}

/// A task of the benchmark, in a process that does nothing else.
private struct GraphQLTask {
  let arguments: [String]

  init(_ arguments: [String]) { self.arguments = arguments }

  func run() throws {
    switch arguments.first {
    case "build": _ = Schema.load(sdl: [try document(1)])
    case "print": print(Printer.print(try document(1)))
    case "validate":
      let schema = Schema.load(sdl: [try document(1)])
      print(Validator.validate(try document(2), schema: schema).count)
    default: throw BenchmarkError("no such task")
    }
  }

  private func document(_ index: Int) throws -> Document {
    let bytes = try Data(contentsOf: URL(filePath: arguments[index]))
    return Document(parsing: [UInt8](bytes), name: arguments[index])
  }
}

/// The reference implementation, as packaged by Debian, with the same tasks.
enum GraphQLJS {
  static var isInstalled: Bool {
    (try? ProcessMeasurement.run("node", ["-e", "try { \(library) } catch { process.exit(1) }"])) != nil
  }

  static func work(_ task: [String]) -> Workload { .process("graphql-js", "node", ["-e", script, "--"] + task) }

  private static let library = "require('/usr/share/nodejs/graphql')"
  private static let script = """
    const { parse, print, buildASTSchema, validate } = \(library);
    const read = (file) => parse(require('fs').readFileSync(file, 'utf8'));
    const [task, first, second] = process.argv.slice(1);
    if (task === 'build') buildASTSchema(read(first), { assumeValidSDL: true });
    else if (task === 'print') console.log(print(read(first)));
    else console.log(validate(buildASTSchema(read(first), { assumeValidSDL: true }), read(second)).length);
    """
}
