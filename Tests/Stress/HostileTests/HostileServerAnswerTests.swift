import ApusTestSupport
import Foundation
import Testing

/// A response takes at most three times its size in memory, whatever its JSON.
@Suite(.timeLimit(.minutes(5))) struct HostileServerAnswerTests {
  private static let nested = String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000)

  /// Returns the peak memory of `apus query` for a response that repeats `unit` up to a size.
  private func peak(_ unit: String, byteCount: Int) async throws -> Int {
    let block = String(repeating: unit + ",", count: max(1, (1 << 20) / (unit.utf8.count + 1)))
    let count = byteCount / block.utf8.count
    let server = try ScriptedServer([
      .response(
        headers: [("Content-Type", "application/json")],
        [.text(#"{"data":{"a":["#)] + Array(repeating: .text(block), count: count) + [.text("0]}}")])
    ])
    let script =
      "import resource, subprocess, sys\n"
      + "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n"
      + "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    let outcome = try await ChildProcess.run(
      "/usr/bin/env", ["python3", "-c", script, Checkout.apus, "query", server.url, "-q", "{ a }"])
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    return try #require(Int(outcome.output.trimmingCharacters(in: .whitespacesAndNewlines))) << 10
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status"), "in units of Linux"),
    arguments: ["1", "\"\"", "[]", "{}", #"{"":1}"#, "[1]", "null", nested])
  func `a response takes at most three times its size`(unit: String) async throws {
    let byteCount = 32 << 20
    let own = try await peak(unit, byteCount: 0)
    // The margin covers rounding by the system and data in transit.
    let limit = byteCount * 3 + (16 << 20)
    #expect(try await peak(unit, byteCount: byteCount) - own < limit)
  }
}
