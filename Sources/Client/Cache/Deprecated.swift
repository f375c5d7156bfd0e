// Former names of public declarations, which the next version removes.

import ApusClientAPI
import ApusGraphQLSchema
import ApusJSON

extension CacheStore {
  /// The former name of `collectGarbage(onlyRetained:)`.
  ///
  /// - Throws: `CacheFileError` if the cache file cannot be read or written.
  @available(*, deprecated, renamed: "collectGarbage(onlyRetained:)")
  @discardableResult
  public func collect(onlyRetained: Bool = false) async throws -> ChangedKeys {
    try await collectGarbage(onlyRetained: onlyRetained)
  }

  /// The former name of `configure(_:_:)`.
  @available(*, deprecated, renamed: "configure(_:_:)")
  public nonisolated func use(_ resolver: CacheKeyResolver, _ policies: CachePolicies) { configure(resolver, policies) }
}

extension CacheSnapshot {
  /// The former name of `danglingReferences(limit:)`.
  @available(*, deprecated, renamed: "danglingReferences(limit:)")
  public func dangling(limit: Int = .max) -> [(referrer: Referrer, target: CacheKey)] {
    danglingReferences(limit: limit)
  }
}

extension CachePolicies {
  /// The former name of `addPolicies(from:)`.
  @available(*, deprecated, renamed: "addPolicies(from:)")
  public mutating func adopt(_ schema: GraphQLSchema) { addPolicies(from: schema) }

  /// The former name of `addPolicies(from:)`.
  @available(*, deprecated, renamed: "addPolicies(from:)")
  public mutating func adopt<Schema: SchemaMetadata>(_ schema: Schema.Type) { addPolicies(from: schema) }
}

extension CacheKeyResolver {
  /// The former name of `addKeyFields(from:)`.
  @available(*, deprecated, renamed: "addKeyFields(from:)")
  public mutating func adopt(_ schema: GraphQLSchema) { addKeyFields(from: schema) }
}

extension DependentKeys {
  /// The former name of `intersects(_:)`.
  @available(*, deprecated, renamed: "intersects(_:)")
  public func areTouched(by changed: ChangedKeys) -> Bool { intersects(changed) }
}

extension CacheChange.Cause {
  /// The former name of `external`.
  @available(*, deprecated, renamed: "external")
  public static var foreign: Self { .external }

  /// The former name of `optimistic`.
  @available(*, deprecated, renamed: "optimistic")
  public static var optimism: Self { .optimistic }

  /// The former name of `imported`.
  @available(*, deprecated, renamed: "imported")
  public static var importing: Self { .imported }
}

extension CacheMiss.Reason {
  /// The former name of `invalidValue`.
  @available(*, deprecated, renamed: "invalidValue")
  public static var unfit: Self { .invalidValue }

  /// The former name of `danglingReference(_:)`.
  @available(*, deprecated, renamed: "danglingReference(_:)")
  public static func lostRecord(_ key: CacheKey) -> Self { .danglingReference(key) }
}

extension CacheFileError.Kind {
  /// The former name of `unrecognized`.
  @available(*, deprecated, renamed: "unrecognized")
  public static var foreign: Self { .unrecognized }

  /// The former name of `corrupt`.
  @available(*, deprecated, renamed: "corrupt")
  public static var damaged: Self { .corrupt }
}

extension RecordOrder {
  /// The former name of `insertion`.
  @available(*, deprecated, renamed: "insertion")
  public static var met: Self { .insertion }
}

extension CacheWriteOptions {
  /// The former name of `paths`.
  @available(*, deprecated, renamed: "paths")
  public var places: [ResponsePath]? {
    get { paths }
    set { paths = newValue }
  }

  /// The former name of `payloadIndex`.
  @available(*, deprecated, renamed: "payloadIndex")
  public var part: Int? {
    get { payloadIndex }
    set { payloadIndex = newValue }
  }

  /// The former name of `complete`.
  @available(*, deprecated, renamed: "complete")
  public static var whole: CacheWriteOptions { .complete }
}

extension NormalizedCache {
  /// The former name of `recordUse(_:)`.
  @available(*, deprecated, renamed: "recordUse(_:)")
  public func note(_ use: RecordUse) async { await recordUse(use) }

  /// The former name of `externalChanges()`.
  ///
  /// - Throws: The errors of `externalChanges()`.
  @available(*, deprecated, renamed: "externalChanges()")
  public func foreignChanges() async throws -> [ChangedKeys] { try await externalChanges() }
}

extension CacheWriteOptions {
  /// The initializer with the former label of `paths`.
  @available(*, deprecated, message: "Use 'paths' and 'payloadIndex'")
  public init(isPartial: Bool = false, places: [ResponsePath]?, part: Int? = nil) {
    self.init(isPartial: isPartial, paths: places, payloadIndex: part)
  }

  /// The initializer with the former label of `payloadIndex`.
  @available(*, deprecated, message: "Use 'payloadIndex'")
  public init(isPartial: Bool = false, part: Int?) { self.init(isPartial: isPartial, payloadIndex: part) }
}
