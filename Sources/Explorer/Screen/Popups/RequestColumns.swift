import ApusExplorerCore
import ApusExplorerTerminal
import ApusFormatting

/// The columns of the Requests view that fit into a width.
///
/// On narrow screens, columns are dropped in this order until the operation has 24 cells: last payload, first payload, payloads,
/// client, bytes, records, time, status, duration, number. The state and the operation are always shown.
struct RequestColumns {
  enum Column: CaseIterable, Equatable {
    case number, time, client, operation, state, status, duration, firstPayload, lastPayload, payloads, bytes, records

    var title: String {
      switch self {
      case .number: "#"
      case .time: "time"
      case .client: "client"
      case .operation: "operation"
      case .state: "state"
      case .status: "status"
      case .duration: "duration"
      case .firstPayload: "first"
      case .lastPayload: "last"
      case .payloads: "payloads"
      case .bytes: "bytes"
      case .records: "records"
      }
    }

    /// The width in cells; that of the operation is the least one.
    fileprivate var width: Int {
      switch self {
      case .number: 4
      case .time: 8
      case .client: 18
      case .operation: 24
      case .state: 10
      case .status: 6
      case .duration, .firstPayload, .lastPayload, .bytes: 9
      case .payloads: 8
      case .records: 11
      }
    }

    fileprivate var isNumeric: Bool {
      switch self {
      case .number, .status, .duration, .firstPayload, .lastPayload, .payloads, .bytes: true
      case .time, .client, .operation, .state, .records: false
      }
    }
  }

  private static let droppedFirst: [Column] = [
    .lastPayload, .firstPayload, .payloads, .client, .bytes, .records, .time, .status, .duration, .number,
  ]
  private static let gap = 2

  /// The visible columns with their cells.
  let all: [(column: Column, cells: Range<Int>)]

  init(width: Int) {
    var columns = Column.allCases
    for dropped in Self.droppedFirst where Self.width(of: columns) > width { columns.removeAll { $0 == dropped } }
    let rest = max(0, width - Self.width(of: columns))
    // A shorter screen than that of the two last columns shortens the operation.
    let operation = max(8, Column.operation.width + rest + min(0, width - Self.width(of: columns)))
    var start = 0
    all = columns.map { column in
      defer { start += (column == .operation ? operation : column.width) + Self.gap }
      return (column, start..<(start + (column == .operation ? operation : column.width)))
    }
  }

  private static func width(of columns: [Column]) -> Int {
    columns.reduce(0) { $0 + $1.width } + gap * max(0, columns.count - 1)
  }

  /// Returns a text in the cells of its column, numbers at their right edge.
  static func placed(_ text: String, in column: Column, _ width: Int, ellipsis: Character) -> String {
    let shown = TextWidth.truncated(text, to: width, ellipsis: ellipsis)
    guard column.isNumeric else { return shown }
    return String(repeating: " ", count: max(0, width - TextWidth.width(of: shown))) + shown
  }
}

extension ObservedRequest {
  /// Returns the text of a column.
  func text(_ column: RequestColumns.Column) -> String {
    switch column {
    case .number: "\(number)"
    case .time: String(time.description.prefix(8))
    case .client: client
    case .operation: title
    case .state: stateWord
    case .status: status.map(String.init) ?? ""
    case .duration: duration.map(DisplayFormat.duration) ?? ""
    case .firstPayload: firstPayload.map(DisplayFormat.duration) ?? ""
    case .lastPayload: lastPayload.map(DisplayFormat.duration) ?? ""
    case .payloads: payloadCount == 0 ? "" : DisplayFormat.count(payloadCount)
    case .bytes: byteCount == 0 ? "" : DisplayFormat.bytes(byteCount)
    case .records: newRecords + changedRecords == 0 ? "" : "+\(newRecords) ~\(changedRecords)"
    }
  }

  /// The status whose glyph and color precede the state.
  var resultStatus: ResultStatus {
    switch state {
    case .running: .pending
    case .complete: problem != nil ? .neverCame : errorCount > 0 ? .withErrors : .complete
    case .failed: .failed
    case .cancelled: .cancelled
    }
  }
}
