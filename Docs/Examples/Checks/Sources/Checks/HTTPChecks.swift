import PeopleAPI
import ScriptedServers

/// Checks the transport without a client: requests, events, headers, uploads.
func checkHTTP(_ report: Report) async throws {
  let server = try ScriptedServer([.json("[1]", headers: [("X-A", "1"), ("X-A", "2")])])
  let transport = HTTPTransport(limits: HTTPConnectionLimits(perHost: 2, total: 8))
  var request = HTTPRequest(method: "POST", url: server.url, headers: ["X-B": "3"], body: Array("{}".utf8))
  request.timeouts = HTTPTimeouts(total: .seconds(60))
  var connection = HTTPConnectionOptions()
  connection.version = HTTPConnectionOptions.Version.http1
  request.connection = connection
  var body: [UInt8] = []
  var head: HTTPHead?
  var timings: HTTPTimings?
  let stream: HTTPResponseStream = transport.send(request)
  for try await event: HTTPResponseStream.Element in stream {
    switch event as HTTPEvent {
    case .sent: break
    case .head(let found): head = found
    case .bytes(let chunk):
      let found: HTTPChunk = chunk
      body += found.bytes
    case .end(let found): timings = found
    }
  }
  report.check("a body arrives", String(decoding: body, as: UTF8.self), is: "[1]")
  report.check("after its head", head?.status, is: 200)
  report.check("with all headers of a name", head?.headers.values(of: "x-a"), is: ["1", "2"])
  report.check("timings arrive last", timings?.remoteAddress.isEmpty, is: false)
  report.check("a header is sent", server.requests.first?.header("X-B"), is: "3")
  var headers: HTTPHeaders = ["A": "1"]
  headers.add(name: "B", value: "2")
  report.check("headers are found by any case", headers["a"], is: "1")
  report.check(
    "headers are fields", headers.fields, is: [HTTPHeaders.Field(name: "A", value: "1"), .init(name: "B", value: "2")])
  report.check("a shown URL has no secrets", HTTPRequest(url: "http://u:p@h/x?token=1").redactedURL, is: "http://h/x")

  let pieces: [HTTPUpload.Piece] = [.bytes(Array("ab".utf8)), .bytes(Array("cd".utf8))]
  var upload = HTTPRequest(method: "POST", url: server.url)
  upload.upload = HTTPUpload(pieces: pieces)
  var progress: HTTPUploadProgress?
  for try await event in transport.send(upload) { if case .sent(let found) = event { progress = found } }
  report.check("chunks are sent in order", server.requests.last?.bodyText, is: "abcd")
  report.check("and counted", progress?.totalByteCount, is: 4)
  var iterator: HTTPResponseStream.AsyncIterator = transport.send(HTTPRequest(url: "no url")).makeAsyncIterator()
  do {
    _ = try await iterator.next()
    report.check("a malformed URL is reported", false)
  } catch {
    report.check("a malformed URL is reported", error is NetworkError)
  }
}
