import ApusClientNetwork
import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLSchema
import ApusJSON

/// `apus format`: writes documents in the canonical form, comments kept.
struct FormatCommand: Sendable {
  let arguments: ParsedArguments

  func run() throws(CommandFailure) -> ExitCode {
    var exitCode = ExitCode.success
    for file in try DocumentFiles.named(by: arguments) {
      let document = try file.document()
      if let diagnostic = document.diagnostics.first {
        let place = document.source.location(at: diagnostic.range.lowerBound)
        StandardStreams.narrate("apus: \(file.path):\(place.line):\(place.column): \(diagnostic.message)")
        exitCode = .resultHasErrors
        continue
      }
      let text = Formatter.format(document)
      try CommandFailure.checkInterruption()
      if arguments.has("check") {
        guard Array(text.utf8) != document.source.bytes else { continue }
        StandardStreams.show(file.path + "\n")
        exitCode = .resultHasErrors
      } else if file.path == "-" {
        StandardStreams.output(text)
      } else if Array(text.utf8) != document.source.bytes {
        try file.replace(with: text)
      }
    }
    return exitCode
  }
}

/// `apus complete` and `apus hover`: the language service at a place of a file, for editors.
struct LanguageCommand: Sendable {
  enum Form: String, CaseIterable {
    case json
  }

  let arguments: ParsedArguments

  func run() async throws(CommandFailure) -> ExitCode {
    let (line, column) = try place()
    var schema: Schema?
    var others: [Document] = []
    let file = arguments.operands[0]
    if let source = arguments.value("schema") {
      schema = try await SchemaSource.load(source, arguments)
    } else {
      // An editor that asks while somebody types gets what can be had without the project.
      do throws(CommandFailure) {
        let sources = try ProjectSources.find(for: file)
        others = try sources?.documents(but: [file]) ?? []
        schema = try await sources?.schema(arguments)
      } catch {
        guard error.exitCode != .interrupted else { throw error }
        StandardStreams.narrate("apus: without the project's schema: \(PlainText.line(error.message, limit: 2000))")
      }
    }
    let document = try LocalFile.document(file)
    var service = LanguageService(document: document, schema: schema)
    service.otherFragments = others.flatMap(\.fragments).map {
      .init(name: $0.name.value, typeCondition: $0.typeCondition.name.value)
    }
    let offset = document.source.offset(line: line, column: column)
    let answer = arguments.command.name == "complete" ? completion(service, offset) : hover(service, offset)
    try CommandFailure.checkInterruption()
    StandardStreams.output(JSONWriter.compact(answer) + "\n")
    return .success
  }

  private func place() throws(CommandFailure) -> (line: Int, column: Int) {
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
      // Where the writer goes on in what was inserted, in characters; absent where that is its end.
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
