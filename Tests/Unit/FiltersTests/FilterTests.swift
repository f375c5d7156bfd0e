import ApusPlatform
import ApusTestSupport
import Testing

@testable import ApusFilters

/// jq filters, run in a child process of the same program.
@Suite(.timeLimit(.minutes(1))) struct FilterTests {
  private func filter(
    _ filter: String, _ input: String = #"{"birds":[{"name":"Apus"},{"name":"鶴"}],"n":1.5}"#,
    limits: FilterLimits = .init()
  ) async -> String {
    let session = FilterSession(program: Checkout.apus, limits: limits)
    do throws(FilterError) {
      return String(decoding: try await session.run(filter, number: 1) { Array(input.utf8) }, as: UTF8.self)
    } catch {
      return "! \(error)"
    }
  }

  @Test func `each result is printed on a line`() async {
    #expect(await filter(".birds[].name") == "\"Apus\"\n\"鶴\"\n")
    #expect(await filter(".n, .missing") == "1.5\nnull\n")
    #expect(await filter("empty") == "")
    #expect(await filter("[.birds[] | {n: .name}]") == "[{\"n\":\"Apus\"},{\"n\":\"鶴\"}]\n")
  }

  @Test func `filter errors are one line`() async {
    let reported = await filter(".birds[")
    #expect(reported.hasPrefix("! the filter cannot be read: syntax error"))
    #expect(!reported.contains("shell") && !reported.contains("\n") && !reported.contains("top-level"))
    #expect(await filter(".n.x") == "! the filter failed: Cannot index number with string \"x\"")
    #expect(await filter("error(\"mine\")") == "! the filter failed: mine")
    #expect(await filter("nosuch").contains("nosuch/0 is not defined"))
  }

  @Test func `a filter cannot read files`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("secret.json", "\"told\"")
    try folder.write("module.jq", "def told: \"told\";")
    for text in [
      "import \"secret\" as $s {search: \"\(folder.root)\"}; $s",
      "import \"module\" as m {search: \"\(folder.root)\"}; m::told",
      "include \"module\" {search: \"\(folder.root)\"}; told", "input_filename, input",
    ] {
      let reported = await filter(text)
      #expect(reported.hasPrefix("!") || !reported.contains("told"), "\(text): \(reported)")
      #expect(!reported.hasPrefix("\"told"), "\(text)")
    }
  }

  /// If the parent is killed, no process is left to stop the child.
  @Test func `the child ends with its parent`() async throws {
    let worker = try ChildProcess(Checkout.apus, ["--filter-worker", "1000000000", "1000000", "60"])
    let endless = "last(repeat(1))"
    // The filter, preceded by its length in eight bytes.
    worker.write("\u{2}\u{F}\0\0\0\0\0\0\0" + endless)
    #expect(await worker.outcome().exitCode == 0)
  }

  @Test func `a filter cannot read the environment`() async {
    #expect(await filter("$ENV, env") == "{}\n{}\n")
  }

  @Test func `an endless filter is stopped at the time limit`() async {
    let limits = FilterLimits(time: .seconds(4))
    #expect(await filter("last(repeat(1))", limits: limits).hasPrefix("! the filter was stopped after 4 s"))
  }

  @Test(arguments: [
    (SIGXCPU, FilterError.tooSlow(limit: .seconds(3))), (SIGABRT, .outOfMemory(limit: 7)),
    (SIGSEGV, .outOfMemory(limit: 7)),
    (SIGKILL, .noProcess("its child process ended with signal 9")),
    (2 << 8, .noProcess("its child process ended with code 2")),
  ])
  func `the status of an ended child is a reason`(status: Int32, reason: FilterError) {
    #expect(FilterSession.reason(ofStatus: status, FilterLimits(time: .seconds(3), memory: 7)) == reason)
  }

  @Test func `a filter is stopped at the memory limit`() async {
    let limits = FilterLimits(time: .seconds(30), memory: 300 << 20)
    #expect(
      await filter(#"reduce range(40) as $i ("x"; . + .) | length"#, limits: limits)
        == "! the filter was stopped: it needs more than 300 MB of memory")
  }

  @Test func `input and output over the limit are rejected`() async {
    #expect(
      await filter(".", String(repeating: " ", count: 3_000_000) + "1", limits: FilterLimits(input: 2_000_000))
        == "! 3 MB are too much for a filter; it takes up to 2 MB")
    #expect(
      await filter("[range(400000)]", limits: FilterLimits(time: .seconds(60), output: 2_000_000))
        == "! the filter's output is over 2 MB")
  }

  @Test func `an excessive length of a response is not allocated`() throws {
    let (socket, other) = try #require(FileDescriptor.socketPair())
    defer { close(socket) }
    // Announces 512 GB and sends three bytes.
    let answer: [UInt8] = [4, 0, 0, 0, 0, 0x80, 0, 0, 0, 1, 2, 3]
    #expect(FileDescriptor.writeAll(answer, to: other))
    close(other)
    #expect(FilterMessage.receive(from: socket) == nil)
  }

  @Test func `a session continues after a stopped filter`() async throws {
    let session = FilterSession(program: Checkout.apus, limits: FilterLimits(time: .seconds(4)))
    for (filter, expected) in [
      (".", "[1]\n"), ("last(repeat(1))", nil), ("length", "1\n"), (".[", nil), ("add", "1\n"),
    ] {
      let result = try? await session.run(filter, number: 1) { Array("[1]".utf8) }
      #expect(result.map { String(decoding: $0, as: UTF8.self) } == expected)
    }
    let other = try await session.run("length", number: 2) { Array("[1,2]".utf8) }
    #expect(String(decoding: other, as: UTF8.self) == "2\n")
  }

  @Test func `canceling stops a running filter`() async {
    let session = FilterSession(program: Checkout.apus, limits: FilterLimits(time: .seconds(60)))
    let running = Task { () async -> FilterError? in
      do throws(FilterError) {
        _ = try await session.run("last(repeat(1))", number: 1) { Array("1".utf8) }
        return nil
      } catch {
        return error
      }
    }
    // The child has received its input and is running.
    _ = try? await FilterSession(program: Checkout.apus).run(".", number: 1) { Array("1".utf8) }
    running.cancel()
    #expect(await running.joined == .cancelled)
  }
}
