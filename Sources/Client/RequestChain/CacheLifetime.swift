import ApusClientNetwork

/// The freshness lifetime of a response, from its header fields: `Cache-Control: max-age=60` with `Age: 10` leaves 50
/// seconds. Source: RFC 9111, sections 4.2 and 5.2.2.
struct CacheLifetime {
  /// The maximum lifetime. Larger values are reduced to it (section 1.2.2).
  private static let longest = 1 << 31

  /// Whether the response may be stored.
  let isStorable: Bool
  /// The remaining lifetime in seconds; nil if the response does not specify one.
  let seconds: Int?

  init(_ headers: HTTPHeaders) {
    var age: Int?
    var isStorable = true
    for part in (headers["Cache-Control"] ?? "").split(separator: ",") {
      let words = part.split(separator: "=", maxSplits: 1).map {
        String($0).filter { $0 != " " && $0 != "\"" && $0 != "\t" }
      }
      switch words.first?.lowercased() {
      case "no-store": isStorable = false
      case "no-cache": age = 0
      case "max-age" where age == nil: age = words.count > 1 ? Int(words[1]).map { max(0, $0) } : nil
      default: break
      }
    }
    self.isStorable = isStorable
    let passed = headers["Age"].flatMap { Int($0.filter { $0 != " " }) } ?? 0
    seconds = age.map { max(0, min($0, Self.longest) - max(0, passed)) }
  }
}
