import ApusClientTraffic
import ApusPlatform

/// The end of a connection.
extension RelayConnection {
  func finish(_ reason: End) {
    report()
    let hasResponse = exchange?.response != nil
    switch reason {
    case .finished, .clientGone: end(.cancelled)
    case .stopped:
      if hasResponse { resetOnClose() }
      end(.failed("apus tap was stopped"))
    // A server closes the connection of an application that left.
    case .serverGone where hasClientEnded && exchange?.isTunnel == false: end(.cancelled)
    case .serverGone(let reason):
      if hasResponse { resetOnClose() }
      end(.failed(context.host + ": " + reason))
    case .cut:
      resetOnClose()
      end(.failed("apus tap broke the connection (--cut-after)"))
    case .refused(let refusal):
      if exchange == nil { context.refused(refusal) }
      if hasResponse { resetOnClose() } else { toClient.append(refusal.response) }
      try? flush()
      observeRequest()
      end(.failed(refusal.reason))
    }
    server = nil
    switch reason {
    case .finished, .refused: leave()
    case .clientGone, .serverGone, .cut, .stopped: break
    }
    close(client)
  }

  /// Reads and observes the rest of a refused request for a while, so that its operation is known, for example if the server
  /// cannot be reached.
  private func observeRequest() {
    guard let exchange, exchange.response == nil, !exchange.request.isComplete else { return }
    var isValid = true
    func scan(_ bytes: UnsafeRawBufferPointer) {
      do { _ = try exchange.scanRequest(bytes, context.observe) } catch { isValid = false }
    }
    fromClient.withUnsafeBytes(scan)
    let end = ContinuousClock.now + .seconds(2)
    while isValid, !exchange.request.isComplete, ContinuousClock.now < end,
      FileDescriptor.waitToRead(client, milliseconds: 500)
    {
      let count = FileDescriptor.read(client, into: buffer)
      if count > 0 { scan(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
      guard count > 0 || count < 0 && errno == EAGAIN else { return }
    }
  }

  /// Makes the end of the connection a reset, so that the application does not take it for the end of the response.
  private func resetOnClose() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(client, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
  }

  /// Sends the rest and then reads from the application for a while, because closing a socket with unread bytes
  /// would discard the response.
  private func leave() {
    try? flush()
    shutdown(client, Int32(SHUT_WR))
    guard !hasClientEnded else { return }
    let end = ContinuousClock.now + .seconds(2)
    while ContinuousClock.now < end, FileDescriptor.waitToRead(client, milliseconds: 500) {
      let count = FileDescriptor.read(client, into: buffer)
      guard count > 0 || count < 0 && errno == EAGAIN else { return }
    }
  }
}
