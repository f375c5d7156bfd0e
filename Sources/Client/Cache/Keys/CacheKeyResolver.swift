import ApusClientAPI
import ApusClientOperation
import ApusJSON

/// The rules for the cache keys of objects. A key consists of the typename and the first candidate field that the
/// object has, the key fields of its type, or the result of a function. An object without a key is embedded in the
/// record that contains it.
public struct CacheKeyResolver: Sendable {
  /// Names of key fields for all types. The first that an object has, with a value, becomes its key.
  public var candidates: [String]
  /// Key fields of single types. Several fields form one key together; with none, objects of the type are embedded.
  public var keyFields: [String: [String]]
  /// Names of groups of types that share their keys, by typename.
  public var uniqueKeyGroups: [String: String]
  /// A function that is called first with an object's typename and fields. If it returns `nil`, the fields determine
  /// the key.
  public var cacheKeyInfo: (@Sendable (_ typename: String, _ object: JSONValue) -> CacheKeyInfo?)?

  /// Creates a resolver. The defaults are those of `CacheStore`.
  public init(
    candidates: [String] = ["id", "_id", "nodeId"], keyFields: [String: [String]] = [:],
    uniqueKeyGroups: [String: String] = [:],
    cacheKeyInfo: (@Sendable (_ typename: String, _ object: JSONValue) -> CacheKeyInfo?)? = nil
  ) {
    self.candidates = candidates
    self.keyFields = keyFields
    self.uniqueKeyGroups = uniqueKeyGroups
    self.cacheKeyInfo = cacheKeyInfo
  }

  /// Creates the resolver for generated models. It calls the function with the object's type first, if that is in the
  /// schema, then uses the key fields of the type or its interfaces, then the candidates.
  public init<Schema: SchemaMetadata>(
    schema: Schema.Type, candidates: [String] = ["id", "_id", "nodeId"],
    cacheKeyInfo info: (@Sendable (_ type: ObjectType, _ object: JSONValue) -> CacheKeyInfo?)? = nil
  ) {
    self.init(candidates: candidates)
    cacheKeyInfo = { [candidates] typename, object in
      guard let type = Schema.objectType(named: typename) else { return nil }
      if let info = info?(type, object) { return info }
      guard let fields = type.keyFields ?? type.implementedInterfaces.lazy.compactMap(\.keyFields).first else {
        return nil
      }
      // The resolver joins the parts of a composite key, with the typename as prefix.
      let local = CacheKeyResolver(candidates: candidates, keyFields: [typename: fields])
      guard let key = local.key(for: object, typename: typename) else { return nil }
      return CacheKeyInfo(id: String(key.text.dropFirst(typename.count + 1)))
    }
  }

  /// Options that make the compiler select the fields that keys need.
  package var compileOptions: CompileOptions {
    CompileOptions(addTypename: true, keyFields: keyFields, keyCandidates: candidates)
  }

  /// Rules by which two payloads of one response have the same object.
  package var keyRules: KeyRules {
    let key = cacheKeyInfo.map { info in
      { @Sendable (typename: String, fields: JSONValue) in info(typename, fields).map { "\($0.id)" } }
    }
    return KeyRules(candidates: candidates, fieldsByType: keyFields, key: key)
  }

  /// Returns the key of an object, or `nil` if it has none.
  ///
  /// - Parameters:
  ///   - object: A JSON object of a response, with its fields under their names in the schema, not their aliases.
  ///   - typename: The name of its object type.
  public func key(for object: JSONValue, typename: String) -> CacheKey? {
    let group = uniqueKeyGroups[typename] ?? typename
    if let info = cacheKeyInfo?(typename, object) { return CacheKey("\(info.uniqueKeyGroup ?? group):\(info.id)") }
    if let fields = keyFields[typename] {
      var parts: [String] = []
      for field in fields {
        guard let value = object[field], let part = Self.part(value, isOneOfSeveral: fields.count > 1) else {
          return nil
        }
        parts.append(part)
      }
      return parts.isEmpty ? nil : CacheKey("\(group):\(parts.joined(separator: "+"))")
    }
    for candidate in candidates {
      if let value = object[candidate], let part = Self.part(value, isOneOfSeveral: false) {
        return CacheKey("\(group):\(part)")
      }
    }
    return nil
  }

  /// Returns the text of a key field's value. In composite keys, the separator `+` is escaped: `a+b` and `c` form
  /// `a\+b+c`.
  static func part(_ value: JSONValue, isOneOfSeveral: Bool) -> String? {
    let text: String? =
      switch value.kind {
      case .string: value.string
      case .number, .bool: value.description
      default: nil
      }
    guard isOneOfSeveral, let text, text.contains(where: { $0 == "+" || $0 == "\\" }) else { return text }
    return text.reduce(into: "") { result, character in
      if character == "+" || character == "\\" { result.append("\\") }
      result.append(character)
    }
  }
}
