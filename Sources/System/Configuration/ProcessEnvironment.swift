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
      let scalars = String(cString: text).unicodeScalars
      if let equals = scalars.firstIndex(of: "=") {
        variables[String(scalars[..<equals])] = String(scalars[equals...].dropFirst())
      }
      entry += 1
    }
    return variables
  }
}
