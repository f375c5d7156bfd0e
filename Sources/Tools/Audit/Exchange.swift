import ApusClientNetwork
import ApusGraphQLMediaTypes
import ApusJSON

/// A request and its response, with the time of each read.
package struct Exchange: Sendable {
  package struct Read: Sendable {
    package let bytes: [UInt8]
    /// The time since the request was sent.
    package let elapsed: Duration
  }

  package let request: HTTPRequest
  package internal(set) var head: HTTPHead?
  package internal(set) var reads: [Read] = []
  package internal(set) var timings: HTTPTimings?
  /// The reason why the response is incomplete.
  package internal(set) var failure: NetworkError?
  package internal(set) var duration = Duration.zero
  /// The range of the body that proves a finding; nil if the status, a header field or missing bytes do.
  package internal(set) var proof: Range<Int>?
  /// The number of bytes at the end of the body that were not kept.
  package private(set) var omittedByteCount = 0

  init(_ request: HTTPRequest) { self.request = request }

  /// Whether the body was not dropped.
  package var hasBody: Bool { omittedByteCount == 0 && !isTooLarge }

  /// Whether the response exceeded the limit of the run.
  var isTooLarge: Bool { if case .responseTooLarge? = failure { true } else { false } }

  /// The number of kept bytes of the body.
  package var byteCount: Int { reads.reduce(0) { $0 + $1.bytes.count } }

  /// Drops the bytes of the body beyond a limit.
  mutating func keep(first limit: Int) {
    var room = limit
    for (index, read) in reads.enumerated() {
      guard read.bytes.count > room else {
        room -= read.bytes.count
        continue
      }
      omittedByteCount += reads[index...].reduce(-room) { $0 + $1.bytes.count }
      reads = Array(reads[..<index])
      // A copy, because a slice would keep the whole read.
      if room > 0 { reads.append(Read(bytes: Array(read.bytes.prefix(room)), elapsed: read.elapsed)) }
      return
    }
  }

  package var status: Int { head?.status ?? 0 }
  package var body: [UInt8] { reads.flatMap(\.bytes) }
  package var contentType: String { head?.headers["Content-Type"] ?? "" }
  package var mediaType: MediaType { MediaType(parsing: contentType) }
  var isSuccess: Bool { (200..<300).contains(status) }
  var isClientError: Bool { (400..<500).contains(status) }
  var isGraphQLType: Bool { mediaType.name == GraphQLMediaType.response }

  /// The body as JSON; nil if it is not JSON.
  var json: JSONValue? { try? JSONDocument(parsing: body).root }
  /// The body as a response: an object with `data` or `errors`.
  var response: JSONValue? {
    guard let json, json.kind == .object, json["data"] != nil || json["errors"] != nil else { return nil }
    return json
  }
  /// The response's data unless it is null.
  var data: JSONValue? { response?["data"].flatMap { $0.isNull ? JSONValue?.none : $0 } }
  var errors: [JSONValue] { response?["errors"]?.elements ?? [] }

  /// Whether no connection could be established.
  var isUnreachable: Bool {
    switch failure {
    case .connectionRefused, .connectionFailed, .dnsFailure, .tlsFailure, .untrustedCertificate, .proxyFailure,
      .untrustedProxyCertificate,
      .timeout(phase: .connect, _, _):
      true
    case nil, .some: false
    }
  }

  /// Whether a time limit ended the request after the connection was established.
  var isTimedOut: Bool {
    switch failure {
    case .timeout(let phase, _, _): phase != .connect
    case nil, .some: false
    }
  }

  /// Header fields of the request that audits choose. Fields from a profile are omitted, because they may contain
  /// secrets.
  package var requestFields: [(name: String, value: String)] {
    ["Accept", "Accept-Encoding", "Content-Type", "Origin"].compactMap { name in
      request.headers[name].map { (name, $0) }
    }
  }

  package var requestBody: String { request.body.map { String(decoding: $0, as: UTF8.self) } ?? "" }

  /// The arrival time of the bytes that prove a finding; nil if something else proves it.
  package var proofTime: Duration? {
    guard let proof else { return nil }
    var end = 0
    for read in reads {
      end += read.bytes.count
      if end >= proof.upperBound { return read.elapsed }
    }
    return nil
  }

  /// Returns the range of a text in the body.
  func range(of text: String) -> Range<Int>? { body.firstRange(of: Array(text.utf8)) }

  /// Returns the range of the first member with a name, from its name to the end of its line: `"hasNext": true`.
  func range(ofMember name: String) -> Range<Int>? {
    let body = body
    guard let start = body.firstRange(of: Array("\"\(name)\"".utf8))?.lowerBound else { return nil }
    return start..<(body[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? body.endIndex)
  }

  /// The response on one line: status, media type and the beginning of the body.
  package var summary: String {
    if let failure { return "\(failure)" }
    let text = SingleLineText.line(String(decoding: body.prefix(200), as: UTF8.self), limit: 160)
    return
      "status \(status), \(contentType.isEmpty ? "no content type" : contentType)\(text.isEmpty ? "" : ": \(text)")"
  }
}

extension JSONValue {
  /// Elements of an array; empty for other values.
  var elements: [JSONValue] { kind == .array ? (0..<count).compactMap { self[$0] } : [] }
  /// Members of an object; empty for other values.
  var members: [(key: String, value: JSONValue)] { kind == .object ? (0..<count).compactMap { member(at: $0) } : [] }
  var keys: [String] { members.map(\.key) }
}
