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

  /// Takes over the policies that generated models carry; times, merges and the policies of other fields stay.
  public mutating func adopt<Schema: SchemaMetadata>(_ schema: Schema.Type) {
    for policy in Schema.fieldPolicies {
      adopt(policy.type, policy.field, keys: policy.keyArguments, secrets: policy.secretArguments)
    }
  }

  /// Takes over the key and secret arguments that a schema declares by
  /// `@fieldPolicy(forField: "book", keyArgs: "isbn", secretArgs: "token")`; an interface's hold for the objects that
  /// implement it. Times, merges and the policies of other fields stay.
  public mutating func adopt(_ schema: GraphQLSchema) { adopt(schema.schema) }

  package mutating func adopt(_ schema: Schema) {
    for policy in schema.fieldPolicyDirectives {
      adopt(policy.type, policy.field, keys: policy.keyArguments, secrets: policy.secretArguments)
    }
  }

  private mutating func adopt(_ type: String, _ field: String, keys: [String]?, secrets: [String]?) {
    var policy = fields["\(type).\(field)"] ?? FieldPolicy()
    if let keys { policy.keyArguments = keys }
    if let secrets { policy.secretArguments = Set(secrets) }
    fields["\(type).\(field)"] = policy
  }
}
