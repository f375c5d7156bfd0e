import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLSchema
import ApusJSON

/// `apus schema`: prints a schema, or one element of it, as SDL or as introspection JSON.
struct SchemaCommand: Sendable {
  enum Form: String, CaseIterable {
    case sdl, json
  }

  let arguments: ParsedArguments

  func run() async throws(CommandError) -> ExitCode {
    let coordinate = try coordinate()
    let schema = try await SchemaSource.load(arguments.operands[0], arguments)
    SchemaSource.warn(of: schema)
    try CommandError.checkInterruption()
    let isJSON = arguments.choice("output", default: Form.sdl) == .json
    guard let coordinate else {
      StandardStreams.output(isJSON ? JSONWriter.pretty(schema.introspectionJSON()) + "\n" : schema.printSDL())
      return .success
    }
    do throws(UnknownCoordinateError) {
      let element = try schema.element(at: coordinate)
      StandardStreams.output((isJSON ? JSONWriter.pretty(element.introspectionJSON(of: schema)) : element.sdl) + "\n")
      return .success
    } catch {
      throw CommandError(
        exitCode: .resultErrors, message: "\(arguments.operands[0]): \(coordinate): \(error)")
    }
  }

  private func coordinate() throws(CommandError) -> SchemaCoordinate? {
    guard arguments.operands.count > 1 else { return nil }
    let text = arguments.operands[1]
    do throws(SyntaxDiagnostic) {
      return try SchemaCoordinate(text)
    } catch {
      throw .usage(
        "'\(text)' is not a schema coordinate, at \(error.range.lowerBound + 1): \(error.message)", command: "schema")
    }
  }
}
