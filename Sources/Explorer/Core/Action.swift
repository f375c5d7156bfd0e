import ApusExplorerText
import ApusJSON

/// What happened: a person did something, or the world answered.
package enum Action: Hashable, Sendable {
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

  // The schema
  case schemaLoaded(typeCount: Int, example: String?)
  case schemaFailed(String)
  /// It differs from the one of the last time in so many places.
  case schemaChanged(Int)

  // The texts
  case textAnalysed(PaneID, TextAnalysis)
  case completionsFound([Completion], PaneID, version: Int, isAsked: Bool)
  case formFilled([FormRow], FormQuestion)
  case queryFormatted(String, version: Int)
  case writingAnswered(WritingAnswer)
  case editedExternally(PaneID, String)

  // The operation
  case runStarted(Int, RunningOperation)
  case resultReceived(Int, RunResult)
  case trafficObserved(Int, Traffic)
  /// Comes behind what it is the receipt of, and is dropped when that has been dealt with; the state stays as it is.
  case deliveryTaken(DeliveryReceipt)
  case runCompleted(Int)
  case runFailed(Int, RunFailure)
  /// Which events, by their parts, have what is filtered by.
  case eventsFiltered(Int, [Int: Bool], version: Int)
  /// What is to be known of where the answer comes from.
  case answerNoted(String)
  case clockTicked(Int, Duration)
  case cacheUseFound(Int, CacheUse)
  case pageReceived(Int, RunResult)
  case pagesCompleted(Int)
  case pagesFailed(Int, String)
  case pagesReset(Int, RunResult)
  case pagingOffered([PagingOffer])

  // Reading the response
  case matchesFound([ResponsePath], isCut: Bool, version: Int)
  case responseFiltered(SharedJSON, version: Int)
  case filterFailed(String, version: Int)
  case fileWritten(String)
  /// A value is text now, to be copied.
  case valueWritten(String)
  case laidOut(RawText, line: Int, version: Int)
  case linesFound([Int], isCut: Bool, version: Int)
  /// Where in the response a line of its text is.
  case placeFound(ResponsePath, copies: Bool)
  case tableSorted([Int], version: Int)
  case linkLeft(String, reason: String)
  /// A run was read from the cache again, because others changed what it shows; `fetchesLoss` says that something is lost
  /// that is to be fetched.
  case cacheRead(Int, RunResult, fetchesLoss: Bool)

  // The cache
  /// What these runs show may be another now.
  case cacheChanged(runs: [Int])
  case recordsListed([RecordEntry], totalCount: Int, totalBytes: Int, RecordListing = RecordListing())
  /// The cache that is looked at from now on; `nil` for the explorer's own.
  case cacheOpened(ForeignCache?)
  case recordOpened(OpenedRecord)
  case recordGone(String)
  case editPreviewed(CacheEdit, String)
  case cacheEdited(CacheEdit, String)
  case writesListed([WriteEntry])
  case writeOpened(OpenedWrite)
  case operationFailed(String)

  /// The world asks before it goes on.
  case asked(Confirmation)
  /// A run takes files along that it was not allowed yet: nothing was sent.
  case uploadAsked(Int, [AskedFile])
  case uploadConfirmed(RunRequest)

  // What is kept
  case connected(EndpointChoice)
  case schemaNoted(String?)
  /// A run is in the history now.
  case historyRecorded
  case historyFound([PickerItem], filter: String)
  case historyOpened(HistoryEntry, HistoryPurpose)
  case filesListed([PickerItem])
  case fileOpened(CollectionFile)
  case fileSaved(tab: Int, CollectionFile)
  /// A tab's file is not as it was when it was read.
  case fileDiffers(tab: Int, CollectionFile)
  /// A person is back at the keys after a while.
  case personReturned
  case fileChangedOutside(tab: Int, CollectionFile)
  case exported(String)
  /// What arrives is recorded in this file, or no longer.
  case recordingChanged(String?)
  case productionRunConfirmed
  /// What ran at another endpoint is to run at this one.
  case runElsewhereConfirmed(HistoryEntry)
  /// The terminal told its background: the theme that suits it.
  case backgroundSeen(theme: Int)
}

extension Action {
  /// The run that an answer is about.
  var run: Int? {
    switch self {
    case .runStarted(let id, _), .resultReceived(let id, _), .runCompleted(let id), .runFailed(let id, _),
      .clockTicked(let id, _), .pageReceived(let id, _), .pagesCompleted(let id), .pagesFailed(let id, _),
      .cacheRead(let id, _, _), .cacheUseFound(let id, _), .eventsFiltered(let id, _, _), .uploadAsked(let id, _):
      id
    default: nil
    }
  }
}
