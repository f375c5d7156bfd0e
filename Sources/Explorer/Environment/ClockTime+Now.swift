import ApusExplorerCore
import ApusPlatform

extension ClockTime {
  /// The current time in the local time zone.
  static var now: ClockTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    var parts = tm()
    localtime_r(&time.tv_sec, &parts)
    return ClockTime(
      hour: Int(parts.tm_hour), minute: Int(parts.tm_min), second: Int(parts.tm_sec),
      millisecond: time.tv_nsec / 1_000_000)
  }
}
