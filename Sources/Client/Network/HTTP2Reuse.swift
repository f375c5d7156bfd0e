import CApusCurl

/// A workaround for curl 7.88, which sets up HTTP/2 again when it reuses an HTTP/2 connection without TLS, so that the
/// request fails (fixed in 8.0).
///
/// 1. A request that is about to use an existing connection is aborted before it is sent.
/// 2. It is sent again as a request that may upgrade to HTTP/2, which needs no upgrade on this connection.
/// 3. If the connection is gone by then, a new one is opened.
struct HTTP2Reuse {
  private enum Step { case first, joining, alone }

  private static let isForgetful = (0x07_5800..<0x08_0000).contains(apus_curl_version())

  private var step = Step.first
  /// Whether the request was aborted and must be sent in another way.
  private(set) var isRethought = false

  func apply(to handle: CurlHandle) {
    switch step {
    case .first: break
    case .joining: handle.joinHTTP2()
    case .alone: handle.connectAlone()
    }
  }

  /// Returns whether the request must be sent in another way. Called after it is connected, before anything is sent.
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
