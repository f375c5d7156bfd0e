import ApusJSON

/// When the server ran its resolvers: Apollo tracing, version 1 (https://github.com/apollographql/apollo-tracing), where the
/// response's extensions have it. Times are nanoseconds from the start of the request as the server saw it.
package struct ResolverTracing: Equatable, Sendable {
  package struct Span: Equatable, Sendable {
    package var path: ResponsePath
    /// `Bird.name`
    package var field: String
    package var start: Duration
    package var duration: Duration
  }

  package var spans: [Span] = []
  /// Whether there are more than are shown.
  package var isCut = false

  /// As many as somebody looks at.
  static let limit = 2000

  /// How many resolvers the extensions tell of; nil where they tell of none.
  static func count(in extensions: JSONValue?) -> Int? { resolvers(in: extensions)?.count }

  init?(_ extensions: JSONValue?) {
    guard let resolvers = Self.resolvers(in: extensions) else { return nil }
    for resolver in resolvers.elements.prefix(Self.limit) {
      guard let path = resolver["path"].flatMap({ ResponsePath($0) }), let start = resolver["startOffset"]?.int,
        let duration = resolver["duration"]?.int, start >= 0, duration >= 0
      else { continue }
      let type = resolver["parentType"]?.string.map { "\($0)." } ?? ""
      spans.append(
        Span(
          path: path, field: type + (resolver["fieldName"]?.string ?? path.description), start: .nanoseconds(start),
          duration: .nanoseconds(duration)))
    }
    isCut = resolvers.count > Self.limit
  }

  private static func resolvers(in extensions: JSONValue?) -> JSONValue? {
    guard let tracing = extensions?["tracing"], tracing["version"]?.int == 1,
      let resolvers = tracing["execution"]?["resolvers"], resolvers.kind == .array, resolvers.count > 0
    else { return nil }
    return resolvers
  }
}
