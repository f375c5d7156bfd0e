import ApusExplorerText
import ApusJSON

/// What happened: a person did something, or the world answered.
package enum Action: Equatable, Sendable {
  case started

  // A person
  case commandInvoked(Command)
  case textTyped(String)
  case vimPressed(VimKey)
  case textPasted(String)
  /// In the line that is typed into, behind so many UTF-8 bytes.
  case inputClicked(Int)
  case paneClicked(PaneID)
  case tabClicked(Int)
  case textClicked(PaneID, TextPosition, extending: Bool)
  case wordClicked(PaneID, TextPosition)
  case rowClicked(PaneID, row: Int, onFold: Bool)
  case popupRowClicked(Int)
  case scrolled(PaneID, lines: Int)
  case popupScrolled(lines: Int)
  case placesLabelled([JumpTarget])
  /// A line between panes was dragged: what the first of them has beyond its usual share, in hundredths.
  case widthDivided(Int)
  case heightDivided(Int)
  /// What is in view since the state is this one, or the screen has this size.
  case viewed(ScreenView)
  /// A person is back at the keys after a while.
  case personReturned
  /// The terminal told its background: the theme that suits it.
  case backgroundSeen(theme: Int)
  /// The terminal's window became the one that is typed into, or is it no longer.
  case focusChanged(Bool)

  // What the world answers, by the room that it is for
  case schema(SchemaAnswer)
  case text(TextAnswer)
  case run(Int, RunAnswer)
  case reading(ReadingAnswer)
  case cache(CacheAnswer)
  case file(FileAnswer)
  case history(HistoryAnswer)
  case audit(Int, AuditAnswer)

  // What the world answers, for several rooms
  /// With what was open there the last time, where no endpoint was open before.
  case connected(EndpointChoice, Workspace? = nil)
  /// What these runs show may be another now.
  case cacheChanged(runs: [Int])
  case editPreviewed(CacheEdit, String)
  case formFilled([FormRow], FormQuestion)
  case writingAnswered(WritingAnswer)
  case pagingOffered([PagingOffer])
  /// The world asks before it goes on.
  case asked(Confirmation)
  case productionRunConfirmed
  /// What ran at another endpoint is to run at this one.
  case runElsewhereConfirmed(HistoryEntry)
  case uploadConfirmed(RunRequest)
  case auditConfirmed
  case withheldHeadersAnswered(WithheldHeaders, sends: Bool)
  /// A value is text now, to be copied.
  case valueWritten(String, reason: String? = nil)
  /// What was pasted to be imported, or the file that was named, was read.
  case requestImported(ImportAnswer)
  case linkLeft(String, reason: String)
  case textCopied(String, ClipboardWay, reason: String?)

  case credentialsRenewed

  // What is only told
  /// Comes behind what it is the receipt of, and is dropped when that has been dealt with; the state stays as it is.
  case deliveryTaken(DeliveryReceipt)
  case fileWritten(String)
  case exported(String)
  /// A text was to be written where there is another file.
  case fileIsThere(String, text: String)
  /// What arrives is recorded in this file, or no longer.
  case recordingChanged(String?)
  /// What is to be known of where the answer comes from.
  case answerNoted(String)
  case operationFailed(String)
}

/// What the world tells of a run; the tab that has the run receives it, shown or not.
package enum RunAnswer: Equatable, Sendable {
  case started(RunningOperation)
  case resultReceived(RunResult)
  case trafficObserved(Traffic)
  case completed
  case failed(RunFailure)
  /// Which events, by their parts, have what is filtered by.
  case eventsFiltered([Int: Bool], version: Int)
  case clockTicked(Duration)
  case cacheUseFound(CacheUse)
  /// Where the response shows a record that was asked for.
  case recordPlaceFound(ResponsePath)
  case pageReceived(RunResult)
  case pagesCompleted
  case pagesFailed(String)
  case pagesReset(RunResult)
  /// A run was read from the cache again, because others changed what it shows; `fetchesLoss` says that something is lost
  /// that is to be fetched.
  case cacheRead(RunResult, fetchesLoss: Bool)
  /// A run takes files along that it was not allowed yet: nothing was sent.
  case uploadAsked([AskedFile])
}

/// What was made beside the loop of the response that is read.
package enum ReadingAnswer: Equatable, Sendable {
  case matchesFound([ResponsePath], isCut: Bool, version: Int)
  case filtered(SharedJSON, version: Int)
  case filterFailed(String, version: Int)
  case laidOut(RawText, line: Int, version: Int)
  case linesFound([Int], isCut: Bool, version: Int)
  /// Where in the response a line of its text is.
  case placeFound(ResponsePath, copies: Bool)
  case tableSorted([Int], version: Int)
  case differencesFound([ValueChange], version: Int)
}

/// What the world tells of a text.
package enum TextAnswer: Equatable, Sendable {
  case analysed(PaneID, TextAnalysis)
  case completionsFound([Completion], PaneID, version: Int, isAsked: Bool)
  case formatted(String, version: Int)
  case editedExternally(PaneID, String)
}

/// What the world tells of the files of collections.
package enum FileAnswer: Equatable, Sendable {
  case listed([PickerItem])
  case opened(CollectionFile)
  case saved(tab: Int, CollectionFile)
  /// A tab's file is not as it was when it was read.
  case differs(tab: Int, CollectionFile)
  case changedOutside(tab: Int, CollectionFile)
}

/// What the world tells of the history.
package enum HistoryAnswer: Equatable, Sendable {
  /// A run is in the history now.
  case recorded
  case found([PickerItem], filter: String)
  case opened(HistoryEntry, HistoryPurpose)
  case endpointsFound([PickerItem])
}
