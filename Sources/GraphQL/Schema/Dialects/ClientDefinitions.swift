import ApusGraphQLLanguage

/// The definitions that clients add to every schema, and the directives that identify their documents.
enum ClientDefinitions {
  static func document(of dialect: Dialect) -> Document? {
    switch dialect {
    case .federation: nil
    case .relay: relay
    case .apollo: apollo
    case .houdini: houdini
    case .composite: composite
    case .appSync: appSync
    }
  }

  /// A helper type, not part of the schema, with the fields that a dialect adds to every composite type.
  static let fieldsType = "__ClientFields"
  /// Directives that declare variables of a fragment, and that pass arguments for them.
  static let directivesWithFragmentArguments = [
    "argumentDefinitions", "arguments", "uncheckedArguments_DEPRECATED", "with", "when", "when_not",
  ]

  // MARK: Detection

  /// Directives that identify a dialect, unless the schema defines them.
  private static let markers: [String: Dialect] = {
    var markers: [String: Dialect] = [:]
    // Both clients have `@connection`, so it identifies neither.
    for (dialect, document) in [(Dialect.houdini, houdini), (.apollo, apollo), (.relay, relay)] {
      for case .directiveDefinition(let directive) in document.definitions where !directive.name.hasValue("connection")
      {
        markers[directive.name.value] = dialect
      }
    }
    // The same is true for these.
    for name in ["catch", "required", "arguments", "list", "cache", "with"] { markers[name] = nil }
    return markers
  }()

  /// Directives that several dialects have, with the one that is assumed without any other evidence: Relay before
  /// Apollo, which has only the first of them.
  private static let sharedMarkers: [String: Dialect] = [
    "connection": .apollo, "required": .relay, "arguments": .relay,
  ]

  /// Returns the dialects that the directives of the documents imply, each with the reason.
  static func dialects(shownBy documents: [Document], notIn schema: Schema) -> [Dialect: String] {
    var shown: [Dialect: String] = [:]
    var assumed: (dialect: Dialect, reason: String)?
    var seen: Set<String> = []
    for document in documents {
      for (index, node) in document.nodes.enumerated() where node.kind == .directive {
        let directive = DirectiveNode(document, NodeID(index))
        let name = directive.name.value
        guard seen.insert(name).inserted, seen.count < 1000, schema.directive(named: name) == nil else { continue }
        let reason = "\(document.source.name(at: Int(node.start))) uses @\(name)"
        if let dialect = markers[name] {
          shown[dialect] = shown[dialect] ?? reason
        } else if let dialect = sharedMarkers[name], assumed == nil || dialect == .relay {
          assumed = (dialect, reason)
        }
      }
    }
    if let assumed, shown.isEmpty { shown[assumed.dialect] = assumed.reason }
    return shown
  }

  /// Directives and scalars that identify the dialect of a schema, unless it defines them.
  private static let schemaMarkers: [String: Dialect] = {
    let names: [(Dialect, [String])] = [
      (.federation, ["extends"]),
      (.composite, ["lookup", "is", "require", "internal"]),
      (
        .appSync,
        [
          "aws_api_key", "aws_iam", "aws_oidc", "aws_lambda", "aws_cognito_user_pools", "aws_auth", "aws_subscribe",
          "aws_publish", "model", "AWSDate", "AWSTime", "AWSDateTime", "AWSTimestamp", "AWSEmail", "AWSJSON", "AWSURL",
          "AWSPhone", "AWSIPAddress",
        ]
      ),
      (.apollo, ["typePolicy", "fieldPolicy", "nonnull", "requiresOptIn", "targetName"]),
      (.relay, ["relay_resolver", "RelayOutputType", "RelayResolverValue"]),
    ]
    return Dictionary(names.flatMap { dialect, names in names.map { ($0, dialect) } }) { first, _ in first }
  }()

  /// Returns the dialects that the directives and types of a schema imply, each with the reason.
  static func dialects(shownBySchema documents: [Document], isDefined: (String) -> Bool) -> [Dialect: String] {
    var shown: [Dialect: String] = [:]
    var seen: Set<String> = []
    for document in documents {
      for (index, node) in document.nodes.enumerated() where node.kind == .directive || node.kind == .namedType {
        let isDirective = node.kind == .directive
        // Most of the other types are skipped without a string for their names.
        guard isDirective || beginsWithMarker(document.source.bytes[node.range]) else { continue }
        let name =
          isDirective
          ? DirectiveNode(document, NodeID(index)).name.value : NamedTypeNode(document, NodeID(index)).name.value
        guard let dialect = schemaMarkers[name], seen.insert(name).inserted, !isDefined(name) else { continue }
        let title = isDirective ? "@\(name)" : name
        shown[dialect] = shown[dialect] ?? "\(document.source.name(at: Int(node.start))) uses \(title)"
      }
    }
    return shown
  }

  /// Whether the name of a type has the prefix of the scalars that identify a dialect.
  private static func beginsWithMarker(_ name: ArraySlice<UInt8>) -> Bool {
    name.starts(with: "AWS".utf8) || name.starts(with: "Relay".utf8)
  }

  // MARK: Definitions

  /// Source: the Relay compiler's schema extensions.
  private static let relay = Document(
    parsing: """
      directive @argumentDefinitions on FRAGMENT_DEFINITION
      directive @arguments on FRAGMENT_SPREAD
      directive @uncheckedArguments_DEPRECATED on FRAGMENT_SPREAD
      directive @refetchable(queryName: String!, directives: [String!], preferFetchable: Boolean) on FRAGMENT_DEFINITION
      directive @connection(
        key: String!, filters: [String], handler: String, dynamicKey_UNSTABLE: String,
        prefetchable_pagination: Boolean = false
      ) on FIELD
      directive @stream_connection(
        key: String!, filters: [String], handler: String, label: String, initial_count: Int!, if: Boolean = true,
        use_customized_batch: Boolean = false, dynamicKey_UNSTABLE: String, prefetchable_pagination: Boolean = false
      ) on FIELD
      directive @relay(mask: Boolean, plural: Boolean) on FRAGMENT_DEFINITION | FRAGMENT_SPREAD
      directive @inline on FRAGMENT_DEFINITION
      directive @no_inline(raw_response_type: Boolean) on FRAGMENT_DEFINITION
      directive @match(key: String) on FIELD
      directive @module(name: String!) on FRAGMENT_SPREAD
      directive @alias(as: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
      directive @dangerously_unaliased_fixme on FRAGMENT_SPREAD
      enum RequiredFieldAction { NONE LOG THROW }
      directive @required(action: RequiredFieldAction!) on FIELD
      enum CatchFieldTo { NULL RESULT }
      directive @catch(to: CatchFieldTo! = RESULT) on FIELD | FRAGMENT_DEFINITION | QUERY | MUTATION | INLINE_FRAGMENT
      directive @throwOnFieldError on QUERY | FRAGMENT_DEFINITION
      directive @raw_response_type on QUERY | MUTATION | SUBSCRIPTION
      directive @preloadable(hackPreloader: Boolean = false) on QUERY
      directive @live_query(polling_interval: Int, config_id: String) on QUERY
      directive @exec_time_resolvers(enabledProvider: String) on QUERY
      directive @relay_test_operation(
        DO_NOT_USE_use_in_production: Boolean = false, emitRawText: Boolean = false
      ) on QUERY | MUTATION | SUBSCRIPTION
      directive @DEPRECATED__relay_ignore_unused_variables_error on QUERY | MUTATION | SUBSCRIPTION
      directive @deleteRecord on FIELD
      directive @deleteEdge(connections: [ID!]!) on FIELD
      directive @appendEdge(connections: [ID!]!) on FIELD
      directive @prependEdge(connections: [ID!]!) on FIELD
      directive @appendNode(connections: [ID!]!, edgeTypeName: String!) on FIELD
      directive @prependNode(connections: [ID!]!, edgeTypeName: String!) on FIELD
      directive @waterfall on FIELD
      directive @__clientField(key: String, handle: String, filters: [String!]) on FIELD
      directive @static on FIELD
      directive @__debug on QUERY | MUTATION | SUBSCRIPTION | FRAGMENT_DEFINITION | FIELD
      directive @updatable on QUERY | FRAGMENT_DEFINITION
      directive @assignable on FRAGMENT_DEFINITION
      directive @relay_resolver(
        fragment_name: String, import_path: String, import_name: String, inject_fragment_data: String, live: Boolean,
        has_output_type: Boolean, generated_fragment: Boolean
      ) on FIELD_DEFINITION
      directive @RelayOutputType on OBJECT
      directive @semanticNonNull(levels: [Int!] = [0]) on FIELD_DEFINITION
      scalar RelayResolverValue
      type \(fieldsType) { "The identity of the record in Relay's store." __id: ID! }
      """, name: "Relay's definitions")

  /// Sources: the documentation of Apollo Client, apollo-link-rest and Apollo's multiple-endpoint link, and the schema
  /// directives of Apollo iOS and Kotlin.
  private static let apollo = Document(
    parsing: """
      directive @client(always: Boolean) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT | FRAGMENT_DEFINITION
      directive @connection(key: String!, filter: [String!]) on FIELD
      directive @export(as: String!) on FIELD
      directive @nonreactive on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
      directive @unmask(mode: String) on FRAGMENT_SPREAD
      scalar RestLinkValue
      directive @rest(
        type: String, path: String, method: String = "GET", endpoint: String, bodyKey: String, bodyBuilder: RestLinkValue,
        bodySerializer: RestLinkValue, pathBuilder: RestLinkValue
      ) on FIELD
      directive @type(name: String!) on FIELD
      directive @api(name: String!) on QUERY | MUTATION | SUBSCRIPTION | FIELD
      directive @apollo_client_ios_localCacheMutation on QUERY | MUTATION | SUBSCRIPTION | FRAGMENT_DEFINITION
      directive @import(module: String!) on QUERY | MUTATION | SUBSCRIPTION | FRAGMENT_DEFINITION
      directive @typePolicy(
        keyFields: String = "", embeddedFields: String = "", connectionFields: String = ""
      ) on OBJECT | INTERFACE | UNION
      directive @fieldPolicy(
        forField: String!, keyArgs: String = "", paginationArgs: String = "", secretArgs: String = "", merge: String,
        mergeArgs: String
      ) repeatable on OBJECT | INTERFACE
      directive @nonnull(fields: String! = "") on OBJECT | FIELD
      directive @optional(if: Boolean = true) on FIELD | VARIABLE_DEFINITION
      directive @requiresOptIn(feature: String!) repeatable on
        FIELD_DEFINITION | ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION | ENUM_VALUE
      directive @targetName(name: String!) on
        OBJECT | INTERFACE | ENUM | ENUM_VALUE | UNION | SCALAR | INPUT_OBJECT
      enum CatchTo { RESULT NULL THROW }
      directive @catch(to: CatchTo! = RESULT, levels: [Int!]) repeatable on FIELD | SCHEMA
      """, name: "Apollo's definitions")
}
