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
    lines.yield("\(seconds).\(thousandths) \(text)")
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

  func log(_ action: Action) {
    switch action {
    case .from(_, let action): log(action)
    case .commandInvoked(let command): log("command \(command)")
    case .textTyped, .vimPressed, .receiptReleased: break
    case .operationFailed(let reason): log("operationFailed: \(redactor.document(reason))")
    case .run(let run, let answer): log(answer, of: run)
    case .schema(let answer): log(answer)
    case .started, .textPasted, .inputClicked, .paneClicked, .tabClicked, .textClicked, .wordClicked, .rowClicked,
      .popupRowClicked, .scrolled, .popupScrolled, .targetsLabeled, .widthDivided, .heightDivided, .viewed,
      .userReturned,
      .backgroundDetected, .focusChanged, .text, .reading, .cache, .file, .history, .connected, .cacheChanged,
      .editPreviewed, .formFilled,
      .writingAnswered, .pagingOffered, .confirmationRequested, .productionRunConfirmed, .runElsewhereConfirmed,
      .endpointConfirmed,
      .importedEndpointDeclined, .uploadConfirmed,
      .audit, .auditConfirmed,
      .withheldHeadersAnswered, .valueWritten, .requestImported, .importOffered, .importDeclined, .linkCopied,
      .textCopied, .fileWritten, .exported,
      .fileExists,
      .recordingChanged, .recordsNoted, .credentialsRenewed:
      log(Self.name(of: action))
    }
  }

  private func log(_ answer: RunAction, of run: Int) {
    switch answer {
    case .clockTicked: break
    case .failed(let failure): log("runFailed \(failure.stage): \(redactor.document(failure.message))")
    case .resultReceived(let result):
      log("resultReceived, run \(run), part \(result.part), \(result.byteCount) bytes, \(result.errors.count) errors")
    case .trafficObserved(let traffic): log("traffic \(traffic.status ?? "") \(traffic.format ?? "")")
    case .started, .completed, .eventsFiltered, .cacheUseFound, .recordPlaceFound, .pageReceived, .pagesCompleted,
      .pagesFailed, .pagesReset, .cacheRead, .uploadAsked, .noted:
      log("run \(run) \(Self.name(of: answer))")
    }
  }

  private func log(_ answer: SchemaAction) {
    switch answer {
    case .loaded(let count, _): log("schemaLoaded, \(count) types")
    case .failed(let reason): log("schemaFailed: \(redactor.document(reason))")
    case .changed, .noted: log("schema \(Self.name(of: answer))")
    }
  }

  func log(_ effect: Effect) {
    if case .at(_, let effect) = effect { return log(effect) }
    log("  effect \(Self.name(of: effect))")
  }

  /// Returns the names of a case and its nested case without other associated values: `cache recordsListed`.
  private static func name(of value: Any) -> String {
    guard let child = Mirror(reflecting: value).children.first, let label = child.label else { return "\(value)" }
    return Mirror(reflecting: child.value).displayStyle == .enum ? "\(label) \(name(of: child.value))" : label
  }
}
