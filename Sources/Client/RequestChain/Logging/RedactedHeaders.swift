import ApusClientNetwork

extension HTTPHeaders {
  /// The fields with redacted values. Only fields on a list of impersonal names keep their values, because secrets may
  /// be in fields of any name.
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
