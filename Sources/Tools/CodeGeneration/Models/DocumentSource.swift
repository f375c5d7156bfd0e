import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusGraphQLValidation

/// The joined documents, validated and completed by the fields that models need.
struct DocumentSource {
  /// All definitions, with `__typename` and declared key fields in the selections of objects.
  let document: Document
  /// Key fields without properties in models, by the offsets of their selection sets.
  let hiddenKeys: [Int: KeyFieldInserter.HiddenKeys]
  /// Names of operations and fragments that are omitted because they are invalid.
  let invalid: Set<String>
  let warnings: [GenerationDiagnostic]

  /// Directives that mark an operation or fragment as local to the cache.
  static let localCacheMutations = ["apollo_client_ios_localCacheMutation", "localCacheMutation"]

  init(_ documents: [Document], schema: Schema, keyFields: KeyFields, skipsInvalid: Bool) throws(GenerationError) {
    let joined = Document(joining: documents)
    let errors = joined.definitions.isEmpty ? [] : Self.errors(in: joined, schema: schema)
    let found = errors.map { joined.diagnostic($0.message, at: $0.offset) }
    guard found.isEmpty || skipsInvalid else { throw GenerationError(found) }
    warnings = found
    invalid = joined.definitions(touching: errors.map(\.offset))
    let keyed = KeyFieldInserter(joined, schema: schema, keyFields: keyFields)
    document = keyed.document
    hiddenKeys = keyed.hiddenKeys
  }

  private struct Finding {
    let message: String
    let offset: Int
  }

  private static func errors(in document: Document, schema: Schema) -> [Finding] {
    let rules = Validator.specifiedRules.filter { $0.name != "NoUnusedFragmentsRule" }
    let directives = document.nodes.indices.lazy.filter { document.nodes[$0].kind == .directive }
      .map { DirectiveNode(document, NodeID($0)) }
    let isForTheCache = directives.contains { directive in localCacheMutations.contains { directive.name.hasValue($0) }
    }
    let errors = Validator.validate(
      document, schema: isForTheCache ? schemaWithLocalDirectives(schema) : schema, rules: rules)
    var findings = errors.flatMap { error in
      offsets(of: error, in: document).map { Finding(message: "\(error.message) [\(error.rule)]", offset: $0) }
    }
    for operation in document.operations where operation.name == nil {
      findings.append(
        Finding(message: "an operation needs a name, which its model gets too", offset: operation.range.lowerBound))
    }
    for directive in directives {
      guard directive.name.hasValue("defer"), directive.argument(named: "label")?.value.kind != .string else {
        continue
      }
      findings.append(
        Finding(
          message: "@defer needs a label here, which names the deferred fragment's model",
          offset: directive.range.lowerBound))
    }
    return findings.sorted { $0.offset < $1.offset }
  }

  /// Returns where an error is reported: a name that several files define in each of them, other errors once.
  private static func offsets(of error: ValidationError, in document: Document) -> [Int] {
    let offsets = error.ranges.map(\.lowerBound)
    guard error.rule.hasPrefix("Unique") else { return [offsets.first ?? 0] }
    var files: Set<String> = []
    return offsets.filter { files.insert(document.source.name(at: $0)).inserted }
  }

  /// Returns the schema with the directives for local cache mutations added.
  private static func schemaWithLocalDirectives(_ schema: Schema) -> Schema {
    let missing = localCacheMutations.filter { schema.directive(named: $0) == nil }
    guard !missing.isEmpty else { return schema }
    let definitions = missing.map { "directive @\($0) on QUERY | MUTATION | SUBSCRIPTION | FRAGMENT_DEFINITION" }
    let document = Document(parsing: definitions.joined(separator: "\n"), name: "local directives")
    return Schema.load(sdl: schema.documents + [document])
  }
}

extension Document {
  fileprivate func diagnostic(_ message: String, at offset: Int) -> GenerationDiagnostic {
    let place = source.location(at: offset)
    return GenerationDiagnostic(
      file: source.name(at: offset), line: place.line, column: place.column, message: message)
  }

  /// Returns the definitions at the given offsets in ascending order, and those that use them.
  fileprivate func definitions(touching offsets: [Int]) -> Set<String> {
    guard !offsets.isEmpty else { return [] }
    var next = 0
    var users: [String: [String]] = [:]
    var pending: [String] = []
    for definition in definitions {
      guard let name = DefinitionName(definition)?.key else { continue }
      let range = definition.range
      while next < offsets.count, offsets[next] < range.lowerBound { next += 1 }
      if next < offsets.count, range.contains(offsets[next]) { pending.append(name) }
      for id in Int(definition.id)..<Int(nodes[Int(definition.id)].next)
      where nodes[id].kind == .fragmentSpread {
        users["fragment " + FragmentSpreadNode(self, NodeID(id)).name.value, default: []].append(name)
      }
    }
    var touched: Set<String> = []
    while let name = pending.popLast() {
      if touched.insert(name).inserted { pending += users[name] ?? [] }
    }
    return touched
  }
}

/// The unique key of a definition, which distinguishes fragments and operations: `fragment Birds`, `operation Birds`.
struct DefinitionName {
  let key: String

  init?(_ definition: DefinitionNode) {
    switch definition {
    case .operation(let operation): key = "operation " + (operation.name?.value ?? "")
    case .fragment(let fragment): key = "fragment " + fragment.name.value
    case .schema, .typeDefinition, .directiveDefinition: return nil
    }
  }
}
