import ApusASCII

/// The fields of a URL query or a form body: `query=%7Ba%7D&name=a+b`.
package enum URLQuery {
  static func encode(_ text: String) -> String { PercentEncoding.encoded(text) }

  static func decode(_ text: Substring) -> String { PercentEncoding.decoded(String(text).replacing("+", with: " ")) }

  /// Returns the fields in order, decoded, with their source.
  package static func fields(_ text: Substring) -> [(name: String, value: String, source: Substring)] {
    text.split(separator: "&").map { field in
      let name = field.prefix { $0 != "=" }
      return (decode(name), decode(field.dropFirst(name.count + 1)), field)
    }
  }
}
