import ApusExplorerCore
import ApusExplorerTestSupport

/// A feature of the explorer with its answer to each kind of response.
struct FeatureRow: Sendable {
  /// The answer to kinds that the feature treats alike.
  struct Group: Sendable {
    enum Expected: Sendable, Equatable {
      /// The screen contains these texts.
      case shows([String])
      /// The feature is not offered, and the screen says why.
      case refused(String)
    }

    let name: String
    let expected: Expected
    let kinds: [ResponseKind]

    init(_ name: String, shows texts: String..., kinds: [ResponseKind]) {
      (self.name, expected, self.kinds) = (name, .shows(texts), kinds)
    }

    init(_ name: String, refused reason: String, kinds: [ResponseKind]) {
      (self.name, expected, self.kinds) = (name, .refused(reason), kinds)
    }
  }

  /// The subject of the answers.
  enum Subject: Sendable, Equatable {
    /// The screen after these keys in the focused response; for an event, in the opened one or in the list.
    case keys(String, ofEvent: Bool)
    /// The last notification to a user who looks at another window.
    case notification
    /// The requests after all records are removed from the cache.
    case refetch(policy: String?)
  }

  let name: String
  let subject: Subject
  let groups: [Group]

  init(name: String, keys: String, opensEvent: Bool = true, groups: [Group]) {
    (self.name, self.groups) = (name, groups)
    subject = .keys(keys, ofEvent: opensEvent)
  }

  init(name: String, _ subject: Subject, groups: [Group]) {
    (self.name, self.subject, self.groups) = (name, subject, groups)
  }
}

extension [ResponseKind] {
  /// The groups that most features distinguish.
  static let withData: [ResponseKind] = [
    .data, .dataAndErrors, .fragmentPending, .fragmentFailed, .fragmentNotExecuted, .cut, .cancelled, .severalPayloads,
    .restoredData, .fromHistory, .besidePinned, .fromCache, .replayed,
  ]
  static let null: [ResponseKind] = [.nullAndErrors, .nullAlone, .restoredNull, .nullFromHistory]
  static let errors: [ResponseKind] = [
    .errors200, .errors400, .errors401, .restoredErrors, .errorsFromHistory, .errorsBesidePinned,
  ]
  static let nothing: [ResponseKind] = [.html, .text, .emptyBody, .noContent, .restoredFailure, .failureFromHistory]
  static let eventsWithData: [ResponseKind] = [.eventData, .eventDataAndErrors]
  static let eventsOfNull: [ResponseKind] = [.eventNullAndErrors, .eventNullAlone]
  static let eventsOfErrors: [ResponseKind] = [.eventErrors]
  static let events = eventsWithData + eventsOfNull + eventsOfErrors
  static let fromHistory: [ResponseKind] = [.fromHistory, .nullFromHistory, .errorsFromHistory, .failureFromHistory]
  static let restored: [ResponseKind] = [.restoredData, .restoredNull, .restoredErrors, .restoredFailure]
  static let all = ResponseKind.allCases

  static func - (left: Self, right: Self) -> Self { left.filter { !right.contains($0) } }
}

enum ResponseFeatures {
  private static let noResponse = "There is no response"
  private static let noData = "The response has no data"
  private static let lastSession = "This response is from the last session: F5 fetches it again"
  private static let historyOnly = "The history stores only the response: F5 runs the operation again"

  static let all: [FeatureRow] = views + reading + copies + comparing + running + outside

  private static let views = [
    FeatureRow(
      name: "tree", keys: "", opensEvent: false,
      groups: [
        .init("data", shows: "birds", "Dag", kinds: .withData),
        .init("null", shows: "data: null", kinds: .null),
        .init("errors", shows: "✗ Fog", kinds: .errors),
        .init("not GraphQL", shows: "✗ http://127.0.0.1", kinds: .nothing),
        .init("event with data", shows: "birds: ", kinds: .eventsWithData),
        .init("event without data", shows: "null", kinds: .eventsOfNull),
        .init("event of errors", shows: "Fog", kinds: .eventsOfErrors),
      ]),
    FeatureRow(
      name: "raw JSON", keys: "r", opensEvent: false,
      groups: [
        .init("data", shows: #""data": {"#, kinds: .withData + .eventsWithData),
        .init("null", shows: #""data": null"#, kinds: .null + .eventsOfNull),
        .init("errors", shows: #""errors": ["#, kinds: .errors + .eventsOfErrors),
        .init("nothing", refused: noResponse, kinds: .nothing),
      ]),
    FeatureRow(
      name: "table", keys: "t",
      groups: [
        .init("data", shows: "s sort", kinds: .withData + .eventsWithData),
        .init("no data", refused: noData, kinds: .null + .errors + .eventsOfNull + .eventsOfErrors),
        .init("nothing", refused: noResponse, kinds: .nothing),
      ]),
    FeatureRow(
      name: "export of the table", keys: "t x",
      groups: [
        .init("data", shows: "CSV", kinds: .withData + .eventsWithData),
        .init("no data", refused: noData, kinds: .null + .errors + .eventsOfNull + .eventsOfErrors),
        .init("nothing", refused: noResponse, kinds: .nothing),
      ]),
    FeatureRow(
      name: "deferred pane", keys: "Alt-4",
      groups: [
        .init(
          "no fragments", shows: "No deferred fragments",
          kinds: .all - [.fragmentPending, .fragmentFailed, .fragmentNotExecuted, .cut, .cancelled, .severalPayloads]),
        .init(
          "fragments", shows: "late",
          kinds: [.fragmentPending, .fragmentFailed, .fragmentNotExecuted, .cut, .cancelled, .severalPayloads]),
      ]),
    FeatureRow(
      name: "timeline", keys: "Alt-4 x",
      groups: [
        .init(
          "no fragments", refused: "There are no deferred fragments",
          kinds: .all - [.fragmentPending, .fragmentFailed, .fragmentNotExecuted, .cut, .cancelled, .severalPayloads]),
        .init(
          "fragments", shows: "SVG",
          kinds: [.fragmentPending, .fragmentFailed, .fragmentNotExecuted, .cut, .cancelled, .severalPayloads]),
      ]),
  ]

  private static let reading = [
    FeatureRow(
      name: "search", keys: "/ D a g", opensEvent: false,
      groups: [
        .init("data", shows: "1 of 1", kinds: .withData),
        .init("no data", refused: noData, kinds: .null + .errors),
        .init("nothing", refused: noResponse, kinds: .nothing),
        .init("event list with a match", shows: "1 of 1", kinds: .eventsWithData),
        .init("event list without one", shows: "No event matches", kinds: .eventsOfNull + .eventsOfErrors),
      ]),
    FeatureRow(
      name: "search in raw JSON", keys: "r / : Enter",
      groups: [
        .init("any content", shows: "1 of", kinds: .withData + .null + .errors + .events),
        .init("nothing", refused: noResponse, kinds: .nothing),
      ]),
    FeatureRow(
      name: "jq filter", keys: "|",
      groups: [
        .init("data", shows: "jq filter on the response data", kinds: .withData + .eventsWithData),
        .init("no data", refused: noData, kinds: .null + .errors + .eventsOfNull + .eventsOfErrors),
        .init("nothing", refused: noResponse, kinds: .nothing),
      ]),
    FeatureRow(
      name: "path", keys: ":",
      groups: [
        .init("data", shows: "birds.edges[2].node.name", kinds: .withData + .eventsWithData),
        .init("no data", refused: noData, kinds: .null + .errors + .eventsOfNull + .eventsOfErrors),
        .init("nothing", refused: noResponse, kinds: .nothing),
      ]),
    FeatureRow(
      name: "errors", keys: "e",
      groups: [
        .init(
          "errors", shows: "Fog",
          kinds: [
            .dataAndErrors, .nullAndErrors, .errors200, .errors400, .errors401, .fragmentFailed, .eventDataAndErrors,
            .eventNullAndErrors, .eventErrors, .restoredErrors, .fromHistory, .nullFromHistory, .errorsFromHistory,
            .errorsBesidePinned,
          ]),
        .init(
          "no errors", refused: "The response has no errors",
          kinds: [
            .data, .nullAlone, .fragmentPending, .cancelled, .severalPayloads, .eventData, .eventNullAlone,
            .restoredData,
            .restoredNull, .besidePinned, .fromCache, .replayed,
          ]),
        .init(
          "a fragment is missing", refused: "The server ended the response without 1 announced fragment",
          kinds: [.fragmentNotExecuted, .cut]),
        .init(
          "the request failed", refused: "The request failed; F9 shows the received bytes",
          kinds: [.html, .text, .emptyBody, .noContent]),
        .init(
          "the request failed earlier", refused: "The request failed; F5 runs it again",
          kinds: [.restoredFailure, .failureFromHistory]),
      ]),
  ]

  private static let copies = [
    FeatureRow(
      name: "copy the value", keys: "c", opensEvent: false,
      groups: [
        .init("a row", shows: "Copied", kinds: .withData + .null + .errors + .events),
        .init("nothing", refused: noResponse, kinds: .nothing),
      ]),
    FeatureRow(
      name: "copy the path", keys: "C",
      groups: [
        .init("data", shows: "Copied", kinds: .withData + .eventsWithData),
        .init(
          "no data", refused: "This row has no path", kinds: .null + .errors + .eventsOfNull + .eventsOfErrors),
        .init("nothing", refused: noResponse, kinds: .nothing),
      ]),
    FeatureRow(
      name: "copy the response", keys: "r c",
      groups: [
        .init("any content", shows: "Copied", kinds: .withData + .null + .errors + .events),
        .init("nothing", refused: noResponse, kinds: .nothing),
      ]),
    FeatureRow(
      name: "save the response", keys: "Ctrl-P s a v e Space t h e Space r e s p o n s e Enter", opensEvent: false,
      groups: [
        .init("any content", shows: "Q.response.json", kinds: .withData + .null + .errors),
        .init("events", shows: "Q.events.ndjson", kinds: .events),
        .init("nothing", refused: noResponse, kinds: .nothing),
      ]),
    FeatureRow(
      name: "save the run", keys: "Ctrl-P s a v e Space t h e Space r u n Enter",
      groups: [
        .init(
          "a run that has ended", shows: "Q.recording.ndjson",
          kinds: .all - (.restored + .fromHistory + [.fragmentPending])),
        .init("active", refused: "The operation is still running", kinds: [.fragmentPending]),
        .init("restored", refused: lastSession, kinds: .restored),
        .init("history", refused: historyOnly, kinds: .fromHistory),
      ]),
  ]

  private static let comparing = [
    FeatureRow(
      name: "pin", keys: "K",
      groups: [
        .init(
          "any content", shows: "Pinned: later responses appear next to it",
          kinds: (.withData + .null + .errors + .events) - [.fragmentPending, .besidePinned, .errorsBesidePinned]),
        .init("active", refused: "The operation is still running", kinds: [.fragmentPending]),
        .init("pinned", shows: "Unpinned the response", kinds: [.besidePinned, .errorsBesidePinned]),
        .init("nothing", refused: noResponse, kinds: .nothing),
      ]),
    FeatureRow(
      name: "compare with the previous run", keys: "d",
      groups: [
        .init(
          "data", shows: "1 of ",
          kinds: .withData - [.fragmentPending, .restoredData, .fromHistory, .besidePinned, .fromCache, .replayed]),
        .init("active", refused: "The operation is still running", kinds: [.fragmentPending]),
        .init("equal data", shows: "No differences from the previous run", kinds: [.fromCache]),
        .init("stops comparing", shows: "• pinned", kinds: [.besidePinned, .errorsBesidePinned]),
        .init("no data", refused: noData, kinds: [.nullAndErrors, .nullAlone, .errors200, .errors400, .errors401]),
        .init(
          "no previous run", refused: "There is no previous run to compare with",
          kinds: .events + [
            .restoredData, .restoredNull, .restoredErrors, .fromHistory, .nullFromHistory, .errorsFromHistory,
            .replayed,
          ]),
        .init("nothing", refused: noResponse, kinds: .nothing),
      ]),
    FeatureRow(
      name: "next difference", keys: "d n",
      groups: [
        .init(
          "differences", shows: " difference",
          kinds: .withData - [.fragmentPending, .restoredData, .fromHistory, .besidePinned, .fromCache, .replayed]),
        .init("no differences", shows: "No differences from the previous run", kinds: [.fromCache]),
        // Without a comparison, the key loads the next page; see "next page".
        .init(
          "not comparing", shows: "3 Response",
          kinds: .null + .errors + .nothing + .events + [
            .fragmentPending, .restoredData, .fromHistory, .besidePinned, .replayed,
          ]),
      ]),
    FeatureRow(
      name: "differences from the pinned response", keys: "",
      groups: [
        .init("data", shows: "1 of 1 difference", "pinned: query Q", kinds: [.besidePinned]),
        .init("no data", shows: "no data to compare", "pinned: query Q", "✗ Fog", kinds: [.errorsBesidePinned]),
        .init("nothing is pinned", shows: "3 Response", kinds: .all - [.besidePinned, .errorsBesidePinned]),
      ]),
    FeatureRow(
      name: "compare with another endpoint", keys: "Alt-S",
      groups: [
        .init("any ended run", shows: "Run on another endpoint", kinds: .all - [.fragmentPending]),
        .init("active", refused: "The operation is still running", kinds: [.fragmentPending]),
      ]),
  ]

  private static let running = [
    FeatureRow(
      name: "history", keys: "Alt-H",
      groups: [
        .init("a recorded run", shows: "History", "Q", kinds: .all - [.replayed]),
        .init("a replay", shows: "History", kinds: [.replayed]),
      ]),
    FeatureRow(
      name: "cache use", keys: "Alt-u",
      groups: [
        .init("from the network", shows: "fields from the network", kinds: .live - .events - [.fromCache]),
        .init("from the cache", shows: "4 fields from the cache", kinds: [.fromCache]),
        .init(
          "without data", shows: "0 fields from the cache",
          kinds: [
            .nullAndErrors, .nullAlone, .errors200, .errors400, .errors401, .html, .text, .emptyBody, .noContent,
            .errorsBesidePinned,
          ]),
        .init("active", refused: "The operation is still running", kinds: [.fragmentPending]),
        .init("events", refused: "Only queries use the cache", kinds: .events),
        .init("restored", refused: lastSession, kinds: .restored),
        .init("history", refused: historyOnly, kinds: .fromHistory),
      ]),
    FeatureRow(
      name: "cache record", keys: "Alt-r",
      groups: [
        .init("data", shows: "QUERY_ROOT", kinds: .live + [.fragmentPending]),
        .init(
          "no data", refused: noData,
          kinds: [.nullAndErrors, .nullAlone, .errors200, .errors400, .errors401, .errorsBesidePinned]
            + .eventsOfNull + .eventsOfErrors),
        .init("nothing", refused: noResponse, kinds: [.html, .text, .emptyBody, .noContent]),
        .init("event with data", refused: "The cache has no record of birds", kinds: .eventsWithData),
        .init("restored", refused: lastSession, kinds: .restored),
        .init("history", refused: historyOnly, kinds: .fromHistory),
      ]),
    FeatureRow(
      name: "traffic", keys: "F9",
      groups: [
        .init(
          "a request", shows: "POST",
          kinds: .all - (.restored + .fromHistory + [.fromCache, .replayed])),
        .init("the cache answered", shows: "Traffic", kinds: [.fromCache, .replayed]),
        .init("restored", refused: lastSession, kinds: .restored),
        .init("history", refused: historyOnly, kinds: .fromHistory),
      ]),
    FeatureRow(
      name: "next page", keys: "Alt-n",
      groups: [
        .init(
          "data", shows: "The response has no pageable list", kinds: .live + .eventsWithData),
        .init("active", refused: "The operation is still running", kinds: [.fragmentPending]),
        .init(
          "no data", refused: noData,
          kinds: [.nullAndErrors, .nullAlone, .errors200, .errors400, .errors401, .errorsBesidePinned]
            + .eventsOfNull + .eventsOfErrors),
        .init("nothing", refused: noResponse, kinds: [.html, .text, .emptyBody, .noContent]),
        .init("restored", refused: lastSession, kinds: .restored),
        .init("history", refused: historyOnly, kinds: .fromHistory),
      ]),
  ]

  private static let outside = [
    FeatureRow(
      name: "status words", keys: "",
      groups: [
        .init(
          "complete", shows: "● complete",
          kinds: [.data, .severalPayloads, .eventData, .restoredData, .besidePinned, .replayed]),
        .init(
          "partial errors", shows: "◐ partial errors",
          kinds: [.dataAndErrors, .fragmentFailed, .eventDataAndErrors, .fromHistory]),
        .init(
          "null", shows: "∅ null",
          kinds: .null + .eventsOfNull),
        .init("failed", shows: "✗ failed", kinds: .errors + .nothing + .eventsOfErrors),
        .init("receiving", shows: "receiving", kinds: [.fragmentPending]),
        .init("incomplete", shows: "incomplete", kinds: [.fragmentNotExecuted]),
        .init("interrupted", shows: "interrupted", kinds: [.cut]),
        .init("canceled", shows: "canceled", kinds: [.cancelled]),
        .init("from the cache", shows: "from the cache", kinds: [.fromCache]),
      ]),
    FeatureRow(
      name: "mark of the tab", keys: "Ctrl-T",
      groups: [
        .init(
          "failed or with errors", shows: "1 Q ✗",
          kinds: .null - [.nullFromHistory] + (.errors - [.errorsFromHistory]) + (.nothing - [.failureFromHistory])
            + [.dataAndErrors, .fragmentFailed, .fragmentNotExecuted, .cut, .eventDataAndErrors] + .eventsOfNull
            + .eventsOfErrors),
        .init(
          "no mark", shows: "1 Q  ",
          kinds: .fromHistory + [
            .data, .cancelled, .severalPayloads, .eventData, .restoredData, .besidePinned, .fromCache, .replayed,
          ]),
        .init("active", shows: "1 Q", kinds: [.fragmentPending]),
      ]),
    FeatureRow(
      name: "notification", .notification,
      groups: [
        .init(
          "complete", shows: "is complete after",
          kinds: [
            .data, .severalPayloads, .eventData, .eventDataAndErrors, .restoredData, .besidePinned, .fromCache,
            .replayed,
          ]),
        .init(
          "errors", shows: "is complete with errors after", kinds: [.dataAndErrors, .fragmentFailed, .fromHistory]),
        .init("null", shows: "returned null after", kinds: .null + .eventsOfNull),
        .init("failed", shows: "failed after", kinds: .errors + .nothing + .eventsOfErrors),
        .init("incomplete", shows: "is incomplete after", kinds: [.fragmentNotExecuted]),
        .init("interrupted", shows: "was interrupted after", kinds: [.cut]),
        .init("not ended, or ended by the user", shows: "no notification", kinds: [.fragmentPending, .cancelled]),
      ]),
    FeatureRow(
      name: "refetch of lost data", .refetch(policy: nil),
      groups: [
        .init("data", shows: "1 request", kinds: .watched),
        .init("nothing to lose", shows: "0 requests", kinds: .all - .watched),
      ]),
    FeatureRow(
      name: "refetch with \"cache only\"", .refetch(policy: "cache only"),
      groups: [.init("the policy forbids it", shows: "0 requests", kinds: .all)]),
  ]
}

extension [ResponseKind] {
  /// Responses that show when the cache loses their data.
  static let watched: [ResponseKind] = [
    .data, .dataAndErrors, .fragmentFailed, .fragmentNotExecuted, .cut, .cancelled, .severalPayloads, .besidePinned,
    .fromCache,
  ]

  /// Queries with data whose run has ended in this session.
  static let live: [ResponseKind] = [
    .data, .dataAndErrors, .fragmentFailed, .fragmentNotExecuted, .cut, .cancelled, .severalPayloads, .besidePinned,
    .fromCache, .replayed,
  ]
}
