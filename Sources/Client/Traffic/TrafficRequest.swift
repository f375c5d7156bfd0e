import ApusClientAPI
import ApusClientNetwork
import ApusClientOperation
import ApusJSON

/// The records of a cache that a response changed.
package struct CacheEffect: Sendable, Equatable {
  /// The number of records that the cache did not have.
  package var new = 0
  /// The number of records with other values than before.
  package var changed = 0
}

/// A GraphQL operation of an application, as it was sent, and the progress of its response.
package struct TrafficRequest: Sendable {
  package enum State: Sendable, Equatable {
    case running
    case complete
    /// The response is not complete, not readable, or has no data; with the reason.
    case failed(String)
    /// The application did not wait for the end of the response.
    case cancelled

    /// The name of the state in output.
    package var name: String {
      switch self {
      case .running: "running"
      case .complete: "complete"
      case .failed: "failed"
      case .cancelled: "canceled"
      }
    }
  }

  package enum Transport: String, Sendable {
    case http, webSocket
  }

  /// The number of the operation, from 1 in the order of arrival.
  package let number: Int
  /// Its place in the traffic, with which its held payloads are released.
  package let id: TrafficOperationID
  /// The time of its arrival.
  package let time: ContinuousClock.Instant
  package let transport: Transport
  package let method: String
  /// The path of the URL, without the query.
  package let path: String
  /// The header fields of the request, with their secrets.
  package let headers: HTTPHeaders
  package let parameters: OperationParameters
  /// The document that was sent, or that of its hash or id; `nil` if it is not known.
  package internal(set) var document: String?
  /// The compiled operation; `nil` if its document is not known or not readable.
  package internal(set) var compiled: CompiledOperation?
  /// The operation's type; `nil` if its document is not known or not readable.
  package internal(set) var type: CompiledOperation.OperationType?
  /// The name in the request, or the name in the document.
  package internal(set) var operationName: String?
  /// The identity of the request in changes of the cache; `nil` if payloads are not merged.
  package internal(set) var cacheRequest: RequestID?
  /// The reason why payloads are not merged; `nil` if they are.
  package internal(set) var problem: String?

  package internal(set) var state = State.running
  /// The status of the response; `nil` before it, and for WebSockets.
  package internal(set) var status: Int?
  package internal(set) var firstPayload: Duration?
  package internal(set) var lastPayload: Duration?
  package internal(set) var payloadCount = 0
  /// The errors of the last payload, which include those of earlier ones.
  package internal(set) var errorCount = 0
  package internal(set) var duration: Duration?
  /// The number of bytes of the response, as they were sent.
  package internal(set) var byteCount = 0
  package internal(set) var effect = CacheEffect()
  /// The rules that changed the response, as the user wrote them.
  package internal(set) var changes: [String] = []
  /// The ways in which the application could perhaps do without the request.
  package internal(set) var hints: [TrafficHint] = []
  /// The number of payloads that wait until the user releases them (`DeliveryControl`).
  package internal(set) var heldCount = 0

  /// The name of the application: the one that it gives to servers of Apollo or GraphQL, else its user agent.
  package var client: String? {
    for prefix in ["apollographql-client", "graphql-client"] {
      guard let name = headers["\(prefix)-name"] else { continue }
      return headers["\(prefix)-version"].map { "\(name) \($0)" } ?? name
    }
    return headers["User-Agent"]
  }
}

/// A result of an operation after one of its payloads.
package struct TrafficPayload: Sendable {
  /// The number of the operation.
  package let request: Int
  /// The merged result, with the states of deferred fragments, and the changed keys of the cache.
  package let result: GraphQLResult<JSONValue>
  /// The time from the arrival of the operation to that of the payload.
  package let elapsed: Duration
  package let effect: CacheEffect
}

/// A change of an application's traffic, for the views and files that show it.
package enum TrafficReport: Sendable {
  case began(TrafficRequest)
  /// The application could perhaps do without the request, which has just begun.
  case hint(TrafficRequest, TrafficHint)
  /// The head of the response arrived.
  case responded(TrafficRequest, HTTPHead, elapsed: Duration)
  /// A part of the response arrived, as the server sent it, without compression.
  case part(TrafficRequest, [UInt8], elapsed: Duration)
  case payload(TrafficRequest, TrafficPayload)
  /// A rule of the user changed the response; with the rule as the user wrote it.
  case changed(TrafficRequest, String, elapsed: Duration)
  /// Payloads wait until the user releases them, or fewer do than before.
  case held(TrafficRequest, elapsed: Duration)
  case ended(TrafficRequest)
  /// Two queries take each other's fields from the cache.
  case conflict(TrafficConflict)
  /// A request that is not GraphQL was answered.
  case other(method: String, path: String, status: Int?)
}
