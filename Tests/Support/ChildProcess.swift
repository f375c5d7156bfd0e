import Foundation

/// A program under test: its output can be read line by line as it comes, and it ends with the test.
package final class ChildProcess: Sendable {
  package struct Outcome: Sendable {
    package let exitCode: Int32
    package let output: String
    package let errors: String
  }

  private let process: Process
  private let input: FileHandle
  private let output: LineReader
  private let errors: LineReader

  package init(_ program: String, _ arguments: [String], environment: [String: String] = [:], folder: String? = nil)
    throws
  {
    process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    let input = Pipe()
    let output = Pipe()
    let errors = Pipe()
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    self.input = input.fileHandleForWriting
    self.output = LineReader(output.fileHandleForReading)
    self.errors = LineReader(errors.fileHandleForReading)
    try process.run()
  }

  deinit {
    try? input.close()
    if process.isRunning { process.terminate() }
  }

  package var processIdentifier: Int32 { process.processIdentifier }

  /// The next line of standard output, or nil at its end. Waits for it.
  package func nextLine() async -> String? { await output.next() }

  package func closeInput() { try? input.close() }

  package func write(_ text: String) { try? input.write(contentsOf: Data(text.utf8)) }

  package func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Waits for the end; what was not read line by line is in the outcome.
  package func outcome() async -> Outcome {
    closeInput()
    let output = await self.output.rest()
    let errors = await self.errors.rest()
    process.waitUntilExit()
    return Outcome(exitCode: process.terminationStatus, output: output, errors: errors)
  }

  /// Runs a program to its end.
  package static func run(
    _ program: String, _ arguments: [String], environment: [String: String] = [:]
  ) async throws -> Outcome {
    try await ChildProcess(program, arguments, environment: environment).outcome()
  }

  /// Runs this checkout's `apus` to its end.
  package static func apus(_ arguments: String..., environment: [String: String] = [:]) async throws -> Outcome {
    try await run(Checkout.apus, arguments, environment: environment)
  }
}

/// The lines of a pipe, read on a thread of its own so that no reader blocks a task.
private final class LineReader: Sendable {
  private let stream: AsyncStream<String>

  init(_ handle: FileHandle) {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    self.stream = stream
    let descriptor = dup(handle.fileDescriptor)
    Thread.detachNewThread {
      guard let file = fdopen(descriptor, "r") else { return continuation.finish() }
      var line: UnsafeMutablePointer<CChar>?
      var capacity = 0
      while true {
        let count = getline(&line, &capacity, file)
        guard count > 0, let line else { break }
        let bytes = UnsafeRawBufferPointer(start: line, count: count)
        continuation.yield(String(decoding: bytes, as: UTF8.self))
      }
      free(line)
      fclose(file)
      continuation.finish()
    }
  }

  func next() async -> String? {
    // Iterators of one stream share its buffer: each takes the next line.
    var iterator = stream.makeAsyncIterator()
    guard let line = await iterator.next() else { return nil }
    return line.hasSuffix("\n") ? String(line.dropLast()) : line
  }

  func rest() async -> String {
    var text = ""
    for await line in stream { text += line }
    return text
  }
}
