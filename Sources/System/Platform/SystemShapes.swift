// What each system has, in a shape of its own.

/// What tells one file from another, whatever its path.
package struct FilePlace: Hashable, Sendable {
  let device, number: UInt64
}

extension stat {
  /// Which file it is. The device's number may be negative on macOS.
  package var place: FilePlace { FilePlace(device: UInt64(truncatingIfNeeded: st_dev), number: UInt64(st_ino)) }

  /// When the file's bytes were changed last.
  package var modificationTime: timespec {
    #if canImport(Darwin)
      st_mtimespec
    #else
      st_mtim
    #endif
  }
}

extension rusage {
  /// The most memory that was resident, in bytes.
  package var peakResidentSize: Int {
    #if canImport(Darwin)
      ru_maxrss
    #else
      ru_maxrss * 1024
    #endif
  }
}

extension sigaction {
  /// What ignores a signal.
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

/// The clocks of the system.
package enum SystemClock {
  /// The one that goes on while the machine sleeps, and is never set: that of `ContinuousClock`.
  @inlinable package static var continuous: clockid_t {
    #if canImport(Darwin)
      CLOCK_MONOTONIC_RAW
    #else
      CLOCK_BOOTTIME
    #endif
  }
}

/// What `posix_spawn` is told of a child: pointers on macOS, structures on Linux.
package enum SpawnSettings {
  #if canImport(Darwin)
    package typealias Actions = posix_spawn_file_actions_t?
    package typealias Attributes = posix_spawnattr_t?

    /// To be initialized by `posix_spawn_file_actions_init`.
    package static var actions: Actions { nil }
    /// To be initialized by `posix_spawnattr_init`.
    package static var attributes: Attributes { nil }
  #else
    package typealias Actions = posix_spawn_file_actions_t
    package typealias Attributes = posix_spawnattr_t

    /// To be initialized by `posix_spawn_file_actions_init`.
    package static var actions: Actions { Actions() }
    /// To be initialized by `posix_spawnattr_init`.
    package static var attributes: Attributes { Attributes() }
  #endif
}
