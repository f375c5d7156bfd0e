import ApusClientAPI
import ApusGraphQLSchema

/// What a schema says about its cache, by `@typePolicy` and `@fieldPolicy`.
extension CacheKeyResolver {
  /// Takes over the key fields that the types of a schema declare by `@typePolicy(keyFields: "isbn")`; an interface's hold
  /// for its objects that have none of their own. What was said before about a type stays.
  public mutating func adopt(_ schema: GraphQLSchema) { adopt(schema.schema) }

  package mutating func adopt(_ schema: Schema) {
    keyFields.merge(schema.declaredKeyFields) { said, _ in said }
  }
}

extension CachePolicies {
  /// The policies that generated models carry from the `@fieldPolicy` directives of their schema:
  ///
  ///     let store = CacheStore(
  ///       resolver: CacheKeyResolver(schema: Birds.Metadata.self), policies: CachePolicies(schema: Birds.Metadata.self))
  public init<Schema: SchemaMetadata>(schema: Schema.Type) {
    self.init()
    adopt(schema)
  }

  /// Takes over the policies that generated models carry; times, merges that were said before and the policies of other
  /// fields stay.
  public mutating func adopt<Schema: SchemaMetadata>(_ schema: Schema.Type) {
    for policy in Schema.fieldPolicies {
      adopt(
        policy.type, policy.field, keys: policy.keyArguments, secrets: policy.secretArguments,
        merge: policy.merge.map { FieldMerge($0) })
    }
  }

  /// Takes over the key and secret arguments that a schema declares by
  /// `@fieldPolicy(forField: "book", keyArgs: "isbn", secretArgs: "token")`, and how it says that pages join: `merge:
  /// "connection"`, `"append"` with the arguments that choose a page in `mergeArgs`, `"offset"` with the two arguments where
  /// they are not called `offset` and `limit`. An interface's hold for the objects that implement it. Times, merges that were
  /// said before and the policies of other fields stay.
  public mutating func adopt(_ schema: GraphQLSchema) { adopt(schema.schema) }

  package mutating func adopt(_ schema: Schema) {
    for policy in schema.fieldPolicyDirectives {
      adopt(
        policy.type, policy.field, keys: policy.keyArguments, secrets: policy.secretArguments,
        merge: policy.merge.map { FieldMerge($0) })
    }
  }

  private mutating func adopt(
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

  fileprivate init(_ declared: Schema.FieldMergeDirective) {
    switch declared {
    case .connection: self = .connection
    case .append(let arguments): self = .append(arguments: arguments)
    case .offset(let argument, let limit): self = .offset(argument: argument, limit: limit)
    }
  }
}
