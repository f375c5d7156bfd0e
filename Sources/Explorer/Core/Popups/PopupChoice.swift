import ApusClientAPI
import ApusClientRequests
import ApusGraphQLMediaTypes
import ApusExplorerText
import ApusJSON

/// A choice made in a popup that affects several features. The popup coordinator performs it.
package enum PopupChoice: Equatable, Sendable {
  // Editors
  case position(PaneID, TextPosition)
  /// Applies only to the version that the edits were computed for.
  case edits([TextReplacement], PaneID, version: Int)
  /// The field of the query that a response path leads to.
  case field(ResponsePath)
  case selection(TextSelection)
  case replacements([TextReplacement])
  case text(TextCommand)
  case completion(Completion)
  case form(FormEdit)
  case pagingOffer(PagingOffer)
  case vimCommand(ExCommand)
  case vimSearch(String, isBackward: Bool)
  case vimModesLeft

  // Response
  case responsePath(ResponsePath)
  case error(GraphQLError)
  case pages(PageRequest, of: ResponsePath)
  /// The number of a payload or event.
  case payload(String)
  case miss(CacheUsage.Miss)

  // Screen, tab and connection
  /// From the palette.
  case command(Command)
  case theme(Int, isKept: Bool)
  case cachePolicy(String)
  case runOption(RunOptions.Option)
  case errorBehavior(ErrorBehavior?)
  case subscriptionURL(String)
  case askForTimeLimit
  case timeLimit(String)
  /// Asks for the value of a reference of an import.
  case editReference(String)
  case reference(String, String)
  /// Opens each request in a tab.
  case imported([ImportedRequest])
  /// The full list of items that an import left out.
  case importNotes
  case endpoint(String)
  /// Runs the current operation on another endpoint as well.
  case otherEndpoint(String)
  case tabName(String)
  case requestExtensions(String)
  case headerOfValue(String, ResponsePath, run: Int)
  case textFile(String)
  case responseFile(String)
  case trafficFile(String)
  case runFile(String)
  case schemaFile(String)

  /// The position in an editor, if the choice has one.
  var position: TextPosition? { if case .position(_, let position) = self { position } else { nil } }
}
