import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLProjects
import ApusJSON

extension WorkspaceSnapshot {
  /// Handles `textDocument/documentSymbol`.
  func documentSymbols(_ params: JSONValue) throws(RPCError) -> JSONValue {
    let (project, file) = try file(params)
    return .array(
      file.units.flatMap { unit in
        LanguageService(document: unit.document, schema: project.schema).outline().map { symbol($0, unit, file) }
      })
  }

  private func symbol(_ item: OutlineItem, _ unit: GraphQLRegion, _ file: TextFile) -> JSONValue {
    var members: [(String, JSONValue)] = [
      // The protocol does not allow a symbol without a name.
      ("name", JSONValue(item.name.isEmpty ? item.kind.rawValue : item.name)),
      ("kind", JSONValue(Self.symbolKind(item.kind))), ("range", json(item.range, of: unit, in: file)),
      ("selectionRange", json(item.nameRange.clamped(to: item.range), of: unit, in: file)),
    ]
    if let detail = item.detail { members.append(("detail", JSONValue(detail))) }
    if !item.children.isEmpty {
      members.append(("children", .array(item.children.map { symbol($0, unit, file) })))
    }
    return .object(members)
  }

  private static func symbolKind(_ kind: OutlineKind) -> Int {
    switch kind {
    case .query, .mutation, .subscription: 12
    case .fragment: 11
    case .field: 8
    case .fragmentSpread, .inlineFragment: 3
    case .variable: 13
    case .type, .input: 23
    case .interface: 11
    case .union, .enum: 10
    case .scalar: 26
    case .directive: 24
    case .schema: 4
    case .enumValue: 22
    }
  }

  /// Handles `workspace/symbol`. Finds operations, fragments and types by fuzzy matching, the best match first.
  func workspaceSymbols(_ params: JSONValue) throws(RPCError) -> JSONValue {
    let query = Array((params["query"]?.string ?? "").utf8)
    var found: [(distance: Int, name: String, symbol: JSONValue)] = []
    for project in workspace.projects.values {
      try Self.checkCancellation()
      for file in project.files.values where workspace.project(of: file.path)?.origin == project.origin {
        for unit in file.units {
          for definition in unit.document.definitions {
            guard let (name, kind) = Self.symbol(definition), !name.isMissing,
              let distance = CompletionRanking.distance(of: name.value, from: query)
            else { continue }
            found.append(
              (
                distance, name.value,
                [
                  "name": JSONValue(name.value), "kind": JSONValue(kind),
                  "location": location(shifted(name.range, unit), in: file),
                ]
              ))
          }
        }
      }
    }
    found.sort { ($0.distance, $0.name) < ($1.distance, $1.name) }
    return .array(found.prefix(1000).map(\.symbol))
  }

  private static func symbol(_ definition: DefinitionNode) -> (NameNode, Int)? {
    switch definition {
    case .operation(let node): node.name.map { ($0, symbolKind(.query)) }
    case .fragment(let node): (node.name, symbolKind(.fragment))
    case .typeDefinition(let node): node.isExtension ? nil : (node.name, symbolKind(.type))
    case .directiveDefinition(let node): (node.name, symbolKind(.directive))
    case .schema: nil
    }
  }

  /// Handles `textDocument/foldingRange`.
  func foldingRanges(_ params: JSONValue) throws(RPCError) -> JSONValue {
    let (_, file) = try file(params)
    return .array(
      file.units.flatMap { unit -> [JSONValue] in
        let first = client.encoding.position(of: unit.start, in: file.source).line
        return LanguageService(document: unit.document, schema: nil).foldingRanges().map { fold in
          var members: [(String, JSONValue)] = [
            ("startLine", JSONValue(first + fold.lines.lowerBound - 1)),
            // The line with the closing bracket stays visible.
            ("endLine", JSONValue(first + fold.lines.upperBound - (fold.kind == .block ? 2 : 1))),
          ]
          if fold.kind == .comment { members.append(("kind", "comment")) }
          return .object(members)
        }
      })
  }

  /// Handles `textDocument/selectionRange`.
  func selectionRanges(_ params: JSONValue) throws(RPCError) -> JSONValue {
    var all: [JSONValue] = []
    for json in (params["positions"] ?? .null).elements.prefix(1000) {
      guard let position = Position(json) else { throw .params("a position needs a line and a character") }
      guard let place = try sourceLocation(position, params) else {
        all.append(["range": ["start": position.json, "end": position.json]])
        continue
      }
      var outer: JSONValue?
      for range in LanguageService(document: place.unit.document, schema: nil).selectionRanges(at: place.offset)
        .reversed()
      {
        var members: [(String, JSONValue)] = [("range", self.json(range, of: place.unit, in: place.file))]
        if let outer { members.append(("parent", outer)) }
        outer = .object(members)
      }
      all.append(outer ?? ["range": ["start": position.json, "end": position.json]])
    }
    return .array(all)
  }

  /// Handles `textDocument/inlayHint`. Returns types, if the user enabled them.
  func inlayHints(_ params: JSONValue) throws(RPCError) -> JSONValue {
    guard client.showsTypeHints else { return [] }
    let (project, file) = try file(params)
    let range = try range(params, in: file)
    return .array(
      file.units.flatMap { unit -> [JSONValue] in
        let lower = max(range.lowerBound - unit.start, 0)
        guard lower <= range.upperBound - unit.start else { return [] }
        return LanguageService(document: unit.document, schema: project.schema)
          .typeHints(in: lower..<range.upperBound - unit.start).map { hint in
            let position = client.encoding.position(of: hint.offset + unit.start, in: file.source)
            return ["position": position.json, "label": JSONValue(": \(hint.type)"), "kind": 1]
          }
      })
  }

  /// Handles `textDocument/documentLink`.
  func documentLinks(_ params: JSONValue) throws(RPCError) -> JSONValue {
    let (_, file) = try file(params)
    let folder = "\(file.path.folder)"
    return .array(
      file.units.flatMap { unit -> [JSONValue] in
        LanguageService(document: unit.document, schema: nil).links().map { link in
          let target =
            switch link.target {
            case .url(let url): url
            case .file(let path): DocumentURI.of(path: path.hasPrefix("/") ? path : Self.resolved(path, in: folder))
            }
          return ["range": json(link.range, of: unit, in: file), "target": JSONValue(target)]
        }
      })
  }

  /// Returns a path without `.` and `..`: `/work/a.graphql` for `../a.graphql` in `/work/queries`.
  private static func resolved(_ path: String, in folder: String) -> String {
    var parts: [Substring] = []
    for part in "\(folder)/\(path)".split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }
}
