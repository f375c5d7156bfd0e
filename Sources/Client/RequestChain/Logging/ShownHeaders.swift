import ApusClientNetwork

extension HTTPHeaders {
  /// What may be shown of the fields: the values of those in a list of names that say nothing about a person. A list of secret
  /// names would be a guess, for APIs put keys into headers of any name.
  var shown: HTTPHeaders {
    HTTPHeaders(fields.map { Field(name: $0.name, value: Self.shownValue(of: $0)) })
  }

  private static let impersonal: Set<String> = [
    "accept", "accept-encoding", "accept-language", "cache-control", "content-encoding", "content-length",
    "content-type", "user-agent",
  ]

  private static func shownValue(of field: Field) -> String {
    impersonal.contains(field.name.lowercased()) ? field.value : "•••"
  }
}
