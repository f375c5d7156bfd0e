import ApusPlatform

/// The variables of the process: those that it was started with, and those of an `EnvironmentFile`.
package enum ProcessEnvironment {
  /// Read once: nobody changes them later.
  package static let variables = read()

  /// As they are now, before an `EnvironmentFile` adds to them.
  package static func read() -> [String: String] {
    var variables: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let pair = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if pair.count == 2 { variables[String(pair[0])] = String(pair[1]) }
      entry += 1
    }
    return variables
  }
}
