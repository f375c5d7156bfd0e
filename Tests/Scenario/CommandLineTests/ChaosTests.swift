import ApusJSON
import ApusTestSupport
import Foundation
import Testing

/// Limited systems: no space, no writable folder, few descriptors, a clock that is set back, a stopped program. The program
/// never crashes, prints the data that arrived, and describes the failure in one line.
@Suite(.timeLimit(.minutes(3))) struct ChaosTests {
  private static let answer = #"{"data":{"bird":{"id":"1","text":"\#(String(repeating: "x", count: 60_000))"}}}"#
  private static let query = "{ bird { id text } }"

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs a shell command in which `apus` is the program under test.
  private func shell(_ line: String, environment: [String: String] = [:]) async throws -> ChildProcess.Outcome {
    try await ChildProcess.run(
      "/bin/bash", ["-c", "ulimit -c 0; apus() { \"\(Checkout.apus)\" \"$@\"; }; \(line)"], environment: environment)
  }

  private func expectOneLine(
    _ outcome: ChildProcess.Outcome, _ codes: Set<Int32>, location: SourceLocation = #_sourceLocation
  ) {
    #expect(codes.contains(outcome.exitCode), "\(outcome.exitCode): \(outcome.errors)", sourceLocation: location)
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.count == (outcome.exitCode == 0 ? 0 : 1), "\(outcome.errors)", sourceLocation: location)
    #expect(lines.allSatisfy { $0.hasPrefix("apus: ") }, "\(outcome.errors)", sourceLocation: location)
  }

  // MARK: No space

  /// Limits in blocks of 1,024 bytes; some leave space for the start of the file.
  @Test(arguments: [0, 1, 4, 16, 30, 40, 100])
  func `a file size limit affects the cache but not the result`(blocks: Int) async throws {
    let server = try ScriptedServer([.json(Self.answer)])
    let db = folder.path("cache")
    let outcome = try await shell(
      "ulimit -f \(blocks); apus query \(server.url) -q '\(Self.query)' --db \(db) --cache-policy networkOnly | cat; "
        + "exit ${PIPESTATUS[0]}")
    expectOneLine(outcome, [0, 5])
    // Either the file cannot be opened and no request is sent, or the result is printed.
    #expect(server.requests.isEmpty ? outcome.output.isEmpty : outcome.output == Self.answer + "\n")
    // The file is a valid cache in any case.
    let after = try await ChildProcess.apus("query", server.url, "-q", Self.query, "--db", db)
    #expect(after.exitCode == 0 && after.output == Self.answer + "\n", "\(after.errors)")
  }

  @Test func `a recording cut by a file size limit is reported as incomplete`() async throws {
    let server = try ScriptedServer([.json(Self.answer)])
    let outcome = try await shell(
      "ulimit -f 1; apus query \(server.url) -q '\(Self.query)' --record \(folder.path("session")) | cat; "
        + "exit ${PIPESTATUS[0]}")
    expectOneLine(outcome, [5])
    #expect(outcome.output == Self.answer + "\n")
    #expect(outcome.errors.contains("the recording is incomplete: File too large"))
  }

  #if os(Linux)
    @Test(.enabled(if: getuid() == 0, "mounting a file system requires root"))
    func `a full disk affects the cache but not the result`() async throws {
      let server = try ScriptedServer([.json(Self.answer)])
      let disk = folder.path("disk")
      try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
      for size in [4, 40, 60, 80, 120] {
        let outcome = try await ChildProcess.run(
          "/usr/bin/unshare",
          [
            "-m", "/bin/bash", "-c",
            "mount -t tmpfs -o size=\(size)k none \(disk) || exit 99; "
              + "\(Checkout.apus) query \(server.url) -q '\(Self.query)' --db \(disk)/cache --cache-policy networkOnly",
          ])
        if outcome.exitCode == 99 { return }
        expectOneLine(outcome, [0, 5])
        #expect(outcome.output.isEmpty || outcome.output == Self.answer + "\n")
      }
      #expect(server.requests.count > 1)
    }
  #endif

  // MARK: Read-only folders

  @Test func `a read-only home directory does not affect results`() async throws {
    let server = try ScriptedServer([.json(Self.answer)])
    let home = ["HOME": "/proc/self/nowhere", "XDG_DATA_HOME": "", "XDG_STATE_HOME": "", "XDG_CACHE_HOME": ""]
    let outcome = try await ChildProcess.run(
      Checkout.apus, ["query", server.url, "-q", Self.query], environment: home)
    #expect(outcome.exitCode == 0 && outcome.output == Self.answer + "\n", "\(outcome.errors)")
    let doctor = try await ChildProcess.run(Checkout.apus, ["doctor"], environment: home)
    #expect(doctor.exitCode == 1)
    #expect(doctor.output.contains("the explorer works but saves nothing there"))
  }

  // MARK: Limits

  @Test(arguments: [48, 49, 64])
  func `few file descriptors give a result or one error line`(count: Int) async throws {
    let server = try ScriptedServer([.json(Self.answer)])
    let db = folder.path("cache")
    for options in [
      "", "--db \(db)", "--jq .data.bird.id", "--db \(db) --jq .data.bird.id --record \(folder.path("r"))",
    ] {
      let outcome = try await shell("ulimit -n \(count); apus query \(server.url) -q '\(Self.query)' \(options)")
      expectOneLine(outcome, [0])
    }
  }

  @Test(arguments: [8, 12, 47])
  func `too few file descriptors are reported at startup`(count: Int) async throws {
    let server = try ScriptedServer([.json(Self.answer)])
    for command in ["query \(server.url) -q '{ a }' --db \(folder.path("cache"))", "serve", "themes", server.url] {
      let outcome = try await shell("ulimit -n \(count); apus \(command)")
      #expect(outcome.exitCode == 5)
      #expect(
        outcome.errors == "apus: \(count) file descriptors are too few; allow 48 or more (ulimit -n 48)\n")
    }
    #expect(server.requests.isEmpty)
    // A soft limit below the hard limit is raised.
    let soft = try await shell("ulimit -Sn \(count); apus query \(server.url) -q '\(Self.query)'")
    #expect(soft.exitCode == 0 && soft.output == Self.answer + "\n", "\(soft.errors)")
  }

  @Test(arguments: [100_000, 500_000])
  func `too little address space is reported at startup`(kilobytes: Int) async throws {
    let server = try ScriptedServer([.json(Self.answer)])
    for command in ["query \(server.url) -q '{ a }' --db \(folder.path("cache")) --jq .", "serve", server.url] {
      let outcome = try await shell("ulimit -v \(kilobytes); apus \(command)")
      #expect(outcome.exitCode == 5)
      #expect(
        outcome.errors
          == "apus: \(kilobytes >> 10) MB of address space is too little; allow 512 MB or more (ulimit -v 524288)\n")
    }
    #expect(server.requests.isEmpty)
    let soft = try await shell("ulimit -Sv \(kilobytes); apus query \(server.url) -q '\(Self.query)'")
    #expect(soft.exitCode == 0 && soft.output == Self.answer + "\n", "\(soft.errors)")
  }

  @Test(arguments: [524_288, 1_000_000])
  func `little memory is sufficient for an ordinary result`(kilobytes: Int) async throws {
    let server = try ScriptedServer([.json(Self.answer)])
    for options in ["", "--db \(folder.path("cache"))"] {
      let outcome = try await shell("ulimit -v \(kilobytes); apus query \(server.url) -q '\(Self.query)' \(options)")
      #expect(outcome.exitCode == 0 && outcome.output == Self.answer + "\n", "\(outcome.errors)")
    }
  }

  @Test(arguments: [
    "apus --version", "apus themes", "apus format FILE", "apus validate FILE", "apus query URL -q '{ a }' --db CACHE",
    "apus query URL -q '{ a }' --jq .", "apus cache keys --db CACHE", "apus doctor", "apus schema FILE.graphql",
  ])
  func `closed standard streams are not reused for files and cause no crash`(command: String) async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
    try folder.write("f.graphql", "{\n  a\n}\n")
    for closed in ["<&-", ">&-", "2>&-", "<&- >&-", "<&- 2>&-", ">&- 2>&-", "<&- >&- 2>&-"] {
      let line = command.replacing("FILE.graphql", with: folder.path("f.graphql"))
        .replacing("FILE", with: folder.path("f.graphql"))
        .replacing("URL", with: server.url).replacing("CACHE", with: folder.path("cache"))
      let outcome = try await shell("\(line) \(closed)")
      #expect(outcome.exitCode <= 5, "\(line) \(closed): \(outcome.exitCode)")
    }
    #expect(try folder.read("f.graphql") == "{\n  a\n}\n")
  }

  // MARK: Time

  @Test func `a stopped and continued command prints the complete result`() async throws {
    let gate = Gate()
    let events = (0..<200).map { ScriptedAnswer.Piece.text("event: next\ndata: {\"data\":{\"n\":\($0)}}\n\n") }
    let server = try ScriptedServer([
      .response(
        headers: [("Content-Type", "text/event-stream")],
        events[..<100] + [.hold(gate)] + events[100...] + [.text("event: complete\ndata:\n\n")])
    ])
    let process = try ChildProcess(
      Checkout.apus, ["query", server.url, "-q", "subscription { n }", "--subscription-transport", "sse"])
    for number in 0..<100 { #expect(await process.nextLine() == #"{"data":{"n":\#(number)}}"#) }
    process.signal(SIGSTOP)
    // Output in the meantime is in the system's buffers.
    gate.open()
    process.signal(SIGCONT)
    let outcome = await process.outcome()
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(outcome.output == (100..<200).map { "{\"data\":{\"n\":\($0)}}\n" }.joined())
  }

  #if os(Linux)
    /// A preloaded library sets the clock of the C library back by a day during the run.
    @Test func `a clock that is set back does not affect the result`() async throws {
      try folder.write(
        "clock.c",
        """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <time.h>
        static _Atomic int calls;
        int clock_gettime(clockid_t clock, struct timespec *time) {
          static int (*real)(clockid_t, struct timespec *);
          if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
          int result = real(clock, time);
          if (clock == CLOCK_REALTIME && calls++ >= 2) time->tv_sec -= 86400;
          return result;
        }
        """)
      let library = folder.path("clock.so")
      let compiler = try await ChildProcess.run(
        "/usr/bin/env", ["clang", "-shared", "-fPIC", "-o", library, folder.path("clock.c"), "-ldl"])
      try #require(compiler.exitCode == 0, "\(compiler.errors)")
      let server = try ScriptedServer([
        .json(Self.answer, headers: [("Cache-Control", "max-age=60"), ("Date", "Mon, 01 Jan 2035 00:00:00 GMT")])
      ])
      let words = ["query", server.url, "-q", Self.query, "--db", folder.path("cache")]
      for preload in [[:], ["LD_PRELOAD": library], ["LD_PRELOAD": library], [:]] {
        let outcome = try await ChildProcess.run(Checkout.apus, words, environment: preload)
        #expect(outcome.exitCode == 0 && outcome.output == Self.answer + "\n", "\(outcome.errors)")
      }
      let session = folder.path("session")
      let recorded = try await ChildProcess.run(
        Checkout.apus, ["query", server.url, "-q", Self.query, "--record", session],
        environment: ["LD_PRELOAD": library])
      #expect(recorded.exitCode == 0, "\(recorded.errors)")
      let replayed = try await ChildProcess.apus("replay", session, "--speed", "1000", "--output", "json")
      #expect(replayed.output == Self.answer + "\n")
    }
  #endif

  // MARK: Concurrency

  @Test func `all records of concurrent writers are in the cache`() async throws {
    let server = try ScriptedServer { request, _ in
      let number = request.bodyText.split(separator: "n: ").last?.prefix { $0.isNumber } ?? "0"
      return .json(#"{"data":{"bird":{"__typename":"Bird","id":"\#(number)","text":"\#(number)"}}}"#)
    }
    let db = folder.path("cache")
    @Sendable func query(_ number: Int, _ policy: String) async throws -> ChildProcess.Outcome {
      try await ChildProcess.apus(
        "query", server.url, "-q", "{ bird(n: \(number)) { id text } }", "--db", db, "--cache-policy", policy)
    }
    for policy in ["networkOnly", "cacheOnly"] {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<12 {
          group.addTask {
            let outcome = try await query(number, policy)
            #expect(outcome.output == "{\"data\":{\"bird\":{\"id\":\"\(number)\",\"text\":\"\(number)\"}}}\n")
            #expect(outcome.exitCode == 0, "\(outcome.errors)")
          }
        }
        try await group.waitForAll()
      }
    }
  }
}
