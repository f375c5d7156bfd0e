import ApusClientCache
import ApusConfiguration
import ApusGraphQLSchema

/// The rules for caching the responses of an endpoint: the configured cache keys, then the `@typePolicy` and `@fieldPolicy`
/// directives of its schema.
struct CacheConfiguration {
  private(set) var resolver = CacheKeyResolver()
  private(set) var policies = CachePolicies()

  init() {}

  /// Whether the Cache-Control header of a response sets its time to live.
  var obeysCacheControl: Bool {
    get { policies.obeysCacheControl }
    set { policies.obeysCacheControl = newValue }
  }

  init(_ settings: CacheKeySettings) {
    if let fields = settings.fields { resolver.candidates = fields }
    resolver.keyFields = settings.types
  }

  /// Creates the rules of a profile, by its name, or of a URL.
  init(for endpoint: String?) throws(CommandError) {
    let settings = try NamedEndpoints().settings
    do throws(ConfigurationError) { try settings.check(.cacheKeys) } catch { throw .file("\(error)") }
    self.init(settings.cacheKeys(for: endpoint.flatMap(settings.profile(named:))))
  }

  /// Adds the rules of a schema. Configured rules take precedence.
  mutating func adopt(_ schema: Schema) {
    resolver.addKeyFields(from: schema)
    policies.addPolicies(from: schema)
  }

  /// Sets the key fields of types, which take precedence over all others.
  mutating func add(keys: [String: [String]]) { resolver.keyFields.merge(keys) { $1 } }
}
