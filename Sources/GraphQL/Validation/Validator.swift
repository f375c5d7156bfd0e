import GraphQLLanguage
import GraphQLSchema

/// Judges executable documents by the specification's rules.
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
  ]

  /// All that the rules have against the document, in the order of the text. Without a schema only the rules that need
  /// none are asked. A document with syntax errors is judged as far as it was understood.
  package static func validate(
    _ document: Document, schema: Schema?, rules: [any ValidationRule.Type] = specifiedRules
  ) -> [ValidationError] {
    let context = ValidationContext(document, schema)
    for rule in rules where schema != nil || !rule.needsSchema {
      context.rule = rule.name
      rule.check(context)
    }
    return context.sortedErrors()
  }
}
