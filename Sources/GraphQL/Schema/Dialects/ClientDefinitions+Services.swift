import ApusGraphQLLanguage

// Definitions of services and of clients for other frameworks.
extension ClientDefinitions {
  /// Source: the GraphQL Composite Schemas specification, "Source Schema".
  static let composite = Document(
    parsing: """
      scalar FieldSelectionMap
      scalar FieldSelectionSet
      directive @lookup on FIELD_DEFINITION
      directive @internal on OBJECT | FIELD_DEFINITION
      directive @inaccessible on
        FIELD_DEFINITION | OBJECT | INTERFACE | UNION | ARGUMENT_DEFINITION | SCALAR | ENUM | ENUM_VALUE | INPUT_OBJECT
        | INPUT_FIELD_DEFINITION
      directive @is(field: FieldSelectionMap!) on ARGUMENT_DEFINITION
      directive @require(field: FieldSelectionMap!) on ARGUMENT_DEFINITION
      directive @key(fields: FieldSelectionSet!) repeatable on OBJECT | INTERFACE
      directive @shareable repeatable on OBJECT | FIELD_DEFINITION
      directive @provides(fields: FieldSelectionSet!) on FIELD_DEFINITION
      directive @external on FIELD_DEFINITION
      directive @override(from: String!) on FIELD_DEFINITION
      """, name: "definitions of composite schemas")

  /// Sources: the AppSync developer guide, "Authorization" and "Scalar types"; Amplify's GraphQL Transformer, versions 1
  /// and 2.
  static let appSync = Document(
    parsing: """
      scalar AWSDate scalar AWSTime scalar AWSDateTime scalar AWSTimestamp scalar AWSEmail scalar AWSJSON scalar AWSURL
      scalar AWSPhone scalar AWSIPAddress
      directive @aws_api_key on OBJECT | FIELD_DEFINITION
      directive @aws_iam on OBJECT | FIELD_DEFINITION
      directive @aws_oidc on OBJECT | FIELD_DEFINITION
      directive @aws_lambda on OBJECT | FIELD_DEFINITION
      directive @aws_cognito_user_pools(cognito_groups: [String]) on OBJECT | FIELD_DEFINITION
      directive @aws_auth(cognito_groups: [String]) on OBJECT | FIELD_DEFINITION
      directive @aws_subscribe(mutations: [String]) on FIELD_DEFINITION
      directive @aws_publish(subscriptions: [String]) on FIELD_DEFINITION
      directive @canonical on \(elements)
      directive @hidden on \(elements)
      directive @renamed(to: String!) on \(elements)
      input ModelQueryMap { get: String, list: String, sync: String }
      input ModelMutationMap { create: String, update: String, delete: String }
      enum ModelSubscriptionLevel { off public on }
      input ModelSubscriptionMap {
        onCreate: [String], onUpdate: [String], onDelete: [String], level: ModelSubscriptionLevel
      }
      input TimestampConfiguration { createdAt: String, updatedAt: String }
      directive @model(
        queries: ModelQueryMap, mutations: ModelMutationMap, subscriptions: ModelSubscriptionMap,
        timestamps: TimestampConfiguration
      ) on OBJECT
      enum AuthStrategy { owner groups private public custom }
      enum AuthProvider { apiKey iam identityPool oidc userPools function }
      enum ModelOperation { create update delete read list get sync listen search }
      enum ModelQuery { get list }
      enum ModelMutation { create update delete }
      input AuthRule {
        allow: AuthStrategy!, provider: AuthProvider, identityField: String, identityClaim: String, groupClaim: String,
        ownerField: String, groupsField: String, groups: [String], operations: [ModelOperation],
        queries: [ModelQuery], mutations: [ModelMutation]
      }
      directive @auth(rules: [AuthRule!]!) on OBJECT | FIELD_DEFINITION
      directive @primaryKey(sortKeyFields: [String]) on FIELD_DEFINITION
      directive @index(name: String, sortKeyFields: [String], queryField: String) repeatable on FIELD_DEFINITION
      directive @hasOne(fields: [String!], references: [String!]) on FIELD_DEFINITION
      directive @hasMany(
        indexName: String, fields: [String!], references: [String!], limit: Int = 100
      ) on FIELD_DEFINITION
      directive @belongsTo(fields: [String!], references: [String!]) on FIELD_DEFINITION
      directive @manyToMany(relationName: String!, limit: Int = 100) on FIELD_DEFINITION
      directive @default(value: String) on FIELD_DEFINITION
      input SearchableQueryMap { search: String }
      directive @searchable(queries: SearchableQueryMap) on OBJECT
      enum PredictionsActions { identifyText identifyLabels convertTextToSpeech translateText }
      directive @predictions(actions: [PredictionsActions!]!) on FIELD_DEFINITION
      directive @function(name: String!, region: String, accountId: String) repeatable on FIELD_DEFINITION
      enum HttpMethod { GET POST PUT DELETE PATCH }
      input HttpHeader { key: String!, value: String! }
      directive @http(method: HttpMethod = GET, url: String!, headers: [HttpHeader]) on FIELD_DEFINITION
      directive @sql(statement: String, reference: String) on FIELD_DEFINITION
      directive @mapsTo(name: String!) on OBJECT
      directive @refersTo(name: String!) on OBJECT | FIELD_DEFINITION | ENUM | INPUT_OBJECT | INPUT_FIELD_DEFINITION
      directive @key(name: String, fields: [String!]!, queryField: String) repeatable on OBJECT
      directive @connection(
        name: String, keyField: String, sortField: String, keyName: String, limit: Int = 100, fields: [String!]
      ) on FIELD_DEFINITION
      directive @versioned(versionField: String = "version", versionInput: String = "expectedVersion") on OBJECT
      """, name: "AppSync's definitions")

  private static let elements = """
    OBJECT | FIELD_DEFINITION | INTERFACE | UNION | ENUM | ENUM_VALUE | SCALAR | INPUT_OBJECT | INPUT_FIELD_DEFINITION \
    | ARGUMENT_DEFINITION
    """

  /// Source: the documentation of Houdini, "GraphQL Magic" and "Directives".
  static let houdini = Document(
    parsing: """
      directive @list(name: String!, connection: Boolean) on FIELD
      enum PaginateMode { Infinite SinglePage }
      directive @paginate(name: String, mode: PaginateMode) on FIELD
      directive @prepend on FRAGMENT_SPREAD
      directive @append on FRAGMENT_SPREAD
      directive @allLists on FRAGMENT_SPREAD
      directive @parentID(value: ID!) on FRAGMENT_SPREAD
      directive @when on FRAGMENT_SPREAD
      directive @when_not on FRAGMENT_SPREAD
      directive @arguments on FRAGMENT_DEFINITION
      directive @with on FRAGMENT_SPREAD
      enum CachePolicy { CacheAndNetwork CacheOnly CacheOrNetwork NetworkOnly NoCache }
      directive @cache(policy: CachePolicy, partial: Boolean) on QUERY
      directive @load on QUERY
      directive @mask_enable on FRAGMENT_SPREAD
      directive @mask_disable on FRAGMENT_SPREAD
      directive @loading(count: Int, cascade: Boolean) on QUERY | FRAGMENT_DEFINITION | FIELD | FRAGMENT_SPREAD
      directive @required on FIELD
      directive @blocking on QUERY
      directive @no_blocking on QUERY
      enum DedupeMatchMode { Variables Operation None }
      directive @dedupe(cancelFirst: Boolean, match: DedupeMatchMode) on QUERY | MUTATION
      directive @optimisticKey on FIELD
      directive @componentField(
        field: String!, prop: String, export: String, raw: String
      ) on FRAGMENT_DEFINITION | INLINE_FRAGMENT | FIELD
      """, name: "Houdini's definitions")
}
