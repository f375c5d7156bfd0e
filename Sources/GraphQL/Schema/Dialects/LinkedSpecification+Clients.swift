// The specifications of Apollo's clients for Kotlin and iOS.
//
// Source: specs.apollo.dev, nullability 0.1 to 0.4, kotlin_labs 0.1 to 0.7, cache 0.1 to 0.4.
extension LinkedSpecification {
  static let nullability = LinkedSpecification(
    identity: "https://specs.apollo.dev/nullability",
    elements: [
      Element("CatchTo", since: Version(0, 1), "enum <CatchTo> { RESULT NULL THROW }"),
      Element(
        "@semanticNonNull", since: Version(0, 1), until: Version(0, 2),
        "directive <@semanticNonNull>(field: String, level: Int) repeatable on FIELD_DEFINITION | OBJECT"),
      Element(
        "@semanticNonNull", since: Version(0, 2),
        "directive <@semanticNonNull>(levels: [Int] = [0]) on FIELD_DEFINITION"),
      Element(
        "@semanticNonNullField", since: Version(0, 2),
        "directive <@semanticNonNullField>(name: String!, levels: [Int] = [0]) repeatable on OBJECT | INTERFACE"),
      Element(
        "@catch", since: Version(0, 1), until: Version(0, 2),
        "directive <@catch>(to: <CatchTo>! = RESULT, level: Int) repeatable on FIELD | SCHEMA"),
      Element(
        "@catch", since: Version(0, 2), until: Version(0, 3),
        "directive <@catch>(to: <CatchTo>! = RESULT, levels: [Int] = [0]) on FIELD | SCHEMA"),
      Element(
        "@catch", since: Version(0, 3), until: Version(0, 4),
        "directive <@catch>(to: <CatchTo>! = RESULT, levels: [Int] = [0]) on FIELD | FIELD_DEFINITION | SCHEMA"),
      Element(
        "@catch", since: Version(0, 4),
        "directive <@catch>(to: <CatchTo>! = RESULT, levels: [Int!]! = [0]) on FIELD"),
      Element(
        "@catchField", since: Version(0, 3), until: Version(0, 4),
        "directive <@catchField>(to: <CatchTo>! = RESULT, levels: [Int] = [0]) repeatable on INTERFACE | OBJECT"),
      Element(
        "@catchByDefault", since: Version(0, 4),
        """
        directive <@catchByDefault>(to: <CatchTo>!) on
          SCHEMA | QUERY | MUTATION | SUBSCRIPTION | FRAGMENT_DEFINITION
        """),
      Element(
        "@ignoreErrors", since: Version(0, 1), until: Version(0, 4),
        "directive <@ignoreErrors> on QUERY | MUTATION | SUBSCRIPTION"),
    ])

  static let kotlinLabs = LinkedSpecification(
    identity: "https://specs.apollo.dev/kotlin_labs",
    elements: [
      Element(
        "@optional", since: Version(0, 1), "directive <@optional>(if: Boolean = true) on FIELD | VARIABLE_DEFINITION"),
      Element(
        "@nonnull", since: Version(0, 1), until: Version(0, 4),
        "directive <@nonnull>(fields: String! = \"\") on OBJECT | FIELD"),
      Element(
        "@typePolicy", since: Version(0, 1), until: Version(0, 7),
        """
        directive <@typePolicy>(
          keyFields: String! = "", embeddedFields: String! = "", connectionFields: String! = ""
        ) on OBJECT | INTERFACE | UNION
        """),
      Element(
        "@fieldPolicy", since: Version(0, 1), until: Version(0, 7),
        """
        directive <@fieldPolicy>(
          forField: String!, keyArgs: String! = "", paginationArgs: String! = ""
        ) repeatable on OBJECT
        """),
      Element(
        "@requiresOptIn", since: Version(0, 1),
        """
        directive <@requiresOptIn>(feature: String!) repeatable on
          FIELD_DEFINITION | ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION | ENUM_VALUE
        """),
      Element(
        "@targetName", since: Version(0, 1), until: Version(0, 2),
        "directive <@targetName>(name: String!) on ENUM_VALUE"),
      Element(
        "@targetName", since: Version(0, 2),
        """
        directive <@targetName>(name: String!) on
          OBJECT | INTERFACE | ENUM | ENUM_VALUE | UNION | SCALAR | INPUT_OBJECT
        """),
      Element(
        "@map", since: Version(0, 5),
        "directive <@map>(to: String!, with: String = null, inlineProperty: String = null) on SCALAR"),
      Element("BuiltIn", since: Version(0, 5), "enum <BuiltIn> { String Boolean Int Long Float Double }"),
      Element(
        "@mapTo", since: Version(0, 5),
        "directive <@mapTo>(builtIn: <BuiltIn>!, inline: Boolean! = true) on SCALAR"),
      Element("@generateDataBuilders", since: Version(0, 6), "directive <@generateDataBuilders> on SCHEMA"),
    ])

  static let cache = LinkedSpecification(
    identity: "https://specs.apollo.dev/cache",
    elements: [
      Element("CacheControlScope", since: Version(0, 1), "enum <CacheControlScope> { PUBLIC PRIVATE }"),
      Element(
        "@cacheControl", since: Version(0, 1), until: Version(0, 2),
        "directive <@cacheControl>(\(control)) on \(controlled)"),
      Element(
        "@cacheControl", since: Version(0, 2),
        """
        directive <@cacheControl>(\(control)) on
          \(controlled) | QUERY | MUTATION | SUBSCRIPTION | FRAGMENT_DEFINITION
        """),
      Element(
        "@cacheControlField", since: Version(0, 1),
        "directive <@cacheControlField>(name: String!, \(control)) repeatable on OBJECT | INTERFACE"),
      Element("@onDelete", since: Version(0, 2), "directive <@onDelete>(cascade: Boolean!) on FIELD_DEFINITION"),
      Element(
        "@onDeleteField", since: Version(0, 2),
        "directive <@onDeleteField>(name: String!, cascade: Boolean!) repeatable on OBJECT | INTERFACE"),
      Element(
        "@typePolicy", since: Version(0, 3), until: Version(0, 4),
        """
        directive <@typePolicy>(keyFields: String! = "", embeddedFields: String! = "") on OBJECT | INTERFACE
        """),
      Element(
        "@typePolicy", since: Version(0, 4), "directive <@typePolicy>(keyFields: String! = \"\") on OBJECT | INTERFACE"
      ),
      Element(
        "@fieldPolicy", since: Version(0, 3),
        "directive <@fieldPolicy>(forField: String!, keyArgs: String! = \"\") repeatable on OBJECT"),
      Element("@connection", since: Version(0, 3), "directive <@connection> on OBJECT"),
      Element("@embedded", since: Version(0, 4), "directive <@embedded> on FIELD_DEFINITION"),
      Element(
        "@embeddedField", since: Version(0, 4), "directive <@embeddedField>(name: String!) repeatable on OBJECT"),
    ])

  private static let control = "maxAge: Int, inheritMaxAge: Boolean, scope: <CacheControlScope>"
  private static let controlled = "FIELD_DEFINITION | OBJECT | INTERFACE | UNION"
}
