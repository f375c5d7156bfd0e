import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLProjects
import ApusJSON

extension WorkspaceSnapshot {
  /// Handles `textDocument/completion`. Items are in order of relevance. Their documentation is added when they are
  /// resolved.
  func completion(_ params: JSONValue) throws(RPCError) -> JSONValue {
    guard let place = try sourceLocation(params) else { return .null }
    var service = LanguageService(document: place.unit.document, schema: place.schema)
    if Self.isSpread(at: place.offset, in: place.unit.document.source.bytes) {
      service.otherFragments = place.project.index.fragments.map {
        .init(name: $0.name, typeCondition: $0.typeCondition)
      }
    }
    let found = service.complete(at: place.offset)
    guard let first = found.first else { return ["isIncomplete": false, "items": []] }
    // All items replace the same word.
    let range = json(first.replacementRange, of: place.unit, in: place.file)
    let digits = String(found.count).count
    let items = found.enumerated().map { index, item in
      let number = String(index)
      let order = String(repeating: "0", count: digits - number.count) + number
      return json(item, order: order, replacing: range, in: place.file)
    }
    return ["isIncomplete": false, "items": .array(items)]
  }

  /// Whether `...` precedes the word at an offset, so that it can be a fragment name.
  private static func isSpread(at offset: Int, in bytes: [UInt8]) -> Bool {
    var index = offset
    while index > 0, EmbeddedGraphQL.isWord(bytes[index - 1]) { index -= 1 }
    while index > 0, bytes[index - 1] <= 0x20 { index -= 1 }
    return index > 0 && bytes[index - 1] == UInt8(ascii: ".")
  }

  private func json(
    _ item: CompletionItem, order: String, replacing range: JSONValue, in file: TextFile
  ) -> JSONValue {
    let isSnippet = client.takesSnippets && !item.snippet.stops.isEmpty
    let text = isSnippet ? Self.snippet(item.snippet) : item.insertText
    var members: [(String, JSONValue)] = [
      ("label", JSONValue(item.label)), ("kind", JSONValue(Self.kind(of: item.kind))), ("sortText", JSONValue(order)),
      ("textEdit", ["range": range, "newText": JSONValue(text)]),
    ]
    if isSnippet { members.append(("insertTextFormat", 2)) }
    if let type = item.type { members.append(("detail", JSONValue(type))) }
    // Characters that are already in the document are not part of the typed word.
    if let sigil = item.label.first, sigil == "$" || sigil == "@", !item.insertText.hasPrefix(String(sigil)) {
      members.append(("filterText", JSONValue(String(item.label.dropFirst()))))
    }
    if item.isDeprecated { members.append(("tags", [1])) }
    switch item.kind {
    case .field where !isSnippet: members.append(("commitCharacters", ["{"]))
    case .enumValue, .variable: members.append(("commitCharacters", [")", ","]))
    default: break
    }
    if let definition = item.definition {
      members.append(("data", ["uri": JSONValue(file.uri), "coordinate": JSONValue(definition.coordinate)]))
    }
    return .object(members)
  }

  /// Converts a snippet to the syntax of the protocol: `birds($1) { $2 \}` has the tab stops 1 and 2.
  private static func snippet(_ snippet: Snippet) -> String {
    var text = ""
    var stops = snippet.stops.enumerated().makeIterator()
    var next = stops.next()
    for (index, character) in (snippet.text + "\0").enumerated() {
      while let stop = next, stop.element == index {
        text += "$\(stop.offset + 1)"
        next = stops.next()
      }
      if character == "\0" { break }
      if "$}\\".contains(character) { text += "\\" }
      text.append(character)
    }
    return text
  }

  private static func kind(of kind: CompletionKind) -> Int {
    switch kind {
    case .field: 5
    case .argument, .inputField: 10
    case .type: 7
    case .enumValue: 20
    case .variable: 6
    case .directive: 3
    case .fragment: 15
    case .keyword: 14
    }
  }

  /// Handles `completionItem/resolve`. Returns the item with its documentation from the schema.
  func resolvedCompletion(_ item: JSONValue) throws(RPCError) -> JSONValue {
    guard let uri = item["data"]?["uri"]?.string, let text = item["data"]?["coordinate"]?.string,
      let schema = workspace.project(of: Workspace.path(of: uri))?.schema,
      let coordinate = try? SchemaCoordinate(text), let element = try? schema.element(at: coordinate)
    else { return item }
    var members = item.members.map { ($0.key, $0.value) }
    members.append(("documentation", markup(HoverText.contents(of: element))))
    return .object(members)
  }

  /// Handles `textDocument/signatureHelp`.
  func signatureHelp(_ params: JSONValue) throws(RPCError) -> JSONValue {
    guard let place = try sourceLocation(params), let signature = place.service.signature(at: place.offset) else {
      return .null
    }
    // An argument's label may also occur in the field's name, so the search starts after the parenthesis.
    let label = signature.label
    var search = label.firstIndex(of: "(") ?? label.startIndex
    let parameters = signature.parameters.map { parameter -> JSONValue in
      var shown = JSONValue(parameter.label)
      if client.takesLabelOffsets, let range = label[search...].firstRange(of: parameter.label) {
        search = range.upperBound
        shown = [
          JSONValue(label.utf16.distance(from: label.startIndex, to: range.lowerBound)),
          JSONValue(label.utf16.distance(from: label.startIndex, to: range.upperBound)),
        ]
      }
      var members: [(String, JSONValue)] = [("label", shown)]
      if let text = parameter.documentation { members.append(("documentation", markup(text))) }
      return .object(members)
    }
    var members: [(String, JSONValue)] = [("label", JSONValue(label)), ("parameters", .array(parameters))]
    if let text = signature.documentation { members.append(("documentation", markup(text))) }
    return [
      "signatures": [.object(members)], "activeSignature": 0,
      // An index after the last parameter means that none is active.
      "activeParameter": JSONValue(signature.active ?? signature.parameters.count),
    ]
  }
}
