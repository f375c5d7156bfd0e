import ApusJSON

/// The error response to a request: `{"code": -32601, "message": "…"}`.
///
/// Source: JSON-RPC 2.0, section 5.1; Language Server Protocol 3.17, "ResponseMessage".
package struct RPCError: Error, Sendable, Equatable {
  package enum Code: Int, Sendable {
    case parseError = -32700
    case invalidRequest = -32600
    case methodNotFound = -32601
    case invalidParams = -32602
    case serverNotInitialized = -32002
    case requestFailed = -32803
    case requestCancelled = -32800
  }

  package let code: Code
  package let message: String

  static func params(_ message: String) -> RPCError { RPCError(code: .invalidParams, message: message) }
  static func failed(_ message: String) -> RPCError { RPCError(code: .requestFailed, message: message) }
  static let cancelled = RPCError(code: .requestCancelled, message: "the request was canceled")

  var json: JSONValue { ["code": JSONValue(code.rawValue), "message": JSONValue(message)] }
}

/// The ID of a request, a number or a string.
enum MessageID: Hashable, Sendable {
  case number(Int)
  case text(String)

  init?(_ json: JSONValue?) {
    if let number = json?.int {
      self = .number(number)
    } else if let text = json?.string {
      self = .text(text)
    } else {
      return nil
    }
  }

  var json: JSONValue {
    switch self {
    case .number(let number): JSONValue(number)
    case .text(let text): JSONValue(text)
    }
  }
}

/// A message of the client: `{"jsonrpc": "2.0", "id": 1, "method": "shutdown"}` is a request, without `id` a
/// notification.
enum ClientMessage: Sendable {
  case request(MessageID, method: String, params: JSONValue)
  case notification(method: String, params: JSONValue)
  /// The response to a request of the server.
  case response(MessageID, JSONValue)

  /// Parses the body of a message.
  init(_ body: [UInt8]) throws(RPCError) {
    let json: JSONValue
    do throws(JSONSyntaxError) {
      json = try JSONDocument(parsing: body, maximumDepth: 128).root
    } catch {
      throw RPCError(code: .parseError, message: "the message is not JSON: \(error)")
    }
    guard json.kind == .object else {
      throw RPCError(code: .invalidRequest, message: "a message is an object")
    }
    let id = MessageID(json["id"])
    let params = json["params"] ?? .null
    if let method = json["method"]?.string {
      self = id.map { .request($0, method: method, params: params) } ?? .notification(method: method, params: params)
    } else if let id {
      self = .response(id, json["result"] ?? .null)
    } else {
      throw RPCError(code: .invalidRequest, message: "a message must have a method or be a response")
    }
  }
}

/// Creates the bodies of the server's messages.
enum ServerMessage {
  static func response(_ id: MessageID?, _ result: Result<JSONValue, RPCError>) -> JSONValue {
    let outcome: (String, JSONValue) =
      switch result {
      case .success(let value): ("result", value)
      case .failure(let error): ("error", error.json)
      }
    return .object([("jsonrpc", "2.0"), ("id", id?.json ?? .null), outcome])
  }

  static func notification(_ method: String, _ params: JSONValue) -> JSONValue {
    ["jsonrpc": "2.0", "method": JSONValue(method), "params": params]
  }

  static func request(_ id: MessageID, _ method: String, _ params: JSONValue) -> JSONValue {
    ["jsonrpc": "2.0", "id": id.json, "method": JSONValue(method), "params": params]
  }
}
