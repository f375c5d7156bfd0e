extension ExplorerState {
  /// Why a command would do nothing now; `nil` when it would do something.
  package func reason(against command: Command) -> String? {
    switch command {
    case .runOperation:
      return query.buffer.isEmpty ? "The query is empty" : nil
    case .cancel:
      return isBusy ? nil : "Nothing runs"
    case .previousPart, .nextPart, .newestPart:
      return partsReason(against: command)
    case .showTraffic:
      return run == nil ? "Nothing has been run" : nil
    case .nextPage, .previousPage, .allPages, .tenPages, .firstPage, .choosePagedList, .offerPaging:
      return pagingReason(command)
    case .searchResponse, .filterResponse, .jumpToPath, .nextMatch, .previousMatch, .toggleTable, .toggleRaw,
      .comparePrevious, .showErrors:
      return readingReason(command)
    case .pauseEvents, .clearEvents: return eventsReason(command)
    case .openLink:
      if focus != .response { return "Only in the response" }
      return selectedLink == nil ? "There is no link in this row" : nil
    case .editExternally where focus == .response:
      return response.data == nil ? "There is no response" : nil
    case .exportTable: return reading.table == nil ? "No table is shown" : nil
    case .undo, .redo, .cut, .paste, .selectAll, .toggleComment, .complete, .nextProblem, .previousProblem,
      .addCursorAtNextMatch, .addCursorAbove, .addCursorBelow:
      return editingReason(command)
    case .formatDocument:
      return query.buffer.isEmpty ? "The query is empty" : nil
    case .showHover, .showOutline, .goToDefinition, .renameSymbol, .showActions, .findText, .replaceText,
      .expandSelection,
      .shrinkSelection, .foldText, .unfoldAllText, .toggleWrap, .editExternally:
      return writingReason(command)
    case .listProblems:
      return queryAnalysis.diagnostics.isEmpty && variablesAnalysis.diagnostics.isEmpty ? "There is no problem" : nil
    case .pickOperation:
      return queryAnalysis.operations.isEmpty ? "There is no operation" : nil
    case .openSchema, .openFields, .showSchemaChanges:
      switch schema {
      case .loading: return "The schema is being loaded"
      case .loaded: return nil
      case .unavailable(let reason): return "No schema: \(reason)"
      }
    case .unfoldAll, .foldAll, .toggleFold, .unfoldRow, .foldRow:
      if focus == .response, reading.raw != nil { return "Text has no folds: leave it by the key it was shown by" }
      if command != .unfoldAll, command != .foldAll { return nil }
      return response.rows.isEmpty ? "There is no response" : focus == .response ? nil : "Only in the response"
    case .copyPath:
      if focus != .response { return "Only in the response" }
      return response.rows.isEmpty ? "There is no response" : nil
    case .copyValue:
      switch focus {
      case .response: return response.rows.isEmpty ? "There is no response" : nil
      case .cache: return cache.records.isEmpty ? "The cache is empty" : nil
      case .deferred: return run?.fragments.isEmpty ?? true ? "There is no deferred fragment" : nil
      case .query, .variables, .headers: return "Only in the response and the cache"
      }
    case .evict, .refreshRecords, .filterRecords, .clearFilter, .goBack, .goForward, .showReferrers, .sortRecords,
      .reverseSort, .markRecord, .evictType, .collectRecords, .clearCache, .undoCacheChange, .editValue, .showWrites,
      .showWriteOfField, .showPartOfWrite:
      return cacheReason(command)
    case .showWritesOfPart:
      if focus != .deferred { return "Only in the deferred fragments" }
      return selectedPart == nil ? "Its part has not come yet" : nil
    case .toggleSources: return response.rows.isEmpty ? "There is no response" : nil
    case .closeCache: return cache.foreign == nil ? "This is the explorer's own cache" : nil
    case .pickProfile: return profiles.isEmpty ? "Neither config.yml nor a graphql-config file names an endpoint" : nil
    case .saveFile, .saveFileAs, .copyAsCurl, .copyAsHTTP, .copyAsCommand:
      return query.buffer.isEmpty ? "The query is empty" : nil
    case .saveResponse: return response.data == nil ? "There is no response" : nil
    case .pickTheme: return themes.count < 2 ? "There is no other theme" : nil
    case .nextTab, .previousTab: return tabs.count < 2 ? "There is no other tab" : nil
    case .reopenTab: return closedTabs.isEmpty ? "No tab was closed" : nil
    case .nextTheme:
      return themes.count < 2 ? "There is no other theme" : nil
    case .reloadSchema:
      return schema == .loading ? "The schema is being loaded" : nil
    default:
      return nil
    }
  }

  private func editingReason(_ command: Command) -> String? {
    guard let editor else { return "Only in the query and the variables" }
    switch command {
    case .undo: return editor.history.canUndo ? nil : "There is nothing to undo"
    case .redo: return editor.history.canRedo ? nil : "There is nothing to redo"
    case .cut: return editor.selectedText.isEmpty ? "Nothing is selected" : nil
    case .paste: return clipboard.isEmpty ? "Nothing has been copied here" : nil
    case .nextProblem, .previousProblem: return analysis.diagnostics.isEmpty ? "There is no problem" : nil
    case .toggleComment: return focus == .query ? nil : "JSON has no comments"
    case .addCursorAtNextMatch, .addCursorAbove, .addCursorBelow:
      return vim.map { $0.mode == .insert ? nil : "Vim has one cursor outside the insert mode" } ?? nil
    case .complete: return focus == .headers ? "Headers have nothing to complete" : nil
    default: return nil
    }
  }

  private func writingReason(_ command: Command) -> String? {
    guard let editor else { return "Only in the query and the variables" }
    switch command {
    case .goToDefinition, .showOutline, .renameSymbol, .showActions, .expandSelection:
      return focus == .query ? nil : "Only in the query"
    case .shrinkSelection: return selectionsBefore.isEmpty ? "Nothing was selected by syntax" : nil
    case .unfoldAllText: return editor.folds.isEmpty ? "Nothing is folded" : nil
    default: return nil
    }
  }

  private func cacheReason(_ command: Command) -> String? {
    guard focus == .cache else { return "Only in the cache" }
    if command == .showPartOfWrite {
      guard cache.isShowingWrites, let part = selectedWrite?.part else { return "No part of a response is selected" }
      return history.hasPart(part) ? nil : "That part was of another run"
    }
    if cache.isShowingWrites {
      switch command {
      case .goBack, .showWrites, .undoCacheChange: return nil
      case .evict, .clearFilter, .goForward, .showReferrers, .filterRecords, .refreshRecords, .sortRecords,
        .reverseSort,
        .markRecord, .evictType, .editValue, .showWriteOfField:
        return "The time line is open: go back first"
      default: break
      }
    }
    switch command {
    case .clearFilter where cache.edit != nil || cache.isFiltering: return nil
    case .evictType:
      let type = cache.openedKey == nil ? cache.selectedRecord?.typename : cache.opened?.typename
      return type == nil ? "The record has no type" : nil
    case .collectRecords, .clearCache: return cache.totalCount == 0 ? "The cache is empty" : nil
    case .sortRecords, .reverseSort, .markRecord:
      return cache.openedKey == nil
        ? (cache.records.isEmpty ? "The cache is empty" : nil) : "A record is open: go back first"
    case .editValue:
      guard let row = cache.selectedRow else { return "No field is selected" }
      guard case .scalar = row.value, row.depth == 0 else { return "Only a plain value can be edited" }
      return nil
    case .showWriteOfField: return cache.selectedRow == nil ? "No field is selected" : nil
    case .evict:
      if history.isInPast { return "This is the cache as it was: return to the newest part first" }
      if cache.openedKey != nil { return cache.selectedRow == nil ? "No field is selected" : nil }
      return cache.selectedRecord == nil ? "The cache is empty" : nil
    case .filterRecords: return cache.openedKey == nil ? nil : "A record is open: go back first"
    case .clearFilter: return cache.filter.isEmpty ? "There is no filter" : nil
    case .goBack: return cache.openedKey == nil ? "This is the list of all records" : nil
    case .goForward: return cache.forward.isEmpty ? "There is nothing to go forward to" : nil
    case .showReferrers:
      guard let opened = cache.opened else { return "No record is open" }
      return opened.referrers.isEmpty ? "Nothing refers to \(opened.key)" : nil
    default: return nil
    }
  }
}
