import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Judges executable documents, and schemas, by the specification's rules.
package enum Validator {
  /// The rules of the specification, in the reference implementation's order.
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

  /// The rules for documents, with those of clients, which apply where a schema has their dialect.
  package static let documentRules =
    specifiedRules + [
      RelayFragmentVariablesRule.self, RelayConnectionsRule.self, RelayRefetchableFragmentsRule.self,
    ]

  /// The rules of the specification for documents that define a schema, in the reference implementation's order.
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

  /// The specification's "Type Validation" of each kind of type. The reference implementation does this without rules;
  /// the names are ours.
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
    DefaultValuesOfCorrectTypeRule.self,
    ValuesOfCorrectTypeRule.self,
    OneOfInputObjectsRule.self,
    FiniteInputObjectsRule.self,
    NoDefaultValueCyclesRule.self,
  ]

  /// What the specification allows and yet is seldom meant, in documents and in schemas; asked only on request.
  package static let lints: [any ValidationRule.Type] = [NoDeprecatedCustomRule.self, LabelledDeferStreamRule.self]
  package static let schemaLints: [any ValidationRule.Type] = [UnusedTypesRule.self, UnusedDirectivesRule.self]

  /// The rules of Apollo Federation for a single subgraph; the names are ours.
  package static let federationRules: [any ValidationRule.Type] = [
    FederationLinksRule.self,
    FederationFieldSetsRule.self,
    FederationExternalFieldsRule.self,
    FederationEntitiesRule.self,
    FederationDirectivesRule.self,
  ]

  /// The rules for a schema, with those of its dialects.
  package static func schemaRules(for schema: Schema) -> [any ValidationRule.Type] {
    specifiedSDLRules + typeValidationRules + (schema.federation == nil ? [] : federationRules)
  }

  /// All that is wrong with a schema, in the order of its text. What the rules for documents find is often the cause of
  /// what the rules for types would find, and both are told.
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

  /// Validates each subgraph by itself. The ranges of errors are those in all documents of the schema joined.
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
          suggestion: error.suggestion)
      }
    }
  }

  /// Validates documents of a project together: fragments of one are known to the others, and names are unique over all of
  /// them. Where the specification speaks of one document, each remains one. They are read in the dialects that they show.
  package static func validate(
    _ documents: [Document], schema: Schema?, rules: [any ValidationRule.Type] = documentRules
  ) -> [ValidationError] {
    let document = documents.count == 1 ? documents[0] : Document(joining: documents)
    return validate(document, schema: schema?.read(for: [document]), rules: rules)
  }

  /// All that the rules have against the document, in the order of the text. Without a schema only the rules that need
  /// none are asked. A document with syntax errors is judged as far as it was understood.
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
    return context.sortedErrors()
  }
}
