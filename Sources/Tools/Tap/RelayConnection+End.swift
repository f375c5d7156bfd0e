import ApusClientTraffic
import ApusPlatform

/// The end of a connection.
extension RelayConnection {
  func finish(_ end: End) {
    report()
    switch end {
    case .finished, .clientGone: if let exchange { context.observe(exchange.event(.ended(.canceled))) }
    case .stopped: if let exchange { context.observe(exchange.event(.ended(.failed("apus tap was stopped")))) }
    // A server closes the connection of an application that left.
    case .serverGone where hasClientEnded && exchange?.isTunnel == false:
      if let exchange { context.observe(exchange.event(.ended(.canceled))) }
    case .serverGone(let reason):
      if let exchange { context.observe(exchange.event(.ended(.failed(context.host + ": " + reason)))) }
      // After a reset, the application does not take the end of the connection for that of the response.
      if exchange?.response != nil { resetOnClose() }
    case .cut:
      if let exchange {
        context.observe(exchange.event(.ended(.failed("apus tap broke the connection (--cut-after)"))))
      }
      resetOnClose()
    case .refused(let refusal):
      if let exchange {
        context.observe(exchange.event(.ended(.failed(refusal.reason))))
      } else {
        context.refused(refusal)
      }
      if exchange?.response == nil { toClient.append(refusal.response) } else { resetOnClose() }
    }
    server = nil
    switch end {
    case .finished, .refused: leave()
    case .clientGone, .serverGone, .cut, .stopped: break
    }
    close(client)
  }

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
