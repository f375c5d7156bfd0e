import ApusPlatform

/// The files that are installed with the program.
enum InstalledFiles {
  /// The folder that contains the pages named `Docs/…` in help; nil if they are not installed.
  static var pages: String? { folder("share/doc/apus", inCheckout: "") }

  /// Returns a folder next to the program's `bin`, or in the checkout that the program was built in.
  static func folder(_ shared: String, inCheckout name: String) -> String? {
    guard let program = realPath(ProgramPath.current) else { return nil }
    var folder = program[..<(program.lastIndex(of: "/") ?? program.startIndex)]
    if let installed = realPath("\(folder)/../\(shared)"), access(installed, R_OK) == 0 { return installed }
    while let slash = folder.lastIndex(of: "/") {
      folder = folder[..<slash]
      if access("\(folder)/Package.swift", R_OK) == 0 { return name.isEmpty ? "\(folder)" : "\(folder)/\(name)" }
    }
    return nil
  }

  private static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
