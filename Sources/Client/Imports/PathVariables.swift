import ApusASCII

/// The variables in the path of a URL, such as `:org` in `https://api.example/:org/graphql`, which some programs store beside it.
enum PathVariables {
  /// Returns the URL with values in place of its path variables. One without a value becomes a `{{variable}}`.
  static func filled(_ url: String, _ values: [(name: String, value: String)]) -> String {
    guard !values.isEmpty else { return url }
    let end = url.firstIndex { $0 == "?" || $0 == "#" } ?? url.endIndex
    let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
    guard start <= end else { return url }
    let segments = url[start..<end].split(separator: "/", omittingEmptySubsequences: false).map { segment -> String in
      guard segment.hasPrefix(":"), let value = values.first(where: { $0.name == segment.dropFirst() }) else {
        return String(segment)
      }
      return value.value.isEmpty ? "{{\(value.name)}}" : encoded(value.value)
    }
    return url[..<start] + segments.joined(separator: "/") + url[end...]
  }

  /// Encodes the characters that would end the segment, except in variables.
  private static func encoded(_ value: String) -> String {
    ImportTemplate(value).parts.map { part in
      switch part {
      case .text(let text): PercentEncoding.encoded(text.utf8, keeping: "!$&'()*+,;=:@%")
      case .variable(let name): "{{\(name)}}"
      }
    }.joined()
  }
}
