import ApusGraphQLLanguage
import ApusJSON
import ApusLanguageServer
import ApusPlatform
import FoundationEssentials

extension Benchmark {
  /// Measures `apus lsp` as a process with pipes: Linear's schema and operations, with one file for each definition.
  static let languageServer = Benchmark(
    name: "lsp", summary: "the language server over pipes: start, completion while typing, an edit that many files feel"
  ) {
    let folder = try LinearProject()
    defer { folder.remove() }
    var starts: [Double] = []
    var completions: [Double] = []
    var edits: [Double] = []
    var memory: [Double] = []
    for _ in 0..<5 {
      let run = try LanguageServerRun(folder)
      starts.append(try run.timeToFirstDiagnostics())
      completions += try run.completionRoundTrips(1000)
      edits += try run.editsOfASharedFragment(20)
      memory.append(try run.end())
    }
    var table = Table(["\(folder.count) documents, a fragment that \(folder.userCount) use", "median", "99%", "max"])
    for (name, own) in [
      ("start to first diagnostics, ms", starts), ("completion round trip while typing, ms", completions),
      ("an edit of the fragment to the last diagnostics, ms", edits), ("peak memory, MB", memory),
    ] {
      table.add(
        [name, Table.number(own.median), Table.number(own.percentile(99)), Table.number(own.max() ?? .nan)])
    }
    table.print()
  }
}

/// A project with Linear's definitions as files, and an additional fragment that many of them spread.
private struct LinearProject {
  let root: String
  let count: Int
  let userCount = 200

  init() throws {
    let linear = "\(try SharedFiles.folder("schemas"))/linear"
    root = FileManager.default.temporaryDirectory.appending(path: "apus-lsp-\(getpid())").path
    try FileManager.default.createDirectory(atPath: "\(root)/documents", withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: "\(linear)/schema.graphql", toPath: "\(root)/schema.graphql")
    try Self.write("schema: schema.graphql\ndocuments: documents/*.graphql\n", "\(root)/.graphqlrc.yml")
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: "\(linear)/operations.graphql")))
    let definitions = Document(parsing: bytes).definitions
    var users = 0
    for (index, definition) in definitions.enumerated() {
      var text = definition.text
      if case .operation(let operation) = definition, users < userCount {
        users += 1
        let opening = operation.selectionSet.range.lowerBound - definition.range.lowerBound + 1
        let fragment = operation.operation == .query ? "Shared" : "SharedMutation"
        var edited = Array(text.utf8)
        edited.insert(contentsOf: " ...\(fragment)".utf8, at: opening)
        text = String(decoding: edited, as: UTF8.self)
      }
      try Self.write(text + "\n", "\(root)/documents/d\(index).graphql")
    }
    count = definitions.count + 1
    try Self.write(Self.fragments("__typename"), sharedFile)
  }

  var sharedFile: String { "\(root)/documents/shared.graphql" }

  static func fragments(_ field: String) -> String {
    "fragment Shared on Query {\n  \(field)\n}\n\nfragment SharedMutation on Mutation {\n  \(field)\n}\n"
  }

  func remove() { try? FileManager.default.removeItem(atPath: root) }

  private static func write(_ text: String, _ path: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
  }
}

/// A server process and its requests.
private final class LanguageServerRun {
  private let folder: LinearProject
  private let process: pid_t
  private let input: Int32
  private let output: Int32
  private var reader = MessageReader()
  private var lastID = 0
  private let start: Double

  init(_ folder: LinearProject) throws {
    self.folder = folder
    let program = try MeasuredProgram.path()
    guard let questions = FileDescriptor.pipe(), let answers = FileDescriptor.pipe() else {
      throw BenchmarkError("no pipe")
    }
    var actions = SpawnSettings.actions
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, questions.read, 0)
    posix_spawn_file_actions_adddup2(&actions, answers.write, 1)
    var words = [strdup(program), strdup("lsp"), nil]
    defer { for word in words { free(word) } }
    start = Cost.now(CLOCK_MONOTONIC)
    var identifier: pid_t = 0
    guard posix_spawn(&identifier, program, &actions, nil, &words, environ) == 0 else {
      throw BenchmarkError("\(program) cannot be started")
    }
    process = identifier
    close(questions.read)
    close(answers.write)
    input = questions.write
    output = answers.read
  }

  // MARK: Measurements

  /// Returns the time from the start of the process to the first diagnostics of an opened document.
  func timeToFirstDiagnostics() throws -> Double {
    let root = JSONValue("file://\(folder.root)")
    try request("initialize", ["capabilities": [:], "rootUri": root])
    try notify("initialized", [:])
    try open(folder.sharedFile, LinearProject.fragments("__typename"))
    try diagnostics(of: 1)
    return Cost.now(CLOCK_MONOTONIC) - start
  }

  /// Types letters and requests completion after each; ignores diagnostics in the meantime.
  func completionRoundTrips(_ count: Int) throws -> [Double] {
    let path = "\(folder.root)/documents/typed.graphql"
    let letters = Array("issues teams projects viewer ")
    try open(path, "query Typed {\n  \n}\n")
    var column = 2
    return try (0..<count).map { index in
      let place: JSONValue = ["line": 1, "character": JSONValue(column)]
      column += 1
      let begin = Cost.now(CLOCK_MONOTONIC)
      try notify(
        "textDocument/didChange",
        [
          "textDocument": ["uri": JSONValue("file://\(path)"), "version": JSONValue(index + 2)],
          "contentChanges": [
            ["range": ["start": place, "end": place], "text": JSONValue(String(letters[index % letters.count]))]
          ],
        ])
      try request(
        "textDocument/completion",
        [
          "textDocument": ["uri": JSONValue("file://\(path)")],
          "position": ["line": 1, "character": JSONValue(column)],
        ])
      return Cost.now(CLOCK_MONOTONIC) - begin
    }
  }

  /// Returns the times from an edit of the fragment to the diagnostics of every document that spreads it.
  func editsOfASharedFragment(_ count: Int) throws -> [Double] {
    var times: [Double] = []
    for index in 0..<count {
      // The previous edit is complete once a response arrives and nothing follows.
      let isWrong = index % 2 == 0
      let begin = Cost.now(CLOCK_MONOTONIC)
      // The fragments change their type, which is an error in each document that uses them.
      let text = LinearProject.fragments("__typename")
      try notify(
        "textDocument/didChange",
        [
          "textDocument": ["uri": JSONValue("file://\(folder.sharedFile)"), "version": JSONValue(index + 2)],
          "contentChanges": [
            [
              "text": JSONValue(
                isWrong ? text.replacing("on Query", with: "on Team").replacing("on Mutation", with: "on Team") : text)
            ]
          ],
        ])
      try diagnostics(of: folder.userCount) {
        $0.hasSuffix(".graphql") && !$0.hasSuffix("shared.graphql") && !$0.hasSuffix("typed.graphql")
      }
      times.append(Cost.now(CLOCK_MONOTONIC) - begin)
    }
    return times
  }

  /// Ends the server and returns its peak memory in megabytes.
  func end() throws -> Double {
    try request("shutdown", .null)
    try notify("exit", .null)
    var status: Int32 = 0
    var usage = rusage()
    while wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
    close(input)
    close(output)
    guard status == 0 else { throw BenchmarkError("apus lsp failed") }
    return Double(usage.peakResidentSize) / 1_000_000
  }

  // MARK: Messages

  private func open(_ path: String, _ text: String) throws {
    try notify(
      "textDocument/didOpen",
      [
        "textDocument": [
          "uri": JSONValue("file://\(path)"), "languageId": "graphql", "version": 1, "text": JSONValue(text),
        ]
      ])
  }

  /// Waits for the diagnostics of a number of documents.
  private func diagnostics(of count: Int, where isMeant: (String) -> Bool = { _ in true }) throws {
    var reported: Set<String> = []
    while reported.count < count {
      let message = try next()
      guard message["method"] == "textDocument/publishDiagnostics", let uri = message["params"]?["uri"]?.string,
        isMeant(uri)
      else { continue }
      reported.insert(uri)
    }
  }

  private func request(_ method: String, _ params: JSONValue) throws {
    lastID += 1
    try send(["jsonrpc": "2.0", "id": JSONValue(lastID), "method": JSONValue(method), "params": params])
    while try next()["id"]?.int != lastID {}
  }

  private func notify(_ method: String, _ params: JSONValue) throws {
    try send(["jsonrpc": "2.0", "method": JSONValue(method), "params": params])
  }

  private func send(_ message: JSONValue) throws {
    var bytes = MessageReader.framed(JSONWriter.compactBytes(message))[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
      guard count > 0 else { throw BenchmarkError("apus lsp reads no more") }
      bytes = bytes.dropFirst(count)
    }
  }

  private func next() throws -> JSONValue {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      if let body = try reader.next() { return try JSONDocument(parsing: body).root }
      let count = buffer.withUnsafeMutableBytes { read(output, $0.baseAddress, $0.count) }
      guard count > 0 else { throw BenchmarkError("apus lsp says no more") }
      reader.append(buffer[..<count])
    }
  }
}
