import ApusExplorerCore
import ApusExplorerTerminal
import ApusPlatform
import ApusSecrets

/// A log for bug reports: the names and times of events. It never contains typed text, requests or responses.
///
/// A separate task writes the lines, so that the loop never waits for the disk.
package final class ExplorerLog: Sendable {
  private let lines: AsyncStream<String>.Continuation
  private let writer: Task<Void, Never>
  private let start = ContinuousClock.now
  private let redactor: Redactor

  /// Creates or replaces a file that only its owner can read; returns nil if that fails.
  package init?(path: String, secrets: SecretValues? = nil) {
    guard let file = try? PrivateFile.create(path) else { return nil }
    redactor = Redactor(values: secrets)
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    lines = continuation
    writer = Task.detached {
      for await line in stream {
        var text = line + "\n"
        text.withUTF8 { _ = FileDescriptor.writeAll(UnsafeRawBufferPointer($0), to: file) }
      }
      close(file)
    }
  }

  package func finish() async {
    lines.finish()
    await writer.value
  }

  package func log(_ text: String) {
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    let thousandths = String(attoseconds / 1_000_000_000_000_000 + 1000).dropFirst()
    lines.yield("\(seconds).\(thousandths) \(redactor.text(text))")
  }

  func log(_ event: TerminalEvent) {
    switch event {
    // A character may belong to a secret: log only keys that insert no text.
    case .key(let key): if key.typed == nil { log("key \(key)") }
    case .paste(let text): log("paste of \(text.utf8.count) bytes")
    case .resize(let size): log("resize \(size.width)×\(size.height)")
    case .mouse: log("mouse")
    case .hangup: log("hangup")
    case .background, .resumed: log("terminal")
    case .focus(let isInFocus): log("focus \(isInFocus)")
    }
  }

  /// Logs an action by its name, such as `cache recordsListed`. Only a few have details, and those that typed text or
  /// the clock cause are left out.
  func log(_ action: Action) {
    if case .textTyped = action { return }
    if case .vimPressed = action { return }
    if case .receiptReleased = action { return }
    if case .run(_, .clockTicked) = action { return }
    if case .from(_, let action) = action { return log(action) }
    if case .commandInvoked(let command) = action { return log("command \(command)") }
    if case .operationFailed(let reason) = action { return log("operationFailed: \(redactor.document(reason))") }
    if case .run(let run, let answer) = action { return log(answer, of: run) }
    if case .schema(let answer) = action { return log(answer) }
    log(Self.name(of: action))
  }

  private func log(_ answer: RunAction, of run: Int) {
    if case .failed(let failure) = answer {
      return log("runFailed \(failure.stage): \(redactor.document(failure.message))")
    }
    if case .resultReceived(let result) = answer {
      return log(
        "resultReceived, run \(run), payload \(result.payloadIndex), \(result.byteCount) bytes, \(result.errors.count) errors"
      )
    }
    if case .trafficObserved(let traffic) = answer {
      return log("traffic \(traffic.status ?? "") \(traffic.format ?? "")")
    }
    log("run \(run) \(Self.name(of: answer))")
  }

  private func log(_ answer: SchemaAction) {
    switch answer {
    case .loaded(let count, _): log("schemaLoaded, \(count) types")
    case .failed(let reason): log("schemaFailed: \(redactor.document(reason))")
    case .changed, .noted: log("schema \(Self.name(of: answer))")
    }
  }

  func log(_ effect: Effect) {
    switch effect {
    case .at(_, let effect): log(effect)
    case .run(let run, let effect): log("  effect run \(run) \(Self.name(of: effect))")
    case .screen, .reading, .text, .cache, .endpoint, .history, .session, .file, .export, .exchange, .requests:
      log("  effect \(Self.name(of: effect))")
    }
  }

  /// Returns the names of a case and its nested case without other associated values: `cache recordsListed`.
  private static func name(of value: Any) -> String {
    guard let child = Mirror(reflecting: value).children.first, let label = child.label else { return "\(value)" }
    return Mirror(reflecting: child.value).displayStyle == .enum ? "\(label) \(name(of: child.value))" : label
  }
}
