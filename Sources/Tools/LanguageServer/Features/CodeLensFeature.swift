import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLProjects
import ApusGraphQLSchema
import ApusJSON

extension WorkspaceSnapshot {
  // MARK: Code lenses

  /// Handles `textDocument/codeLens`: a run command at an operation, the number of uses at a fragment, and the number
  /// of operations that use it at a field of an SDL file.
  func codeLenses(_ params: JSONValue) throws(RPCError) -> JSONValue {
    let (project, file) = try file(params)
    var lenses: [JSONValue] = []
    for unit in file.units {
      for definition in unit.document.definitions {
        switch definition {
        case .operation(let node):
          guard project.endpoint != nil || project.hasFetchedSchema else { continue }
          lenses.append(
            lens("Run in apus", .run, at: node.name?.range ?? node.range.lowerBound..<node.range.lowerBound, unit, file)
          )
        case .fragment(let node):
          let count = uses(ofFragment: node.name.value, in: project).count
          lenses.append(
            lens(count == 1 ? "1 use" : "\(count) uses", .references, at: node.name.range, unit, file))
        case .typeDefinition, .schema, .directiveDefinition: continue
        }
      }
    }
    return .array(lenses + (try fieldLenses(file, in: project)))
  }

  /// Returns a lens for each field defined in a schema file, with the number of operations that use it directly or
  /// through fragments.
  private func fieldLenses(_ file: TextFile, in project: Project) throws(RPCError) -> [JSONValue] {
    var fields: [(field: FieldDefinition, range: Range<Int>, unit: GraphQLRegion)] = []
    for unit in file.units {
      guard unit.document.definitions.contains(where: { if case .typeDefinition = $0 { true } else { false } })
      else { continue }
      for occurrence in project.service(unit, of: file).occurrences() where occurrence.isDefinition {
        if case .element(.field(let field)) = occurrence.symbol { fields.append((field, occurrence.range, unit)) }
      }
    }
    guard !fields.isEmpty else { return [] }
    let counts = try operationCounts(of: Set(fields.map(\.field)), in: project)
    return fields.map { field, range, unit in
      let count = counts[field] ?? 0
      return lens(count == 1 ? "1 operation" : "\(count) operations", .references, at: range, unit, file)
    }
  }

  /// Returns the number of operations in a project that use each of the fields.
  private func operationCounts(
    of requested: Set<FieldDefinition>, in project: Project
  ) throws(RPCError) -> [FieldDefinition: Int] {
    var operations: [FieldUses] = []
    var fragments: [String: FieldUses] = [:]
    for path in project.index.summaries.keys {
      guard let file = project.files[path] else { continue }
      try Self.checkCancellation()
      for unit in file.units {
        let service = LanguageService(document: unit.document, schema: project.schema)
        var used: [(offset: Int, field: FieldDefinition)] = []
        for occurrence in service.occurrences() where !occurrence.isDefinition {
          guard case .element(.field(let field)) = occurrence.symbol, requested.contains(field) else { continue }
          used.append((occurrence.range.lowerBound, field))
        }
        for definition in unit.document.definitions {
          let fields = used.lazy.filter { definition.range.contains($0.offset) }.map(\.field)
          let uses = FieldUses(fields: Set(fields), spreads: Set(Self.spreads(in: definition).map(\.name.value)))
          switch definition {
          case .operation: operations.append(uses)
          case .fragment(let node): fragments[node.name.value] = uses
          case .typeDefinition, .schema, .directiveDefinition: continue
          }
        }
      }
    }
    var counts: [FieldDefinition: Int] = [:]
    for operation in operations {
      for field in operation.allFields(fragments) { counts[field, default: 0] += 1 }
    }
    return counts
  }

  private func lens(
    _ title: String, _ command: ServerCapabilities.Command, at range: Range<Int>, _ unit: GraphQLRegion,
    _ file: TextFile
  ) -> JSONValue {
    let position = client.encoding.position(of: range.lowerBound + unit.start, in: file.source)
    return [
      "range": json(range, of: unit, in: file),
      "command": [
        "title": JSONValue(title), "command": JSONValue(command.rawValue),
        "arguments": [["textDocument": ["uri": JSONValue(file.uri)], "position": position.json]],
      ],
    ]
  }

  /// A definition that spreads a fragment.
  private struct Use {
    let file: TextFile
    let unit: GraphQLRegion
    let definition: DefinitionNode
    /// The ranges of the fragment spreads' names in the unit, in bytes.
    let spreads: [Range<Int>]
  }

  private func uses(ofFragment name: String, in project: Project) -> [Use] {
    var uses: [Use] = []
    for path in project.index.files(spreading: name) {
      guard let file = project.files[path] else { continue }
      for unit in file.units {
        for definition in unit.document.definitions {
          let spreads = Self.spreads(in: definition).filter { $0.name.hasValue(name) }.map(\.name.range)
          if !spreads.isEmpty {
            uses.append(Use(file: file, unit: unit, definition: definition, spreads: spreads))
          }
        }
      }
    }
    return uses
  }

  private static func spreads(in definition: DefinitionNode) -> [FragmentSpreadNode] {
    let document = definition.document
    return (definition.id..<document.nodes[Int(definition.id)].next)
      .filter { document.nodes[Int($0)].kind == .fragmentSpread }.map { FragmentSpreadNode(document, $0) }
  }

  // MARK: Call hierarchy

  /// Handles `textDocument/prepareCallHierarchy` for a fragment or an operation.
  func preparedCallHierarchy(_ params: JSONValue) throws(RPCError) -> JSONValue {
    guard let place = try sourceLocation(params), let occurrence = place.service.occurrence(at: place.offset) else {
      return .null
    }
    switch occurrence.symbol {
    case .fragment(let name):
      guard let found = fragment(named: name, in: place.project) else { return .null }
      return [item(.fragment(found.fragment), found.unit, found.file)]
    case .operation(let name):
      guard let operation = place.unit.document.operation(named: name) else { return .null }
      return [item(.operation(operation), place.unit, place.file)]
    case .variable, .fragmentVariable, .alias, .element: return .null
    }
  }

  private func item(_ definition: DefinitionNode, _ unit: GraphQLRegion, _ file: TextFile) -> JSONValue {
    let name: String
    let range: Range<Int>
    var kind = 12
    switch definition {
    case .fragment(let node):
      (name, range, kind) = (node.name.value, node.name.range, 11)
    case .operation(let node):
      (name, range) = (node.name?.value ?? node.operation.rawValue, node.name?.range ?? definition.range)
    case .schema, .typeDefinition, .directiveDefinition:
      (name, range) = ("", definition.range)
    }
    return [
      "name": JSONValue(name), "kind": JSONValue(kind), "uri": JSONValue(file.uri),
      "range": json(definition.range, of: unit, in: file), "selectionRange": json(range, of: unit, in: file),
    ]
  }

  /// Returns the definition that a call hierarchy item refers to.
  private func definition(_ item: JSONValue?) throws(RPCError) -> (Project, TextFile, GraphQLRegion, DefinitionNode)? {
    guard let uri = item?["uri"]?.string, let position = Position(item?["selectionRange"]?["start"]) else {
      throw .params("item is missing")
    }
    let params: JSONValue = ["textDocument": ["uri": JSONValue(uri)], "position": position.json]
    guard let place = try sourceLocation(params) else { return nil }
    let definition = place.unit.document.definitions.first {
      $0.range.lowerBound <= place.offset && place.offset < $0.range.upperBound
    }
    return definition.map { (place.project, place.file, place.unit, $0) }
  }

  /// Handles `callHierarchy/incomingCalls`. Returns the definitions that spread the fragment.
  func incomingCalls(_ params: JSONValue) throws(RPCError) -> JSONValue {
    guard let (project, _, _, definition) = try definition(params["item"]), case .fragment(let fragment) = definition
    else { return [] }
    return .array(
      uses(ofFragment: fragment.name.value, in: project).map { use in
        [
          "from": item(use.definition, use.unit, use.file),
          "fromRanges": .array(use.spreads.map { json($0, of: use.unit, in: use.file) }),
        ]
      })
  }

  /// Handles `callHierarchy/outgoingCalls`. Returns the fragments that are spread.
  func outgoingCalls(_ params: JSONValue) throws(RPCError) -> JSONValue {
    guard let (project, file, unit, definition) = try definition(params["item"]) else { return [] }
    var ranges: [String: [JSONValue]] = [:]
    var names: [String] = []
    for spread in Self.spreads(in: definition) {
      let name = spread.name.value
      if ranges[name] == nil { names.append(name) }
      ranges[name, default: []].append(json(spread.name.range, of: unit, in: file))
    }
    return .array(
      names.compactMap { name -> JSONValue? in
        guard let found = fragment(named: name, in: project) else { return nil }
        return [
          "to": item(.fragment(found.fragment), found.unit, found.file), "fromRanges": .array(ranges[name] ?? []),
        ]
      })
  }
}

/// The fields and fragment spreads in a definition.
private struct FieldUses {
  var fields: Set<FieldDefinition>
  var spreads: Set<String>

  /// Returns the fields together with those of all fragments that the definition spreads.
  func allFields(_ fragments: [String: FieldUses]) -> Set<FieldDefinition> {
    var all = fields
    var seen = spreads
    var waiting = Array(seen)
    while let name = waiting.popLast() {
      guard let fragment = fragments[name] else { continue }
      all.formUnion(fragment.fields)
      for next in fragment.spreads where seen.insert(next).inserted { waiting.append(next) }
    }
    return all
  }
}
