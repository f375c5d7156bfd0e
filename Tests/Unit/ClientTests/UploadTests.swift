import ApusClientCore
import ApusClientRequestChain
import ApusJSON
import ApusTestSupport
import Synchronization
import Testing

/// Uploads by the GraphQL multipart request specification.
@Suite(.timeLimit(.minutes(1))) struct UploadTests {
  @Test func `the form contains operations map and files in order`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
    let mutation = try operation("mutation M($f: Upload, $in: In) { a(f: $f, in: $in) }", ["n": 1])
    let files = [
      GraphQLFile(variablePath: "f", name: "a.txt", content: .bytes(Array("one".utf8))),
      GraphQLFile(variablePath: "in.pictures.1", name: "b\".png", content: .bytes([0, 255, 13, 10])),
    ]
    let run = await read(GraphQLClient(url: server.url).upload(operation: mutation, files: files))
    #expect(run.lines == [#"0 complete {"a":1}"#])
    let request = try #require(server.requests.first)
    let type = try #require(request.header("Content-Type"))
    let boundary = try #require(type.split(separator: "boundary=").last.map(String.init))
    #expect(type == "multipart/form-data; boundary=\(boundary)")
    let operations =
      #"{"operationName":"M","query":"mutation M($f: Upload, $in: In) { a(f: $f, in: $in) }","#
      + #""variables":{"n":1,"f":null,"in":{"pictures":[null,null]}}}"#
    func part(_ head: String, _ body: [UInt8]) -> [UInt8] {
      Array("--\(boundary)\r\nContent-Disposition: form-data; \(head)\r\n\r\n".utf8) + body + Array("\r\n".utf8)
    }
    let json = "\r\nContent-Type: application/json"
    #expect(
      request.body == part("name=\"operations\"\(json)", Array(operations.utf8))
        + part("name=\"map\"\(json)", Array(#"{"0":["variables.f"],"1":["variables.in.pictures.1"]}"#.utf8))
        + part("name=\"0\"; filename=\"a.txt\"\r\nContent-Type: text/plain", Array("one".utf8))
        + part("name=\"1\"; filename=\"b%22.png\"\r\nContent-Type: image/png", [0, 255, 13, 10])
        + Array("--\(boundary)--\r\n".utf8), "\(request.bodyText)")
  }

  @Test func `a file for an undeclared variable is an error`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
    let mutation = try operation("mutation M($f: Upload) { a(f: $f) }")
    for path in ["g", "variables.f", "", ".f", "ff", "M"] {
      let file = GraphQLFile(variablePath: path, name: "a", content: .bytes([1]))
      let run = await read(GraphQLClient(url: server.url).upload(operation: mutation, files: [file]))
      #expect(run.results.isEmpty && run.exitCode == 2, "\(run.lines)")
      #expect(run.lines.last?.contains("which the operation does not declare") == true)
    }
    #expect(server.requests.isEmpty)
  }

  @Test func `a file that has grown is an error`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
    let folder = try TemporaryFolder()
    try folder.write("a.txt", "one and two")
    let run = await read(
      GraphQLClient(url: server.url).upload(
        operation: try operation("mutation M($f: Upload) { a(f: $f) }"),
        files: [
          GraphQLFile(variablePath: "f", name: "a.txt", content: .file(path: folder.path("a.txt"), byteCount: 3))
        ]))
    #expect(run.exitCode == 5 && run.lines.last?.contains("a.txt to its end") == true, "\(run.lines)")
  }

  @Test func `file names are escaped`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
    var file = GraphQLFile(
      variablePath: "f", name: "a\r\nX: 1\"\u{301}\n\r.txt", content: .bytes(Array("one".utf8)))
    file.contentType = "text/plain\r\nX: 2"
    _ = await read(
      GraphQLClient(url: server.url).upload(
        operation: try operation("mutation M($f: Upload) { a(f: $f) }"), files: [file]))
    let body = try #require(server.requests.first?.bodyText)
    #expect(
      body.contains(
        "filename=\"a%0D%0AX: 1%22\u{301}%0A%0D.txt\"\r\nContent-Type: application/octet-stream\r\n\r\none"), "\(body)")
  }

  @Test func `upload progress is reported up to the total`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
    let seen = Mutex<[(sent: Int, total: Int)]>([])
    let monitor = RequestMonitor { observation in
      if case .sent(let progress) = observation {
        seen.withLock { $0.append((progress.sentByteCount, progress.totalByteCount)) }
      }
    }
    var options = RequestOptions()
    options.monitor = monitor
    let file = GraphQLFile(variablePath: "f", name: "a", content: .bytes([UInt8](repeating: 7, count: 2_000_000)))
    let run = await read(
      GraphQLClient(url: server.url).upload(
        operation: try operation("mutation($f: Upload) { a(f: $f) }"), files: [file], options: options))
    #expect(run.error == nil)
    let steps = seen.withLock { $0 }
    let length = try #require(server.requests.first?.header("Content-Length").flatMap { Int($0) })
    #expect(steps.count > 2)
    #expect(steps.map(\.sent) == steps.map(\.sent).sorted())
    #expect(steps.allSatisfy { $0.total == length })
    #expect(steps.last?.sent == length)
    #expect(monitor.facts.upload?.sentByteCount == length)
  }

  @Test func `an upload is sent once even if retries are allowed`() async throws {
    let server = try ScriptedServer([.raw([.close]), .json(#"{"data":{"a":1}}"#)])
    var features = RequestFeatures()
    features.retry = RetryPolicy()
    let file = GraphQLFile(variablePath: "f", name: "a", content: .bytes([1]))
    let run = await read(
      GraphQLClient(url: server.url, features: features).upload(
        operation: try operation("mutation($f: Upload) { a(f: $f) }"), files: [file]))
    #expect(run.exitCode == 3)
    #expect(server.requests.count == 1)
  }

  @Test(arguments: ["f.-1", "f.10000", "f.99999999999999999999"])
  func `invalid list indices in a variable path are member names`(path: String) async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
    let file = GraphQLFile(variablePath: path, name: "a", content: .bytes([1]))
    let mutation = try operation("mutation ($f: [Upload]) { a(f: $f) }", ["f": [.null]])
    let run = await read(GraphQLClient(url: server.url).upload(operation: mutation, files: [file]))
    #expect(run.lines == [#"0 complete {"a":1}"#])
    let name = path.dropFirst(2)
    #expect(server.requests.first?.bodyText.contains(#""variables":{"f":{"\#(name)":null}}"#) == true)
  }
}
