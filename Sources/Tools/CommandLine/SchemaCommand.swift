import GraphQLSchema
import JSON

/// `apus schema`: prints a schema as SDL or as introspection JSON.
struct SchemaCommand: Sendable {
  let arguments: ParsedArguments

  func run() async throws(CommandFailure) -> ExitCode {
    let schema = try await SchemaSource.load(arguments.operands[0], arguments)
    SchemaSource.warn(of: schema)
    if arguments.value("output") == "json" {
      StandardStreams.output(JSONWriter.pretty(schema.introspectionJSON()) + "\n")
    } else {
      StandardStreams.output(schema.printSDL())
    }
    return .success
  }
}
