import ApusClientAPI
import ApusGraphQLSchema

/// Cache rules from a schema's `@typePolicy` and `@fieldPolicy` directives.
extension CacheKeyResolver {
  /// Adds the key fields that a schema declares with `@typePolicy(keyFields: "isbn")`. Those of an interface apply to
  /// implementing types that declare none. Existing rules take precedence.
  public mutating func addKeyFields(from schema: GraphQLSchema) { addKeyFields(from: schema.schema) }

  package mutating func addKeyFields(from schema: Schema) {
    keyFields.merge(schema.declaredKeyFields) { said, _ in said }
  }
}

extension CachePolicies {
  /// Creates the policies that generated models contain, from the `@fieldPolicy` directives of their schema:
  ///
  ///     let store = CacheStore(
  ///       resolver: CacheKeyResolver(schema: Birds.Metadata.self), policies: CachePolicies(schema: Birds.Metadata.self))
  public init<Schema: SchemaMetadata>(schema: Schema.Type) {
    self.init()
    addPolicies(from: schema)
  }

  /// Adds the policies that generated models contain. Existing times to live and merge policies are kept, and so are
  /// policies of other fields.
  public mutating func addPolicies<Schema: SchemaMetadata>(from schema: Schema.Type) {
    for policy in Schema.fieldPolicies {
      addPolicy(
        policy.type, policy.field, keys: policy.keyArguments, secrets: policy.secretArguments,
        merge: policy.merge.map { FieldMerge($0) })
    }
  }

  /// Adds the policies that a schema declares with `@fieldPolicy`.
  ///
  /// - `keyArgs` and `secretArgs` set key and secret arguments: `@fieldPolicy(forField: "book", keyArgs: "isbn", secretArgs:
  ///   "token")`.
  /// - `merge` sets how pages are merged: `"connection"`, `"append"` with the paging arguments in `mergeArgs`, or
  ///   `"offset"`, with the two arguments in `mergeArgs` if they are not named `offset` and `limit`.
  ///
  /// The policy of an interface applies to the types that implement it. Existing times to live and merge policies are kept,
  /// and so are policies of other fields.
  public mutating func addPolicies(from schema: GraphQLSchema) { addPolicies(from: schema.schema) }

  package mutating func addPolicies(from schema: Schema) {
    for policy in schema.fieldPolicyDirectives {
      addPolicy(
        policy.type, policy.field, keys: policy.keyArguments, secrets: policy.secretArguments,
        merge: policy.merge.map { FieldMerge($0) })
    }
  }

  private mutating func addPolicy(
    _ type: String, _ field: String, keys: [String]?, secrets: [String]?, merge: FieldMerge?
  ) {
    var policy = fields["\(type).\(field)"] ?? FieldPolicy()
    if let keys { policy.keyArguments = keys }
    if let secrets { policy.secretArguments = Set(secrets) }
    if policy.merge == nil { policy.merge = merge }
    fields["\(type).\(field)"] = policy
  }
}

extension FieldMerge {
  fileprivate init(_ declared: DeclaredFieldMerge) {
    switch declared {
    case .connection: self = .connection
    case .append(let arguments): self = .append(arguments: arguments)
    case .offset(let argument, let limit): self = .offset(argument: argument, limit: limit)
    }
  }
}
