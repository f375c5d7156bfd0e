import ApusASCII
import ApusSecrets

/// The key fields of cached objects, as set in `config.yml` for all endpoints or in a profile for its endpoint.
///
///     cacheKeys:
///       fields: id _id nodeId
///       types:
///         Bird: ring
///         Sighting: bird day
package struct CacheKeySettings: Equatable, Sendable {
  /// The candidates for the key field; the first one that an object has is used. `nil` if not set.
  package var fields: [String]?
  /// The key fields of types that differ from `fields`. Several fields form one combined key.
  package var types: [String: [String]] = [:]

  package init() {}

  init(_ node: YAMLNode) throws(ConfigurationError) {
    try node.allow(keys: ["fields", "types"], in: "cacheKeys")
    fields = try node["fields"].map { (node) throws(ConfigurationError) in try Self.names(node, "the fields") }
    for member in try node["types"]?.members("the types of cacheKeys") ?? [] {
      types[member.key] = try Self.names(member.value, "the key fields of \(printable(member.key))")
    }
  }

  private static func names(_ node: YAMLNode, _ what: String) throws(ConfigurationError) -> [String] {
    let names = try node.string(what).split { $0 == " " || $0 == "," }.map(String.init)
    let areNames = names.allSatisfy { $0.utf8.allSatisfy(\.isNameByte) }
    guard areNames, !names.isEmpty else { throw node.error("\(what) must be field names separated by spaces") }
    return names
  }

  /// Returns these settings, completed by general settings where they set nothing.
  package func over(_ general: CacheKeySettings) -> CacheKeySettings {
    var settings = general
    settings.fields = fields ?? general.fields
    settings.types.merge(types) { _, override in override }
    return settings
  }
}
