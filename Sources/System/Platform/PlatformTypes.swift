// Uniform access to types that differ between systems.

/// The identity of a file, independent of its path.
package struct FileIdentity: Hashable, Sendable {
  let device, number: UInt64
}

extension stat {
  /// The identity of the file. The device number may be negative on macOS.
  package var place: FileIdentity { FileIdentity(device: UInt64(truncatingIfNeeded: st_dev), number: UInt64(st_ino)) }
}

/// Returns the time of the last change to the contents of a file. This is a function, because the compiler does not always find
/// a second property of an imported structure.
package func modificationTime(of status: stat) -> timespec {
  #if canImport(Darwin)
    status.st_mtimespec
  #else
    status.st_mtim
  #endif
}

extension rusage {
  /// The maximum resident size, in bytes.
  package var peakResidentSize: Int {
    #if canImport(Darwin)
      ru_maxrss
    #else
      ru_maxrss * 1024
    #endif
  }
}

extension sigaction {
  /// The action that ignores a signal.
  package static var ignoring: sigaction {
    var action = sigaction()
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = SIG_IGN
    #elseif canImport(Musl)
      action.__sa_handler.sa_handler = SIG_IGN
    #else
      action.__sigaction_handler.sa_handler = SIG_IGN
    #endif
    return action
  }
}

package enum SystemClock {
  /// The clock that continues while the machine sleeps and is never set, like `ContinuousClock`.
  @inlinable package static var continuous: clockid_t {
    #if canImport(Darwin)
      CLOCK_MONOTONIC_RAW
    #else
      CLOCK_BOOTTIME
    #endif
  }
}

/// The settings for `posix_spawn`: pointers on macOS, structures on Linux.
package enum SpawnSettings {
  #if canImport(Darwin)
    package typealias Actions = posix_spawn_file_actions_t?
    package typealias Attributes = posix_spawnattr_t?

    /// The value to pass to `posix_spawn_file_actions_init`.
    package static var actions: Actions { nil }
    /// The value to pass to `posix_spawnattr_init`.
    package static var attributes: Attributes { nil }
  #else
    package typealias Actions = posix_spawn_file_actions_t
    package typealias Attributes = posix_spawnattr_t

    /// The value to pass to `posix_spawn_file_actions_init`.
    package static var actions: Actions { Actions() }
    /// The value to pass to `posix_spawnattr_init`.
    package static var attributes: Attributes { Attributes() }
  #endif
}
