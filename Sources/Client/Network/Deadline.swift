/// The instant at which a request times out, with the phase and its limit.
struct Deadline {
  let instant: ClockInstant
  let phase: NetworkError.Phase
  let limit: Duration

  func error(host: String) -> NetworkError {
    .timeout(phase: phase, host: host, limit: limit)
  }
}
