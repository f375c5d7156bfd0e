import ApusPlatform

/// The variables that the process was started with. No code of this program changes them.
package enum ProcessEnvironment {
  /// The variables, read once.
  package static let variables = read()

  /// The variables as they are now, which a test may have changed.
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
