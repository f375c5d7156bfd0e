import ApusPlatform
import CApusCurl

/// A byte stream to the server of a URL, for a caller that writes and reads HTTP/1.1 itself. curl establishes it: name
/// lookup, proxy, TLS with a verified certificate. Used by one thread.
package final class ServerConnection {
  /// The result of a read or write without waiting.
  package enum Outcome: Sendable, Equatable {
    case bytes(Int)
    /// Nothing can be read or written now.
    case nothing
    /// The server closed the connection after its last byte.
    case closed
    /// The connection broke.
    case failed
  }

  /// The socket to wait for.
  package let descriptor: Int32
  /// Whether bytes may be waiting in the TLS library, so that the socket does not become readable for them.
  package private(set) var mayHoldBytes = false

  private let handle: CurlHandle
  private let target: TargetURL

  /// Loads libcurl. The first connection does so too, but then none works if the descriptors are used up at that time.
  package static func loadLibrary() throws(NetworkError) {
    guard CurlLibrary.isReady else {
      throw .missingLibrary(CurlLibrary.failure ?? "libcurl cannot be initialized")
    }
  }

  /// Connects, which blocks the thread until the connection is established or failed.
  ///
  /// - Parameter request: The URL, the connection options and the time limit of the connection.
  package init(to request: HTTPRequest) throws(NetworkError) {
    let target = try TargetURL(parsing: request.url)
    try request.connection.check()
    try Self.loadLibrary()
    guard let handle = CurlHandle() else { throw .missingLibrary("libcurl cannot be initialized") }
    handle.prepareConnection(to: target, request.connection)
    apus_curl_set_long(handle.easy, CURLOPT_CONNECT_ONLY, 1)
    apus_curl_set_long(handle.easy, CURLOPT_HTTP_VERSION, numericCast(CURL_HTTP_VERSION_1_1))
    apus_curl_set_long(handle.easy, CURLOPT_HTTPPROXYTUNNEL, 1)
    if let limit = request.timeouts.connect {
      apus_curl_set_long(handle.easy, CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(limit / .milliseconds(1))))
    }
    let code = curl_easy_perform(handle.easy)
    guard code == CURLE_OK else {
      throw handle.failure(code).networkError(to: target, connection: request.connection, receivedBytes: 0)
    }
    descriptor = apus_curl_get_socket(handle.easy)
    guard descriptor >= 0 else { throw .interrupted(host: target.authority, receivedBytes: 0) }
    self.handle = handle
    self.target = target
  }

  /// Writes some of the bytes.
  package func send(_ bytes: UnsafeRawBufferPointer) -> Outcome {
    var count = 0
    let code = curl_easy_send(handle.easy, bytes.baseAddress, bytes.count, &count)
    if code == CURLE_AGAIN { return count > 0 ? .bytes(count) : .nothing }
    return code == CURLE_OK ? .bytes(count) : .failed
  }

  /// Reads the bytes that are available.
  package func receive(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
    var count = 0
    let code = curl_easy_recv(handle.easy, buffer.baseAddress, buffer.count, &count)
    mayHoldBytes = code == CURLE_OK && count > 0 && target.scheme == "https"
    if code == CURLE_AGAIN { return .nothing }
    guard code == CURLE_OK else { return .failed }
    return count > 0 ? .bytes(count) : .closed
  }

  /// Reports to the server that no more bytes follow. Returns false if the connection cannot be closed in one direction,
  /// as with TLS.
  package func closeSending() -> Bool {
    target.scheme == "http" && shutdown(descriptor, Int32(SHUT_WR)) == 0
  }
}
