import ApusPlatform

/// The environment variables of this process, which it never changes.
package enum ProcessEnvironment {
  /// The variables, read once.
  package static let variables = read()

  /// Returns the current variables, which a test may have changed.
  package static func read() -> [String: String] {
    var variables: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let scalars = String(cString: text).unicodeScalars
      if let equals = scalars.firstIndex(of: "=") {
        variables[String(scalars[..<equals])] = String(scalars[equals...].dropFirst())
      }
      entry += 1
    }
    return variables
  }
}
