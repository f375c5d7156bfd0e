import ApusClientNetwork

/// How long a response stays fresh, as its header fields say. Source: RFC 9111, sections 4.2 and 5.2.2.
struct CacheLifetime {
  /// As long as any response may stay fresh: what is longer counts as this (section 1.2.2).
  private static let longest = 1 << 31

  /// Whether the response may be kept at all.
  let isStorable: Bool
  /// Seconds from now on; nil when the response does not say.
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
