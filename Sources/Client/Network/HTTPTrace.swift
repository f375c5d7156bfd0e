import CApusCurl

/// Hears of connections, and of the header fields of requests and responses as they are on the wire: those that libcurl
/// adds are among them, and so are secrets. Two are equal when they are the same one.
public final class HTTPTrace: Sendable, Hashable {
  /// A line of what happens, without its end.
  public enum Line: Sendable, Hashable {
    /// What libcurl says of the connection: addresses that it tries, the TLS session, the reuse of a connection.
    case note(String)
    /// Of the request: its first line, then its fields.
    case sent(String)
    /// Of a response, of one that redirects too.
    case received(String)
  }

  private let hear: @Sendable (Line) -> Void

  /// - Parameter hear: Called on the network's thread: it must not wait.
  public init(_ hear: @escaping @Sendable (Line) -> Void) {
    self.hear = hear
  }

  public static func == (left: HTTPTrace, right: HTTPTrace) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// Makes a handle tell this one, which must live as long as the handle is set so.
  func apply(to easy: UnsafeMutableRawPointer) {
    apus_curl_set_long(easy, CURLOPT_VERBOSE, 1)
    apus_curl_set_debug_callback(easy) { _, kind, bytes, count, context in
      guard let context, let bytes else { return 0 }
      let trace = Unmanaged<HTTPTrace>.fromOpaque(context).takeUnretainedValue()
      trace.take(kind, UnsafeRawBufferPointer(start: bytes, count: count))
      return 0
    }
    apus_curl_set_pointer(easy, CURLOPT_DEBUGDATA, Unmanaged.passUnretained(self).toOpaque())
  }

  private func take(_ kind: curl_infotype, _ bytes: UnsafeRawBufferPointer) {
    let line: (String) -> Line
    switch kind {
    case CURLINFO_TEXT: line = Line.note
    case CURLINFO_HEADER_OUT: line = Line.sent
    case CURLINFO_HEADER_IN: line = Line.received
    default: return
    }
    for text in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      if kind == CURLINFO_TEXT, Self.namesSourceLine(text) { continue }
      hear(line(String(text)))
    }
  }

  /// Whether a note is about a line of libcurl's own source, such as `reached easy.c:1229`.
  private static func namesSourceLine(_ note: Substring) -> Bool {
    note.split(separator: " ").contains { word in
      guard let colon = word.lastIndex(of: ":"), word[..<colon].hasSuffix(".c") else { return false }
      let number = word[word.index(after: colon)...]
      return !number.isEmpty && number.allSatisfy(\.isNumber)
    }
  }
}
