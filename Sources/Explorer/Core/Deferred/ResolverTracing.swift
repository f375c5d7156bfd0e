import ApusJSON

/// The times at which the server ran its resolvers, from the response's extensions: Apollo Tracing, version 1
/// (https://github.com/apollographql/apollo-tracing). Times are relative to the start of the request on the server.
package struct ResolverTracing: Equatable, Sendable {
  package struct Span: Equatable, Sendable {
    package var path: ResponsePath
    /// The type and the field, such as `Bird.name`.
    package var field: String
    package var start: Duration
    package var duration: Duration
  }

  package var spans: [Span] = []
  /// Whether there are more resolvers than the limit.
  package var isCut = false

  /// The maximum number of resolvers.
  static let limit = 2000

  /// Returns the number of resolvers in the extensions; nil if there are none.
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
