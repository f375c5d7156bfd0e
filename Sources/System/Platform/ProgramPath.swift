#if canImport(Darwin)
  import MachO
#endif

/// Where this program's own file is, however it was started: a program that is found in `PATH` is told its name alone.
package enum ProgramPath {
  /// A path that can be started; it may be a link.
  package static var own: String {
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
