import ApusClientNetwork
import ApusGraphQLMediaTypes
import ApusJSON

/// A request and everything that came back, with the time of each read.
package struct Exchange: Sendable {
  package struct Read: Sendable {
    package let bytes: [UInt8]
    /// Since the request was sent.
    package let elapsed: Duration
  }

  package let request: HTTPRequest
  package internal(set) var head: HTTPHead?
  package internal(set) var reads: [Read] = []
  package internal(set) var timings: HTTPTimings?
  /// Why no complete response arrived.
  package internal(set) var failure: NetworkError?
  package internal(set) var duration = Duration.zero
  /// The bytes of the body that decide a finding; nil if the status or a header field does, or bytes that are absent.
  package internal(set) var proof: Range<Int>?

  init(_ request: HTTPRequest) { self.request = request }

  package var status: Int { head?.status ?? 0 }
  package var body: [UInt8] { reads.flatMap(\.bytes) }
  package var contentType: String { head?.headers["Content-Type"] ?? "" }
  package var mediaType: MediaType { MediaType(parsing: contentType) }
  var isSuccess: Bool { (200..<300).contains(status) }
  var isClientError: Bool { (400..<500).contains(status) }
  var isGraphQLType: Bool { mediaType.name == GraphQLMediaType.response }

  /// The body as JSON; nil if it is something else.
  var json: JSONValue? { try? JSONDocument(parsing: body).root }
  /// The body as a response map: an object with `data` or `errors`.
  var response: JSONValue? {
    guard let json, json.kind == .object, json["data"] != nil || json["errors"] != nil else { return nil }
    return json
  }
  /// The response's data, unless it is null.
  var data: JSONValue? { response?["data"].flatMap { $0.isNull ? JSONValue?.none : $0 } }
  var errors: [JSONValue] { response?["errors"]?.elements ?? [] }

  /// Whether there was no connection to send the request on.
  var isUnreachable: Bool {
    switch failure {
    case .connectionRefused, .connectionFailed, .dnsFailure, .tlsFailure, .untrustedCertificate, .proxyFailure,
      .timeout(phase: .connect, _, _):
      true
    case nil, .some: false
    }
  }

  /// The fields of the request that audits choose; a profile's fields, which may hold secrets, are left out.
  package var requestFields: [(name: String, value: String)] {
    ["Accept", "Accept-Encoding", "Content-Type", "Origin"].compactMap { name in
      request.headers[name].map { (name, $0) }
    }
  }

  package var requestBody: String { request.body.map { String(decoding: $0, as: UTF8.self) } ?? "" }

  /// The time at which the bytes that decide a finding had arrived; nil if other things decide it.
  package var proofTime: Duration? {
    guard let proof else { return nil }
    var end = 0
    for read in reads {
      end += read.bytes.count
      if end >= proof.upperBound { return read.elapsed }
    }
    return nil
  }

  /// The bytes of a text in the body.
  func range(of text: String) -> Range<Int>? { body.firstRange(of: Array(text.utf8)) }

  /// The bytes of the first member with a name, from its name to the end of its line.
  func range(ofMember name: String) -> Range<Int>? {
    let body = body
    guard let start = body.firstRange(of: Array("\"\(name)\"".utf8))?.lowerBound else { return nil }
    return start..<(body[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? body.endIndex)
  }

  /// The response in one line: status, media type and the beginning of the body.
  package var summary: String {
    if let failure { return "\(failure)" }
    let text = PlainText.line(String(decoding: body.prefix(200), as: UTF8.self), limit: 160)
    return
      "status \(status), \(contentType.isEmpty ? "no content type" : contentType)\(text.isEmpty ? "" : ": \(text)")"
  }
}

extension JSONValue {
  /// The elements of an array; none for another value.
  var elements: [JSONValue] { kind == .array ? (0..<count).compactMap { self[$0] } : [] }
  /// The members of an object; none for another value.
  var members: [(key: String, value: JSONValue)] { kind == .object ? (0..<count).compactMap { member(at: $0) } : [] }
  var keys: [String] { members.map(\.key) }
}
