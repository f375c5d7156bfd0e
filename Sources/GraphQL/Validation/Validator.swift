import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Validates executable documents and schemas by the rules of the specification.
package enum Validator {
  /// The rules of the specification, in the order of the reference implementation.
  package static let specifiedRules: [any ValidationRule.Type] = [
    ExecutableDefinitionsRule.self,
    KnownOperationTypesRule.self,
    UniqueOperationNamesRule.self,
    LoneAnonymousOperationRule.self,
    SingleFieldSubscriptionsRule.self,
    KnownTypeNamesRule.self,
    FragmentsOnCompositeTypesRule.self,
    VariablesAreInputTypesRule.self,
    ScalarLeafsRule.self,
    FieldsOnCorrectTypeRule.self,
    UniqueFragmentNamesRule.self,
    KnownFragmentNamesRule.self,
    NoUnusedFragmentsRule.self,
    PossibleFragmentSpreadsRule.self,
    NoFragmentCyclesRule.self,
    UniqueVariableNamesRule.self,
    NoUndefinedVariablesRule.self,
    NoUnusedVariablesRule.self,
    KnownDirectivesRule.self,
    UniqueDirectivesPerLocationRule.self,
    DeferStreamDirectiveOnRootFieldRule.self,
    DeferStreamDirectiveOnValidOperationsRule.self,
    DeferStreamDirectiveLabelRule.self,
    StreamDirectiveOnListFieldRule.self,
    KnownArgumentNamesRule.self,
    UniqueArgumentNamesRule.self,
    ValuesOfCorrectTypeRule.self,
    ProvidedRequiredArgumentsRule.self,
    VariablesInAllowedPositionRule.self,
    OverlappingFieldsCanBeMergedRule.self,
    UniqueInputFieldNamesRule.self,
    MaxIntrospectionDepthRule.self,
  ]

  /// The rules for documents, including those of clients, which apply only to schemas with their dialect.
  package static let documentRules =
    specifiedRules + [
      RelayFragmentVariablesRule.self, RelayConnectionsRule.self, RelayRefetchableFragmentsRule.self,
    ]

  /// The rules of the specification for type system documents, in the order of the reference implementation.
  package static let specifiedSDLRules: [any ValidationRule.Type] = [
    LoneSchemaDefinitionRule.self,
    UniqueOperationTypesRule.self,
    UniqueTypeNamesRule.self,
    UniqueEnumValueNamesRule.self,
    UniqueFieldDefinitionNamesRule.self,
    UniqueArgumentDefinitionNamesRule.self,
    UniqueDirectiveNamesRule.self,
    KnownTypeNamesRule.self,
    KnownDirectivesRule.self,
    UniqueDirectivesPerLocationRule.self,
    PossibleTypeExtensionsRule.self,
    KnownArgumentNamesOnDirectivesRule.self,
    UniqueArgumentNamesRule.self,
    UniqueInputFieldNamesRule.self,
    ProvidedRequiredArgumentsOnDirectivesRule.self,
  ]

  /// The rules of the specification's "Type Validation" sections. The reference implementation has no separate rules for
  /// them, so their names are specific to this project.
  package static let typeValidationRules: [any ValidationRule.Type] = [
    RootOperationTypesRule.self,
    ReservedNamesRule.self,
    NonEmptyTypesRule.self,
    OutputTypesRule.self,
    InputTypesRule.self,
    ListDepthRule.self,
    ImplementedInterfacesRule.self,
    InterfaceFieldsRule.self,
    UnionMemberTypesRule.self,
    RequiredInputsNotDeprecatedRule.self,
    PossibleDirectiveExtensionsRule.self,
    NoDirectiveCyclesRule.self,
    ReadableDefaultValuesRule.self,
    DefaultValuesOfCorrectTypeRule.self,
    ValuesOfCorrectTypeRule.self,
    OneOfInputObjectsRule.self,
    FiniteInputObjectsRule.self,
    NoDefaultValueCyclesRule.self,
  ]

  /// The rules that hold for each part of a definition by itself, even if other parts are missing.
  package static let rulesOfIncompleteText: Set<String> = [
    "FieldsOnCorrectTypeRule", "KnownArgumentNamesRule", "KnownTypeNamesRule", "KnownDirectivesRule",
  ]

  /// Rules against valid but suspicious documents and schemas. They apply only on request.
  package static let lints: [any ValidationRule.Type] = [NoDeprecatedCustomRule.self, LabeledDeferStreamRule.self]
  package static let schemaLints: [any ValidationRule.Type] = [UnusedTypesRule.self, UnusedDirectivesRule.self]

  /// The rules of Apollo Federation for a single subgraph. Their names are specific to this project.
  package static let federationRules: [any ValidationRule.Type] = [
    FederationLinksRule.self,
    FederationFieldSetsRule.self,
    FederationExternalFieldsRule.self,
    FederationEntitiesRule.self,
    FederationDirectivesRule.self,
    FederationDefinitionsRule.self,
    FederationRootTypesRule.self,
    FederationAccessRule.self,
  ]

  /// Returns the rules for a schema, including those of its dialects.
  package static func schemaRules(for schema: Schema) -> [any ValidationRule.Type] {
    let links = schema.links.isEmpty ? [] : [FederationLinksRule.self as any ValidationRule.Type]
    return specifiedSDLRules + typeValidationRules + (schema.federation == nil ? links : federationRules)
  }

  /// Returns the errors of a schema, in the order of its text. An error of a document rule may cause one of a type rule;
  /// both are reported.
  package static func validate(
    schema: Schema, rules: [any ValidationRule.Type]? = nil
  ) -> [ValidationError] {
    let rules = rules ?? schemaRules(for: schema)
    let subgraphs = schema.subgraphs
    if subgraphs.count > 1 { return validate(subgraphs, of: schema, rules: rules) }
    guard schema.documents.count == 1, let document = schema.documents.first else {
      let document = Document(joining: schema.documents)
      let joined = Schema.load(sdl: [document], dialects: schema.dialectSelection)
      return validate(document, schema: joined, rules: rules)
    }
    return validate(document, schema: schema, rules: rules)
  }

  /// Returns the findings in a schema that are warnings.
  package static func warnings(schema: Schema) -> [ValidationError] {
    schema.federation == nil ? [] : validate(schema: schema, rules: [FederationKeyTypesRule.self])
  }

  /// Validates each subgraph separately. The ranges of errors refer to all documents of the schema joined.
  private static func validate(
    _ subgraphs: [[Document]], of schema: Schema, rules: [any ValidationRule.Type]
  ) -> [ValidationError] {
    var starts: [String: Int] = [:]
    var start = 0
    for document in schema.documents {
      starts[document.source.name] = start
      start += document.source.bytes.count + 1
    }
    return subgraphs.flatMap { documents in
      validate(schema: Schema.load(sdl: documents, dialects: schema.dialectSelection), rules: rules).map { error in
        let ranges = zip(error.sources, zip(error.locations, error.ranges)).map { name, place in
          let start = (starts[name] ?? 0) + place.0.offset
          return start..<start + place.1.count
        }
        return ValidationError(
          rule: error.rule, message: error.message, locations: error.locations, ranges: ranges, sources: error.sources,
          suggestion: error.suggestion, note: error.note)
      }
    }
  }

  /// Validates the documents of a project together: they share fragments, and names must be unique among them. Rules about a
  /// single document apply to each one. The documents are read in their detected dialects.
  package static func validate(
    _ documents: [Document], schema: Schema?, rules: [any ValidationRule.Type] = documentRules
  ) -> [ValidationError] {
    let document = documents.count == 1 ? documents[0] : Document(joining: documents)
    return validate(document, schema: schema?.read(for: [document]), rules: rules)
  }

  /// Returns the errors of a document, in the order of its text. Without a schema, only rules that need none apply. In a
  /// document with syntax errors, the parsed part is validated.
  package static func validate(
    _ document: Document, schema: Schema?, rules: [any ValidationRule.Type] = documentRules,
    budget: ValidationBudget = ValidationBudget()
  ) -> [ValidationError] {
    let context = ValidationContext(document, schema, budget)
    for rule in rules where !context.isStopped && (schema != nil || !rule.needsSchema) {
      context.rule = rule.name
      rule.check(context)
    }
    context.reportStop()
    let source = document.source
    guard source.hasValues else { return context.sortedErrors() }
    // Missing text would cause errors by other rules.
    return context.sortedErrors().filter { error in
      rulesOfIncompleteText.contains(error.rule)
        || !error.ranges.contains { source.values(at: $0.lowerBound) == .insideDefinitions }
    }
  }
}
