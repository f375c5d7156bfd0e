import ApusClientNetwork

/// The place of an operation in an application's traffic.
package struct TrafficOperationID: Sendable, Hashable {
  /// The number of its exchange.
  package let exchange: Int
  /// The id that its messages have on a WebSocket; `nil` over HTTP, where the operations of a batch share a response.
  package let message: String?

  package init(exchange: Int, message: String? = nil) { (self.exchange, self.message) = (exchange, message) }
}

/// A fact about an exchange between an application and its server, as a relay observes it.
///
/// The facts of an exchange come in order: `request`, `requestBody`…, `requestEnded`, `response`, `responseBody`…, `ended`. A
/// server may respond before the request has ended. After a response with status 101 come `socketBytes`.
package struct TrafficEvent: Sendable {
  package enum Fact: Sendable {
    /// The application sent the head of a request. The fields are those that it sent.
    case request(method: String, target: String, headers: HTTPHeaders)
    /// Bytes of the request's body, without the framing of chunks.
    case requestBody([UInt8])
    case requestEnded
    /// The server sent the head of its response, with the fields that it sent.
    case response(status: Int, headers: HTTPHeaders)
    /// Bytes of the response's body, without the framing of chunks. They may be compressed.
    case responseBody([UInt8])
    /// Bytes of a WebSocket.
    case socketBytes([UInt8], isFromServer: Bool)
    /// A rule of the user changed the response; with the rule as the user wrote it, and the id of the operation on a WebSocket.
    case changed(String, message: String? = nil)
    /// The number of payloads that wait until the user releases them has changed; with the id of the operation on a WebSocket.
    case held(Int, message: String? = nil)
    case ended(End)
  }

  /// The end of an exchange.
  package enum End: Sendable, Equatable {
    /// The application received the complete response, or a WebSocket was closed.
    case complete
    /// The application closed its connection before the response was complete.
    case cancelled
    /// The server cannot be reached, or broke off its response; with the reason.
    case failed(String)
  }

  /// The number of the exchange, from 1 in the order of their requests.
  package let exchange: Int
  package let time: ContinuousClock.Instant
  package let fact: Fact

  package init(exchange: Int, time: ContinuousClock.Instant = .now, _ fact: Fact) {
    self.exchange = exchange
    self.time = time
    self.fact = fact
  }

  /// The number of bytes of a body or a WebSocket in the event.
  package var byteCount: Int {
    switch fact {
    case .requestBody(let bytes), .responseBody(let bytes), .socketBytes(let bytes, _): bytes.count
    case .request, .requestEnded, .response, .changed, .held, .ended: 0
    }
  }
}
