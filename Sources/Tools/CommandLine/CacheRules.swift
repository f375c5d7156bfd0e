import ApusClientCache
import ApusConfiguration
import ApusGraphQLSchema

/// How what an endpoint answers is cached: by the keys that a person configured, and beyond them by what its schema says
/// with `@typePolicy` and `@fieldPolicy`.
struct CacheRules {
  private(set) var resolver = CacheKeyResolver()
  private(set) var policies = CachePolicies()

  init() {}

  /// Whether the Cache-Control header of a response says how long it stays fresh.
  var obeysCacheControl: Bool {
    get { policies.obeysCacheControl }
    set { policies.obeysCacheControl = newValue }
  }

  init(_ settings: CacheKeySettings) {
    if let fields = settings.fields { resolver.candidates = fields }
    resolver.keyFields = settings.types
  }

  /// Those of a profile by its name, or of a URL.
  init(for endpoint: String?) throws(CommandFailure) {
    let settings = try KnownEndpoints().settings
    self.init(settings.cacheKeys(for: endpoint.flatMap(settings.profile(named:))))
  }

  /// Takes over what a schema says; what was configured stays as it is.
  mutating func adopt(_ schema: Schema) {
    resolver.adopt(schema)
    policies.adopt(schema)
  }
}
