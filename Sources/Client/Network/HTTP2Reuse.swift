import CApusCurl

/// Reuse of a connection that speaks HTTP/2 without TLS, by a curl that forgets that it does: 7.88 sets HTTP/2 up once
/// more on it, and the request fails (mended in 8.0).
///
/// 1. A request that is about to go over a connection that is there already is taken back before it is sent.
/// 2. It is sent again as one that may be upgraded to HTTP/2; on that connection there is nothing to upgrade.
/// 3. Should the connection be gone by then, a new one is made, for good.
struct HTTP2Reuse {
  private enum Step { case first, joining, alone }

  private static let isForgetful = (0x07_5800..<0x08_0000).contains(apus_curl_version())

  private var step = Step.first
  /// The request was taken back, to be sent in another way.
  private(set) var isRethought = false

  func apply(to handle: CurlHandle) {
    switch step {
    case .first: break
    case .joining: handle.joinHTTP2()
    case .alone: handle.connectAlone()
    }
  }

  /// Asked when the connection stands and nothing is sent yet: whether the request has to be sent in another way.
  mutating func isAmiss(on handle: CurlHandle) -> Bool {
    isRethought = false
    guard Self.isForgetful else { return false }
    switch (step, handle.isConnectionNew) {
    case (.first, false): step = .joining
    case (.joining, true): step = .alone
    default: return false
    }
    isRethought = true
    return true
  }
}
