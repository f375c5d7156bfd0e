import ApusClientNetwork
import ApusTestSupport

/// A response that was read to its end, with the error that ended it, if any.
struct Exchange {
  var uploads: [HTTPUploadProgress] = []
  var head: HTTPHead?
  var body: [UInt8] = []
  var timings: HTTPTimings?
  var error: (any Error)?

  var text: String { String(decoding: body, as: UTF8.self) }
  var networkError: NetworkError? { error as? NetworkError }
}

/// Sends a request with a new transport and reads the entire response.
func exchange(
  _ url: String, _ transport: HTTPTransport = HTTPTransport(), _ change: (inout HTTPRequest) -> Void = { _ in }
) async -> Exchange {
  var request = HTTPRequest(url: url)
  change(&request)
  return await read(transport.send(request))
}

/// Sends requests to a server with scripted responses. Also returns the requests that the server received.
func exchange(
  _ answers: [ScriptedAnswer], _ change: (inout HTTPRequest) -> Void = { _ in }
) async throws -> (exchange: Exchange, requests: [ScriptedServer.Request]) {
  let server = try ScriptedServer(answers)
  let result = await exchange(server.url, HTTPTransport(), change)
  return (result, server.requests)
}

func read(_ stream: HTTPResponseStream) async -> Exchange {
  var result = Exchange()
  do {
    for try await event in stream {
      switch event {
      case .sent(let progress): result.uploads.append(progress)
      case .head(let head): result.head = head
      case .bytes(let chunk): result.body += chunk.bytes
      case .end(let timings): result.timings = timings
      }
    }
  } catch {
    result.error = error
  }
  return result
}

extension HTTPResponseStream.AsyncIterator {
  /// Reads a number of bytes, in any chunks.
  mutating func text(_ count: Int) async throws -> String {
    var bytes: [UInt8] = []
    while bytes.count < count, let event = try await next() {
      if case .bytes(let chunk) = event { bytes += chunk.bytes }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
