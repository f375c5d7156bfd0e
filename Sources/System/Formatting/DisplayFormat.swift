/// Numbers as they are shown, on the screen and in exported text.
package enum DisplayFormat {
  /// Formats a time in its largest unit: `5 s`, `12 min`, `3 h`, `9 d`.
  package static func seconds(_ count: Int) -> String {
    if count < 60 { return "\(count) s" }
    if count < 3600 { return "\(count / 60) min" }
    return count < 86_400 ? "\(count / 3600) h" : "\(count / 86_400) d"
  }

  /// Formats a duration: `0.8 ms`, `320 ms`, `1.24 s`, `2 min 5 s`.
  package static func duration(_ duration: Duration) -> String {
    let (seconds, attoseconds) = max(.zero, duration).components
    if seconds >= 60 { return "\(seconds / 60) min \(seconds % 60) s" }
    let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    switch microseconds {
    case ..<10_000: return "\(decimal(microseconds, per: 1000, digits: 1)) ms"
    case ..<1_000_000: return "\(microseconds / 1000) ms"
    default: return "\(decimal(microseconds, per: 1_000_000, digits: 2)) s"
    }
  }

  /// Formats the time since a start in seconds, with milliseconds: `12.345 s`.
  package static func exactDuration(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    return "\(seconds).\(String(Int(attoseconds / 1_000_000_000_000_000) + 1000).dropFirst()) s"
  }

  /// Formats a number of bytes: `312 B`, `14.3 kB`, `2.1 MB`.
  package static func bytes(_ count: Int) -> String {
    switch count {
    case ..<1000: return "\(count) B"
    case ..<1_000_000: return "\(decimal(Int64(count), per: 1000, digits: 1)) kB"
    default: return "\(decimal(Int64(count), per: 1_000_000, digits: 1)) MB"
    }
  }

  /// Formats a number with thousands separators: `12,345`.
  package static func count(_ count: Int) -> String {
    var digits = Array(String(count))
    var index = digits.count - 3
    while index > 0 {
      digits.insert(",", at: index)
      index -= 3
    }
    return String(digits)
  }

  package static func plural(_ count: Int, _ one: String, _ many: String? = nil) -> String {
    "\(DisplayFormat.count(count)) \(count == 1 ? one : many ?? one + "s")"
  }

  private static func decimal(_ value: Int64, per unit: Int64, digits: Int) -> String {
    var scale: Int64 = 1
    for _ in 0..<digits { scale *= 10 }
    // Must not overflow for any number, because a history file may contain arbitrary values.
    let fraction = String(value % unit * scale / unit)
    return "\(value / unit)." + String(repeating: "0", count: digits - fraction.count) + fraction
  }
}
