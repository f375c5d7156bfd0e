import ApusTestSupport
import Foundation

/// The servers for the runs: the program's demo API, third-party servers, and one with invalid responses.
struct RunFixtures: Sendable {
  /// A setting in the environment of all started processes and their children.
  let mark = "APUS_COMMAND_RUN=\(UUID().uuidString)"
  let demo: String
  let library: [String]
  let scripted: ScriptedServer
  let closed: ClosedPort
  let folder: TemporaryFolder
  /// The duration of a query on this machine.
  let queryTime: Duration
  /// The demo API's schema as SDL, requested once.
  let schema: String
  private let demoProcess: ChildProcess
  private let before: ProcessFacts?
  private let libraryServers: [PythonServer]

  init() async throws {
    folder = try TemporaryFolder()
    scripted = try ScriptedServer { request, _ in ScriptedReplies.answer(to: request.target) }
    closed = try ClosedPort()
    demoProcess = try ChildProcess(Checkout.apus, ["serve", "--delay-scale", "0"])
    guard let url = await demoProcess.nextLine() else {
      throw ChildProcess.LaunchError(description: await demoProcess.outcome().errors)
    }
    demo = url
    // These three respond to the same queries in the 2022 format, the v0.2 format and a mixture.
    var servers: [PythonServer] = []
    for kind in PythonServer.Kind.incremental { servers.append(try await PythonServer.start(kind)) }
    libraryServers = servers
    library = servers.map(\.url)
    schema = try await ChildProcess.apus("schema", url).output
    // Initializes everything that the server creates once.
    let begin = ContinuousClock.now
    for _ in 0..<10 { _ = try await ChildProcess.apus("query", url, "-q", "{ __typename }") }
    queryTime = begin.duration(to: .now) / 10
    before = ProcessFacts(demoProcess.processIdentifier)
  }

  /// Returns processes and descriptors that were not there at the start.
  func leaks() async -> [String] {
    var leaks: [String] = []
    let deadline = ContinuousClock.now + .seconds(10)
    var after = ProcessFacts(demoProcess.processIdentifier)
    // The server closes connections of killed clients when it next checks them.
    while let now = after, let before, ContinuousClock.now < deadline,
      now.descriptorCount > before.descriptorCount
    {
      try? await Task.sleep(for: .milliseconds(50))
      after = ProcessFacts(demoProcess.processIdentifier)
    }
    if let before, let after {
      say(
        "apus serve: descriptors \(before.descriptorCount) → \(after.descriptorCount), threads \(before.threadCount) → "
          + "\(after.threadCount), memory \(before.memory >> 20) → \(after.memory >> 20) MB")
      if after.descriptorCount > before.descriptorCount { leaks.append("apus serve keeps descriptors") }
    }
    if after == nil, before != nil { leaks.append("apus serve is gone") }
    let left = ProcessFacts.having(setting: mark)
    if !left.isEmpty { leaks.append("processes are left: \(left)") }
    for process in left { kill(process, SIGKILL) }
    demoProcess.signal(SIGTERM)
    _ = await demoProcess.outcome()
    return leaks
  }
}

/// The responses of the scripted server, by the target of the request.
enum ScriptedReplies {
  static func answer(to target: String) -> ScriptedAnswer {
    let words = target.split(separator: "/").map(String.init)
    let count = words.count > 1 ? Int(words[1]) ?? 1 : 1
    switch words.first {
    case "html": return .response(headers: [("Content-Type", "text/html")], [.text("<html>Welcome</html>")])
    case "broken": return .json(#"{"data":{"a":"#)
    case "cut":
      return .multipart([.text(#"{"data":{"a":1},"hasNext":true}"#), .reset, .text(#"{"hasNext":false}"#)])
    case "silent": return .never
    case "status": return .json(#"{"errors":[{"message":"no"}]}"#, status: count)
    case "preamble":
      return .response(
        headers: [("Content-Type", "multipart/mixed; boundary=\"-\"")],
        [
          .text("text before\r\nx---\r\n ---\r\n---\r\n\r\n"),
          .text(#"{"data":{"a":1,"b":2},"hasNext":false}"# + "\r\n-----\r\n"),
        ])
    case "legacy": return .multipart(legacyParts(count))
    case "current": return .multipart(specification: "incrementalSpec=v0.2", currentParts(count))
    default: return .json(#"{"data":{"a":1}}"#)
    }
  }

  private static func legacyParts(_ count: Int) -> [ScriptedAnswer.Piece] {
    [.text(#"{"data":{"a":1},"hasNext":true}"#)]
      + (1...count).map { number in
        let rest = #""path":[],"label":"f\#(number)"}],"hasNext":\#(number < count)}"#
        return .text(#"{"incremental":[{"data":{"f\#(number)":\#(number)},"# + rest)
      }
  }

  private static func currentParts(_ count: Int) -> [ScriptedAnswer.Piece] {
    let pending = (1...count).map { #"{"id":"\#($0)","path":[],"label":"f\#($0)"}"# }.joined(separator: ",")
    return [.text(#"{"data":{"a":1},"pending":[\#(pending)],"hasNext":true}"#)]
      + (1...count).map { number in
        let rest = #""completed":[{"id":"\#(number)"}],"hasNext":\#(number < count)}"#
        return .text(#"{"incremental":[{"id":"\#(number)","data":{"f\#(number)":\#(number)}}],"# + rest)
      }
  }
}
