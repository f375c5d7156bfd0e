import CApusCurl

/// An observer of connections and of the header fields on the wire, including those that libcurl adds, and including
/// secrets. Compared by identity.
public final class HTTPTrace: Sendable, Hashable {
  /// A line of the trace, without its line break.
  public enum Line: Sendable, Hashable {
    /// A message from libcurl about the connection, such as addresses, the TLS session, or reuse.
    case note(String)
    /// The request line or a header field of the request.
    case sent(String)
    /// The status line or a header field of a response, including redirects.
    case received(String)
  }

  private let hear: @Sendable (Line) -> Void

  /// - Parameter hear: Called on the network thread; it must not block.
  public init(_ hear: @escaping @Sendable (Line) -> Void) {
    self.hear = hear
  }

  public static func == (left: HTTPTrace, right: HTTPTrace) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// Makes a curl handle report to this trace, which must outlive this use of the handle.
  func apply(to easy: UnsafeMutableRawPointer) {
    apus_curl_set_long(easy, CURLOPT_VERBOSE, 1)
    apus_curl_set_debug_callback(easy) { _, kind, bytes, count, context in
      guard let context, let bytes else { return 0 }
      let trace = Unmanaged<HTTPTrace>.fromOpaque(context).takeUnretainedValue()
      trace.record(kind, UnsafeRawBufferPointer(start: bytes, count: count))
      return 0
    }
    apus_curl_set_pointer(easy, CURLOPT_DEBUGDATA, Unmanaged.passUnretained(self).toOpaque())
  }

  private func record(_ kind: curl_infotype, _ bytes: UnsafeRawBufferPointer) {
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

  /// Whether a message refers to libcurl's source, such as `reached easy.c:1229`.
  private static func namesSourceLine(_ note: Substring) -> Bool {
    note.split(separator: " ").contains { word in
      guard let colon = word.lastIndex(of: ":"), word[..<colon].hasSuffix(".c") else { return false }
      let number = word[word.index(after: colon)...]
      return !number.isEmpty && number.allSatisfy(\.isNumber)
    }
  }
}
