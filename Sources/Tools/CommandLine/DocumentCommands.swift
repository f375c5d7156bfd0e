import ApusClientNetwork
import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLProjects
import ApusGraphQLSchema
import ApusJSON

/// `apus format`: formats documents and keeps their comments.
struct FormatCommand: Sendable {
  let arguments: ParsedArguments

  func run() throws(CommandError) -> ExitCode {
    var exitCode = ExitCode.success
    let width = try arguments.count("width")
    if let width, !GraphQLConfig.formatWidths.contains(width) {
      throw .usage(
        "--width must be from \(GraphQLConfig.formatWidths.lowerBound) to \(GraphQLConfig.formatWidths.upperBound)",
        command: "format")
    }
    for file in try NamedFiles.named(by: arguments, for: .change) {
      let content = try file.load()
      for unit in content.units where !unit.hasGaps {
        guard let diagnostic = unit.document.diagnostics.first else { continue }
        let place = unit.document.source.location(at: diagnostic.range.lowerBound)
        StandardStreams.narrate("apus: \(file.path):\(place.line):\(place.column): \(diagnostic.message)")
        exitCode = .resultErrors
      }
      // A file with a syntax error is not changed, including its other literals.
      if content.units.contains(where: { !$0.hasGaps && $0.document.hasErrors }) { continue }
      let projectWidth = try ProjectSources.find(for: file.path).definition.formatWidth
      let text = content.formatted(width: width ?? projectWidth)
      try CommandError.checkInterruption()
      if arguments.has("check") {
        guard text != content.source.bytes else { continue }
        StandardStreams.show(lines: [file.path])
        exitCode = .resultErrors
      } else if file.path == "-" {
        StandardStreams.output(String(decoding: text, as: UTF8.self))
      } else if text != content.source.bytes {
        try file.replace(with: text, over: content.source.bytes)
      }
    }
    return exitCode
  }
}

/// `apus complete` and `apus hover`: prints results of the language service at a position in a file, for editors.
struct LanguageCommand: Sendable {
  enum Form: String, CaseIterable {
    case json
  }

  let arguments: ParsedArguments

  func run() async throws(CommandError) -> ExitCode {
    let (line, column) = try position()
    let name = arguments.operands[0]
    let file = try LocalFile(named: name).load()
    var schema = try await SchemaSource.load(arguments.values("schema"), arguments)
    var others: [GraphQLSourceFile] = []
    if schema == nil {
      // If the project cannot be read, an editor still gets results that do not need its schema.
      do throws(CommandError) {
        let sources = try ProjectSources.find(for: name)
        others = try sources.others(than: [file])
        schema = try await sources.schema(arguments)
      } catch {
        guard error.exitCode != .interrupted else { throw error }
        StandardStreams.narrate(
          "apus: the project's schema is not used: \(SingleLineText.line(error.message, limit: 2000))")
      }
    }
    let offset = file.source.offset(line: line, column: column)
    let isCompletion = arguments.command.name == "complete"
    guard let unit = file.unit(at: offset) else {
      // There is no GraphQL at this position of the file.
      StandardStreams.output(JSONWriter.compact(isCompletion ? ["items": []] : .null) + "\n")
      return .success
    }
    let documents = ([file] + others).flatMap(\.units).map(\.document).filter { $0 !== unit.document }
    let answer =
      isCompletion
      ? completion(in: unit.document, documents, schema, offset - unit.start)
      : hover(in: unit.document, documents, schema, offset - unit.start)
    try CommandError.checkInterruption()
    StandardStreams.output(JSONWriter.compact(answer) + "\n")
    return .success
  }

  private func completion(in document: Document, _ others: [Document], _ schema: Schema?, _ offset: Int) -> JSONValue {
    var service = LanguageService(document: document, schema: schema)
    service.otherFragments = others.flatMap(\.fragments).map {
      .init(name: $0.name.value, typeCondition: $0.typeCondition.name.value)
    }
    return completion(service, offset)
  }

  private func hover(in document: Document, _ others: [Document], _ schema: Schema?, _ offset: Int) -> JSONValue {
    // Hover also shows definitions in other files. Offsets in the first document are the same in the joined document.
    let joined = others.isEmpty ? document : Document(joining: [document] + others)
    return hover(LanguageService(document: joined, schema: schema), offset)
  }

  private func position() throws(CommandError) -> (line: Int, column: Int) {
    let parts = (arguments.value("at") ?? "").split(separator: ":").map { Int($0) }
    guard parts.count == 2, let line = parts[0], let column = parts[1], line > 0, column > 0 else {
      throw .usage("--at takes LINE:COLUMN, both from 1", command: arguments.command.name)
    }
    return (line, column)
  }

  private func completion(_ service: LanguageService, _ offset: Int) -> JSONValue {
    let items = service.complete(at: offset).map { item -> JSONValue in
      var members: [(String, JSONValue)] = [
        ("label", JSONValue(item.label)), ("kind", JSONValue(item.kind.rawValue)),
        ("type", item.type.map { JSONValue($0) } ?? .null),
        ("documentation", item.documentation.map { JSONValue($0) } ?? .null),
        ("insertText", JSONValue(item.insertText)), ("deprecated", JSONValue(item.isDeprecated)),
      ]
      // The cursor positions in the inserted text, in characters. They are omitted if the cursor goes to its end.
      if !item.snippet.stops.isEmpty { members.append(("stops", .array(item.snippet.stops.map { JSONValue($0) }))) }
      return .object(members)
    }
    return ["items": .array(items)]
  }

  private func hover(_ service: LanguageService, _ offset: Int) -> JSONValue {
    guard let hover = service.hover(at: offset) else { return .null }
    func place(_ offset: Int) -> JSONValue {
      let location = service.document.source.location(at: offset)
      return ["line": JSONValue(location.line), "column": JSONValue(location.column)]
    }
    return [
      "contents": JSONValue(hover.contents),
      "range": ["start": place(hover.range.lowerBound), "end": place(hover.range.upperBound)],
    ]
  }
}
