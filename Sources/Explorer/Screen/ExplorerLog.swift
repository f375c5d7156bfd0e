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
        text.withUTF8 { _ = Descriptor.writeAll(UnsafeRawBufferPointer($0), to: file) }
      }
      close(file)
    }
  }

  package func finish() async {
    lines.finish()
    await writer.value
  }

  package func note(_ text: String) {
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    let thousandths = String(attoseconds / 1_000_000_000_000_000 + 1000).dropFirst()
    lines.yield("\(seconds).\(thousandths) \(text)")
  }

  func note(_ event: TerminalEvent) {
    switch event {
    // A character may belong to a secret: log only keys that insert no text.
    case .key(let key): if key.typed == nil { note("key \(key)") }
    case .paste(let text): note("paste of \(text.utf8.count) bytes")
    case .resize(let size): note("resize \(size.width)×\(size.height)")
    case .mouse: note("mouse")
    case .hangup: note("hangup")
    case .background, .resumed: note("terminal")
    case .focus(let isInFocus): note("focus \(isInFocus)")
    }
  }

  func note(_ action: Action) {
    switch action {
    case .from(_, let action): note(action)
    case .commandInvoked(let command): note("command \(command)")
    case .textTyped, .vimPressed, .deliveryTaken: break
    case .operationFailed(let reason): note("operationFailed: \(redactor.document(reason))")
    case .run(let run, let answer): note(answer, of: run)
    case .schema(let answer): note(answer)
    case .started, .textPasted, .inputClicked, .paneClicked, .tabClicked, .textClicked, .wordClicked, .rowClicked,
      .popupRowClicked, .scrolled, .popupScrolled, .placesLabelled, .widthDivided, .heightDivided, .viewed,
      .personReturned,
      .backgroundSeen, .focusChanged, .text, .reading, .cache, .file, .history, .connected, .cacheChanged,
      .editPreviewed, .formFilled,
      .writingAnswered, .pagingOffered, .asked, .productionRunConfirmed, .runElsewhereConfirmed, .endpointConfirmed,
      .importedEndpointDeclined, .uploadConfirmed,
      .audit, .auditConfirmed,
      .withheldHeadersAnswered, .valueWritten, .requestImported, .importOffered, .importDeclined, .linkLeft,
      .textCopied, .fileWritten, .exported,
      .fileIsThere,
      .recordingChanged, .answerNoted, .credentialsRenewed:
      note(Self.name(of: action))
    }
  }

  private func note(_ answer: RunAnswer, of run: Int) {
    switch answer {
    case .clockTicked: break
    case .failed(let failure): note("runFailed \(failure.stage): \(redactor.document(failure.message))")
    case .resultReceived(let result):
      note("resultReceived, run \(run), part \(result.part), \(result.byteCount) bytes, \(result.errors.count) errors")
    case .trafficObserved(let traffic): note("traffic \(traffic.status ?? "") \(traffic.format ?? "")")
    case .started, .completed, .eventsFiltered, .cacheUseFound, .recordPlaceFound, .pageReceived, .pagesCompleted,
      .pagesFailed, .pagesReset, .cacheRead, .uploadAsked:
      note("run \(run) \(Self.name(of: answer))")
    }
  }

  private func note(_ answer: SchemaAnswer) {
    switch answer {
    case .loaded(let count, _): note("schemaLoaded, \(count) types")
    case .failed(let reason): note("schemaFailed: \(redactor.document(reason))")
    case .changed, .noted: note("schema \(Self.name(of: answer))")
    }
  }

  func note(_ effect: Effect) {
    if case .at(_, let effect) = effect { return note(effect) }
    note("  effect \(Self.name(of: effect))")
  }

  /// Returns the names of a case and its nested case without other associated values: `cache recordsListed`.
  private static func name(of value: Any) -> String {
    guard let child = Mirror(reflecting: value).children.first, let label = child.label else { return "\(value)" }
    return Mirror(reflecting: child.value).displayStyle == .enum ? "\(label) \(name(of: child.value))" : label
  }
}
