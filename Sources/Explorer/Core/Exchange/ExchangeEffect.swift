import ApusClientRequests

/// Work that copies text for other programs, or parses text from them.
package enum ExchangeEffect: Equatable, Sendable {
  /// Formats a value as text and copies it.
  case copy(VisibleJSON)
  /// Copies the rows of a table to the clipboard.
  case copyTable(ResponseTable, as: ResponseTable.Format)
  /// Exports a request as text and copies it.
  case copyRequest(RequestDraft, as: RequestFormat, reason: String? = nil)
  /// Copies text to the clipboard; `reason` replaces the default notice.
  case putOnClipboard(String, reason: String? = nil)
  /// Parses a pasted request.
  case importRequest(String)
  /// Parses requests that were pasted into the query, to offer their import.
  case offerImport(of: String)

  private enum Key { case copying, clipboard, importing }

  var work: EffectWork {
    switch self {
    case .copy(let value): .start(Key.copying) { $1(.valueWritten(value.pretty)) }
    case .copyTable(let table, let format):
      .start(Key.copying) { environment, send in
        let text = await environment.exchange.writeTable(table, format)
        // A line that is copied has no line end.
        send(.valueWritten(table.isSingleRow ? String(text.reversed().drop(while: \.isNewline).reversed()) : text))
      }
    case .copyRequest(let request, let format, let reason):
      .start(Key.copying) { environment, send in
        let written = await environment.exchange.writeRequest(request, format)
        let advice = written.advice.map { "\(reason ?? "Copied"); \($0)" } ?? reason
        send(.valueWritten(written.text, reason: advice))
      }
    case .putOnClipboard(let text, let reason):
      .start(Key.clipboard, .isFinishedFirst) {
        $1(.textCopied(text, await $0.exchange.putOnClipboard(text), reason: reason))
      }
    case .importRequest(let text):
      .start(Key.importing) { $1(.requestImported(await $0.exchange.importRequest(text))) }
    case .offerImport(let text):
      .start(Key.importing) { $1(.importOffered(await $0.exchange.importRequest(text), of: text)) }
    }
  }
}

/// Access to the clipboard and to the formats of other programs.
package struct ExchangeEnvironment: Sendable {
  package var putOnClipboard: @Sendable (String) async -> ClipboardMethod = { _ in .terminal }
  package var writeTable: @Sendable (ResponseTable, ResponseTable.Format) async -> String = { _, _ in "" }
  package var writeRequest: @Sendable (RequestDraft, RequestFormat) async -> WrittenRequest = { _, _ in
    WrittenRequest(text: "")
  }
  /// Parses a pasted request in any supported format.
  package var importRequest: @Sendable (String) async -> ImportResult = { _ in .failed("Requests cannot be imported") }

  package init() {}
}
