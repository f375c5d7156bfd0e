import ApusTestSupport

/// A kind of response that the explorer can show.
enum ResponseKind: String, CaseIterable, Sendable {
  case data = "data"
  case dataAndErrors = "data and errors"
  case nullAndErrors = "`data: null` with errors"
  case nullAlone = "`data: null` alone"
  case errors200 = "errors only, status 200"
  case errors400 = "errors only, status 400"
  case errors401 = "errors only, status 401"
  case html = "HTML"
  case text = "text"
  case emptyBody = "empty body"
  case noContent = "status 204"
  case fragmentPending = "a fragment pending"
  case fragmentFailed = "a fragment failed"
  case fragmentNotExecuted = "a fragment not executed"
  case cut = "cut"
  case cancelled = "canceled"
  case severalPayloads = "several payloads"
  case eventData = "event: data"
  case eventDataAndErrors = "event: data and errors"
  case eventNullAndErrors = "event: `data: null` with errors"
  case eventNullAlone = "event: `data: null` alone"
  case eventErrors = "event: errors only"
  case restoredData = "restored: data"
  case restoredNull = "restored: `data: null` alone"
  case restoredErrors = "restored: errors only"
  case restoredFailure = "restored: HTML"
  case fromHistory = "from the history: data and errors"
  case nullFromHistory = "from the history: `data: null` with errors"
  case errorsFromHistory = "from the history: errors only"
  case failureFromHistory = "from the history: HTML"
  case besidePinned = "data beside a pinned response"
  case errorsBesidePinned = "errors beside a pinned response"
  case fromCache = "from the cache"
  case replayed = "of a replay"

  /// The source of the response on the screen.
  enum Origin { case run, session, history, pinned, cache, replay }

  var origin: Origin {
    switch self {
    case .data, .dataAndErrors, .nullAndErrors, .nullAlone, .errors200, .errors400, .errors401, .html, .text,
      .emptyBody,
      .noContent, .fragmentPending, .fragmentFailed, .fragmentNotExecuted, .cut, .cancelled, .severalPayloads,
      .eventData,
      .eventDataAndErrors, .eventNullAndErrors, .eventNullAlone, .eventErrors:
      .run
    case .restoredData, .restoredNull, .restoredErrors, .restoredFailure: .session
    case .fromHistory, .nullFromHistory, .errorsFromHistory, .failureFromHistory: .history
    case .besidePinned, .errorsBesidePinned: .pinned
    case .fromCache: .cache
    case .replayed: .replay
    }
  }

  var isEvent: Bool { rawValue.hasPrefix("event") }

  /// Whether the server sent a response before this one.
  var hasEarlier: Bool { !isEvent && origin != .replay && origin != .cache }

  private static let birds =
    #""birds":[{"__typename":"Bird","id":"1","name":"Dag"},{"__typename":"Bird","id":"2","name":"Eli"}]"#
  private static let error =
    #""errors":[{"message":"Fog","path":["birds",1,"name"],"locations":[{"line":1,"column":11}]}]"#
  private static let gone = #""errors":[{"message":"Fog"}]"#
  private static let partial =
    #"{"data":{"birds":[{"__typename":"Bird","id":"1","name":"Dag"},{"__typename":"Bird","id":"2","name":null}]},"#
    + error + "}"

  /// The response before this one, so that there is something to compare with.
  static let earlier = ScriptedAnswer.json(
    #"{"data":{"birds":[{"__typename":"Bird","id":"1","name":"Old"},{"__typename":"Bird","id":"2","name":"Eli"}]}}"#)

  var query: String {
    switch self {
    case _ where isEvent: "subscription Q { birds { id name } }"
    case .fragmentPending, .fragmentFailed, .fragmentNotExecuted, .cut, .cancelled, .severalPayloads:
      #"query Q { birds { id name } ...F @defer(label: "late") } fragment F on Query { count }"#
    case _: "query Q { birds { id name } }"
    }
  }

  /// The server's response; `gate` opens at the end of the test.
  func answer(_ gate: Gate) -> ScriptedAnswer {
    let first = ScriptedAnswer.Piece.text(#"{"data":{\#(Self.birds)},"hasNext":true}"#)
    switch self {
    case .data, .restoredData, .besidePinned, .fromCache, .replayed: return .json("{\"data\":{\(Self.birds)}}")
    case .dataAndErrors, .fromHistory: return .json(Self.partial)
    case .nullAndErrors, .nullFromHistory: return .json("{\"data\":null,\(Self.gone)}")
    case .nullAlone, .restoredNull: return .json(#"{"data":null,"extensions":{"trace":"T-1"}}"#)
    case .errors200, .restoredErrors, .errorsFromHistory, .errorsBesidePinned: return .json("{\(Self.gone)}")
    case .errors400: return .json("{\(Self.gone)}", status: 400)
    case .errors401: return .json("{\(Self.gone)}", status: 401)
    case .html, .restoredFailure, .failureFromHistory:
      return .response(headers: [("Content-Type", "text/html")], [.text("<p>Hello</p>")])
    case .text: return .response(headers: [("Content-Type", "text/plain")], [.text("Hello")])
    case .emptyBody: return .json("")
    case .noContent: return .response(status: 204, headers: [], framing: .contentLength, [])
    case .fragmentPending, .cancelled: return .multipart([first, .hold(gate), .text(#"{"hasNext":false}"#)])
    case .fragmentFailed:
      return .multipart([
        first,
        .text(
          #"{"incremental":[{"label":"late","path":[],"data":null,"errors":[{"message":"Fog"}]}],"hasNext":false}"#),
      ])
    case .fragmentNotExecuted:
      // The fragment's type condition does not apply.
      return .multipart([first, .text(#"{"hasNext":false}"#)])
    case .cut: return .multipart(framing: .untilClose, [first, .close])
    case .severalPayloads:
      return .multipart([
        first, .text(#"{"incremental":[{"label":"late","path":[],"data":{"count":2}}],"hasNext":false}"#),
      ])
    case .eventData: return Self.event("{\"data\":{\(Self.birds)}}")
    case .eventDataAndErrors: return Self.event(Self.partial)
    case .eventNullAndErrors: return Self.event("{\"data\":null,\(Self.gone)}")
    case .eventNullAlone: return Self.event(#"{"data":null}"#)
    case .eventErrors: return Self.event("{\(Self.gone)}")
    }
  }

  private static func event(_ payload: String) -> ScriptedAnswer {
    .response(
      headers: [("Content-Type", "text/event-stream")],
      [.text("event: next\ndata: \(payload)\n\nevent: complete\n\n")])
  }
}
