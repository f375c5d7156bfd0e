// Former names of public declarations, which the next version removes.

extension GraphQLClient {
  /// The former name of `redactedURL`.
  @available(*, deprecated, renamed: "redactedURL")
  public var shownURL: String { redactedURL }
}
