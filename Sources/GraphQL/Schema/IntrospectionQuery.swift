/// Optional parts of the introspection query, which older servers reject.
package struct IntrospectionOptions: Sendable, Hashable {
  /// `specifiedByURL` of scalars (October 2021).
  package var specifiedBy: Bool
  /// `isRepeatable` of directives (October 2021).
  package var repeatable: Bool
  /// Deprecation of arguments and input fields (September 2025).
  package var inputDeprecation: Bool
  /// `isOneOf` of input objects (September 2025).
  package var oneOf: Bool
  /// Deprecation of directives (draft after September 2025). Few servers support it, so no preset includes it.
  package var directiveDeprecation: Bool
  package var descriptions: Bool
  /// The description of the schema (October 2021).
  package var schemaDescription: Bool

  package init(
    specifiedBy: Bool = true, repeatable: Bool = true, inputDeprecation: Bool = true, oneOf: Bool = true,
    directiveDeprecation: Bool = false, descriptions: Bool = true, schemaDescription: Bool = true
  ) {
    self.specifiedBy = specifiedBy
    self.repeatable = repeatable
    self.inputDeprecation = inputDeprecation
    self.oneOf = oneOf
    self.directiveDeprecation = directiveDeprecation
    self.descriptions = descriptions
    self.schemaDescription = schemaDescription
  }

  /// Everything in the September 2025 edition.
  package static let newest = IntrospectionOptions()
  /// Everything in the October 2021 edition.
  package static let october2021 = IntrospectionOptions(inputDeprecation: false, oneOf: false)
  /// Only the parts that every server since 2016 supports.
  package static let oldest = IntrospectionOptions(
    specifiedBy: false, repeatable: false, inputDeprecation: false, oneOf: false, schemaDescription: false)
}

extension Schema {
  /// Returns the introspection query, whose only operation is named `IntrospectionQuery`.
  package static func introspectionQuery(options: IntrospectionOptions = .newest) -> String {
    let description = options.descriptions ? " description" : ""
    let schemaDescription = options.descriptions && options.schemaDescription ? " description" : ""
    let inputs = options.inputDeprecation ? "(includeDeprecated: true)" : ""
    let deprecation = options.inputDeprecation ? " isDeprecated deprecationReason" : ""
    let directives = options.directiveDeprecation ? "(includeDeprecated: true)" : ""
    let directiveDeprecation = options.directiveDeprecation ? " isDeprecated deprecationReason" : ""
    return """
      query IntrospectionQuery {
        __schema {\(schemaDescription)
          queryType { name }
          mutationType { name }
          subscriptionType { name }
          types { ...FullType }
          directives\(directives) {
            name\(description)\(options.repeatable ? " isRepeatable" : "")\(directiveDeprecation)
            locations
            args\(inputs) { ...InputValue }
          }
        }
      }

      fragment FullType on __Type {
        kind
        name\(description)\(options.specifiedBy ? " specifiedByURL" : "")\(options.oneOf ? " isOneOf" : "")
        fields(includeDeprecated: true) {
          name\(description)
          args\(inputs) { ...InputValue }
          type { ...TypeRef }
          isDeprecated deprecationReason
        }
        inputFields\(inputs) { ...InputValue }
        interfaces { ...TypeRef }
        enumValues(includeDeprecated: true) { name\(description) isDeprecated deprecationReason }
        possibleTypes { ...TypeRef }
      }

      fragment InputValue on __InputValue {
        name\(description)
        type { ...TypeRef }
        defaultValue\(deprecation)
      }

      fragment TypeRef on __Type {
        kind name
        \(typeDepth(9))
      }

      """
  }

  private static func typeDepth(_ depth: Int) -> String {
    depth == 0 ? "" : "ofType { kind name \(typeDepth(depth - 1))}" + (depth == 9 ? "" : " ")
  }
}
