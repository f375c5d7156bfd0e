import ApusFormatting

/// Work that writes files for other programs.
package enum ExportEffect: Equatable, Sendable {
  /// Writes a table to a file in the current directory.
  case table(ResponseTable, as: ResponseTable.Format)
  /// Writes a timeline to a file in the current directory.
  case timeline(Timeline, as: Timeline.Format)
  case text(String, to: String, overwrites: Bool)
  /// Formats a response as text and writes it to a file.
  case response(VisibleJSON, to: String)
  /// Writes the events of a subscription to a file, one per line.
  case events([VisibleJSON], to: String)
  /// Records incoming responses to a file; nil stops the recording.
  case record(to: String?)

  enum Key: Hashable {
    case file(String)
    case folder, recording
  }

  var work: EffectWork {
    switch self {
    case .table(let table, let format):
      .start(Key.folder) { environment, send in
        let text = await environment.exchange.writeTable(table, format)
        await environment.exports.write(text, to: "apus-\(table.name).\(format.rawValue)", send)
      }
    case .timeline(let timeline, let format):
      .start(Key.folder) {
        await $0.exports.write(timeline.written(as: format), to: "apus-\(timeline.name).\(format.rawValue)", $1)
      }
    case .text(let text, let path, let overwrites):
      // A response is exported as it came, also over another file. Everything else is a report of this program.
      .start(Key.file(path), .isFinishedFirst) {
        let written = overwrites ? text : $0.exports.hideSecrets(text)
        $1(await $0.exports.write(written, to: path, overwrites: overwrites))
      }
    case .response(let value, let path):
      .start(Key.file(path), .isFinishedFirst) { $1(await $0.exports.write(value.pretty + "\n", to: path)) }
    case .events(let events, let path):
      .start(Key.file(path), .isFinishedFirst) { environment, send in
        let lines = events.map { String(decoding: $0.compactBytes, as: UTF8.self) + "\n" }
        let answer = await environment.exports.write(lines.joined(), to: path)
        guard case .exported(let path) = answer else { return send(answer) }
        send(.exported("\(path): \(DisplayFormat.plural(events.count, "event")) of the list, one per line"))
      }
    case .record(let path): .start(Key.recording) { $1(await $0.exports.record(path)) }
    }
  }
}

/// Access to files that are written for other programs.
package struct ExportEnvironment: Sendable {
  /// Writes a new file in the current directory; returns its name or the reason for a failure.
  package var writeFile: @Sendable (_ name: String, _ text: String) async -> Result<String, EnvironmentError> = {
    _, _ in
    .failure(EnvironmentError("files cannot be written"))
  }
  /// Returns `exported`, `fileExists` or `operationFailed`.
  package var export: @Sendable (_ text: String, _ path: String, _ overwrites: Bool) async -> Action = { _, path, _ in
    .operationFailed("\(path) cannot be written")
  }
  /// Returns text with the secrets of this session replaced.
  package var hideSecrets: @Sendable (String) -> String = { $0 }
  /// Records incoming responses to a file; nil stops the recording.
  package var record: @Sendable (_ path: String?) async -> Action = { _ in .operationFailed("Nothing can be recorded") }

  package init() {}

  /// Writes an exported file and reports its name.
  fileprivate func write(_ text: String, to name: String, _ send: ExplorerEnvironment.Send) async {
    switch await writeFile(name, text) {
    case .success(let name): send(.fileWritten(name + note(on: text)))
    case .failure(let failure): send(.operationFailed("Cannot write \(name): \(failure.message)"))
    }
  }

  /// Writes a file and notes whether it contains a secret, because a response is written as it came.
  fileprivate func write(_ text: String, to path: String, overwrites: Bool = false) async -> Action {
    let answer = await export(text, path, overwrites)
    guard case .exported(let path) = answer else { return answer }
    return .exported(path + note(on: text))
  }

  private func note(on text: String) -> String { hideSecrets(text) == text ? "" : " (it contains a secret)" }
}
