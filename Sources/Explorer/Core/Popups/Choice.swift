import ApusClientAPI
import ApusExplorerText
import ApusJSON

/// What was chosen in a popup that several rooms have to do with. `Crossings/PopupCrossings.swift` does it.
package enum Choice: Equatable, Sendable {
  // In a text
  case place(PaneID, TextPosition)
  /// For the text that they were made for.
  case edits([TextReplacement], PaneID, version: Int)
  case selection(TextSelection)
  case replacements([TextReplacement])
  case text(TextCommand)
  case completion(Completion)
  case form(FormChange)
  case pagingOffer(PagingOffer)
  case vimCommand(ExCommand)
  case vimSearch(String, isBackward: Bool)
  case vimModesLeft

  // In the response
  case responsePlace(ResponsePath)
  case error(GraphQLError)
  case pages(PagesWanted, of: ResponsePath)
  /// What the cache did not have.
  case miss(CacheUse.Miss)

  // Of the screen, the tab, the connection
  /// Of the palette.
  case command(Command)
  case theme(Int, isKept: Bool)
  case cachePolicy(String)
  /// To be opened, a tab each.
  case imported([ImportedRequest])
  /// What an import left out, to be read whole.
  case leftOut(String)
  case endpoint(String)
  /// What runs here is to run there, too.
  case otherEndpoint(String)
  case tabName(String)
  case requestExtensions(String)
  case textFile(String)
  case responseFile(String)
  case trafficFile(String)
  case runFile(String)
  case schemaFile(String)

  /// Where it leads to in a text.
  var position: TextPosition? { if case .place(_, let position) = self { position } else { nil } }
}
