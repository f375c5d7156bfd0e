import ApusJSON

/// Work for the shown response.
package enum ResponseEffect: Equatable, Sendable {
  case search(String, VisibleJSON, version: Int)
  case filter(String, VisibleJSON, version: Int)
  /// Formats a response as text and finds the line of a path in it.
  case formatJSON(VisibleJSON, at: ResponsePath, version: Int)
  case searchLines(String, RawJSONText, version: Int)
  /// Finds the response path of a line.
  case findPath(RawJSONText, line: Int, copies: Bool)
  case sortTable(ResponseTable, version: Int)
  /// Compares a response with an earlier one.
  case findDifferences(VisibleJSON, VisibleJSON, version: Int)
  case openLink(String)

  private enum Key { case search, filter, lines, order, comparison, link }

  var work: EffectWork {
    switch self {
    case .search(let text, let data, let version):
      .start(Key.search) { environment, send in
        let found = await environment.reading.search(text, data)
        send(.reading(.matchesFound(found.paths, isCut: found.isCut, version: version)))
      }
    case .filter(let text, let data, let version):
      .start(Key.filter) { environment, send in
        switch await environment.reading.filter(text, data) {
        case .success(let value): send(.reading(.filtered(VisibleJSON(value), version: version)))
        case .failure(let failure): send(.reading(.filterFailed(failure.message, version: version)))
        }
      }
    case .formatJSON(let value, let path, let version):
      .start(Key.lines) { _, send in
        let text = RawJSONText(value)
        send(.reading(.laidOut(text, line: text.line(of: path), version: version)))
      }
    case .searchLines(let text, let raw, let version):
      .start(Key.search) { _, send in
        let found = raw.lines(with: text)
        send(.reading(.linesFound(found.lines, isCut: found.isCut, version: version)))
      }
    case .findPath(let raw, let line, let copies):
      .start(Key.lines) { $1(.reading(.pathFound(raw.path(ofLine: line), copies: copies))) }
    case .sortTable(let table, let version):
      .start(Key.order) { $1(.reading(.tableSorted(table.sortedItems(), version: version))) }
    case .findDifferences(let before, let after, let version):
      .start(Key.comparison) { _, send in
        let changes = ValueDifference.between(before.value, after.value, without: after.hidden)
        send(.reading(.differencesFound(changes, version: version)))
      }
    case .openLink(let link):
      .start(Key.link) { environment, send in
        if let reason = await environment.reading.openLink(link) { send(.linkCopied(link, reason: reason)) }
      }
    }
  }
}

/// Access to the programs that work on a response.
package struct ResponseEnvironment: Sendable {
  package var search: @Sendable (String, VisibleJSON) async -> (paths: [ResponsePath], isCut: Bool) = {
    ResponseSearcher.search($0, in: $1.value, hidden: $1.hidden)
  }
  /// Returns the filter's result, as a list if there are several values, or the reason for a failure.
  package var filter: @Sendable (String, VisibleJSON) async -> Result<JSONValue, EnvironmentError> = { _, _ in
    .failure(EnvironmentError("no filter is available"))
  }
  /// Opens a link; returns the reason if that is not possible.
  package var openLink: @Sendable (String) async -> String? = { _ in "No browser is available" }

  package init() {}
}
