/// When something fails if nothing more happens, and what has then taken too long.
struct Deadline {
  let instant: ClockInstant
  let phase: NetworkError.Phase
  let limit: Duration

  func error(host: String) -> NetworkError {
    .timeout(phase: phase, host: host, limit: limit)
  }
}
