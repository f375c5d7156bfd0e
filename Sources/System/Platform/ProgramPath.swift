#if canImport(Darwin)
  import MachO
#endif

/// The path of this program's executable, which the system may not pass on: a program found in `PATH` gets only its
/// name.
package enum ProgramPath {
  /// An absolute path that can be executed; it may be a symbolic link.
  package static var current: String {
    #if canImport(Darwin)
      var size: UInt32 = 0
      _ = _NSGetExecutablePath(nil, &size)
      var path = [CChar](repeating: 0, count: Int(size) + 1)
      guard _NSGetExecutablePath(&path, &size) == 0 else { return CommandLine.arguments[0] }
      return path.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    #else
      return "/proc/self/exe"
    #endif
  }
}
