import ApusClientAPI
import ApusClientOperation
import ApusJSON

/// How objects get the keys of their records: from the typename and the first of some fields that the object has, from
/// other fields for some types, or from a function. An object without a key is kept under the path that leads to it.
public struct CacheKeyResolver: Sendable {
  /// The first of these that an object has with a value is its key.
  public var candidates: [String]
  /// Types with key fields of their own; several make one key together, none embeds the type's objects.
  public var keyFields: [String: [String]]
  /// Types whose objects share their keys, and the name of their group.
  public var uniqueKeyGroups: [String: String]
  /// Asked before everything else; `nil` leaves the answer to the fields.
  public var cacheKeyInfo: (@Sendable (_ typename: String, _ object: JSONValue) -> CacheKeyInfo?)?

  /// A resolver from its rules. Without arguments it is that of a store that is not told otherwise.
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

  /// The keys that generated models ask for: `SchemaMetadata.cacheKeyInfo(for:object:)` first, then the key fields that an
  /// object's type or its interfaces name, then the candidates.
  public init<Schema: SchemaMetadata>(
    schema: Schema.Type, candidates: [String] = ["id", "_id", "nodeId"]
  ) {
    self.init(candidates: candidates)
    cacheKeyInfo = { [candidates] typename, object in
      guard let type = Schema.objectType(named: typename) else { return nil }
      if let info = Schema.cacheKeyInfo(for: type, object: object) { return info }
      guard let fields = type.keyFields ?? type.implementedInterfaces.lazy.compactMap(\.keyFields).first else {
        return nil
      }
      // The resolver itself joins the parts, under the type's own name.
      let own = CacheKeyResolver(candidates: candidates, keyFields: [typename: fields])
      guard let key = own.key(for: object, typename: typename) else { return nil }
      return CacheKeyInfo(id: String(key.text.dropFirst(typename.count + 1)))
    }
  }

  /// What an operation needs beside what it selects, so that its objects have their keys.
  package var compileOptions: CompileOptions {
    CompileOptions(addTypename: true, keyFields: keyFields, keyCandidates: candidates)
  }

  /// The key of an object by the names of its fields; `nil` when it has none.
  ///
  /// - Parameters:
  ///   - object: A JSON object of a response, with its fields under their names in the schema and not under aliases.
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

  /// The text of a key field's value. Where several are joined, what would look like a joint is escaped.
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
