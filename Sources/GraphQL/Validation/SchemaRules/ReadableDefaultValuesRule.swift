import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The default values of an introspection result must be GraphQL literals. Invalid: `"defaultValue": "{\"first\": 2}"`,
/// which is JSON.
///
/// Specification: The __InputValue Type, `defaultValue`.
enum ReadableDefaultValuesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for input in context.inputValueDefinitions {
      guard let value = input.node.defaultValue, isUnreadable(value) else { continue }
      context.report(
        "The default value of \(input.coordinate) in the introspection result is not a GraphQL literal. It counts as \(Printer.print(value)).",
        value)
    }
  }

  static func isUnreadable(_ value: ValueNode) -> Bool {
    let source = value.document.source
    let start = value.range.lowerBound
    let mark = Schema.unreadableDefaultMark.utf8
    return start >= mark.count && source.bytes[(start - mark.count)..<start].elementsEqual(mark)
      && source.name(at: start) == Schema.introspectionSource
  }
}
