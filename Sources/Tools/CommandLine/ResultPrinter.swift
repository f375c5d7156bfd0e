import ClientAPI
import ClientFormats
import ClientNetwork
import ClientOperation
import ExplorerTerminal
import JSON

/// Prints results in the form that `--output` asks for: each as it comes, or the last one at the end.
struct ResultPrinter: Sendable {
  let format: ResultFormat

  /// The printing of one request's results.
  struct Printing {
    fileprivate let format: ResultFormat
    fileprivate let isSubscription: Bool
    private(set) var count = 0
    private(set) var hasErrors = false
    private var last: GraphQLResult<JSONValue>?

    fileprivate init(format: ResultFormat, isSubscription: Bool) {
      self.format = format
      self.isSubscription = isSubscription
    }

    private var isStream: Bool { format == .ndjson || isSubscription }

    /// False when nobody reads any more.
    mutating func receive(_ result: GraphQLResult<JSONValue>) -> Bool {
      count += 1
      // One event with errors is enough for a subscription; of a query the last result has all of them.
      hasErrors = !result.errors.isEmpty || isSubscription && hasErrors
      last = result
      guard isStream, format == .ndjson || result.response == .complete else { return true }
      last = nil
      return emit(result)
    }

    /// What is left to be printed behind the last result.
    mutating func finish() {
      if let last { emit(last) }
      last = nil
    }

    @discardableResult
    private func emit(_ result: GraphQLResult<JSONValue>) -> Bool {
      switch format {
      case .json: return StandardStreams.output(JSONWriter.compact(result.responseObject) + "\n")
      case .ndjson: return StandardStreams.output(JSONWriter.compact(result.lineObject) + "\n")
      case .pretty: return StandardStreams.output(JSONWriter.pretty(result.responseObject) + "\n")
      case .table:
        for error in result.errors { StandardStreams.narrate("apus: \(PlainText.line("\(error)"))") }
        guard let data = result.data, let table = ResultTable(firstListIn: data) else {
          StandardStreams.narrate("apus: the result has no list of objects to show as a table")
          return true
        }
        return StandardStreams.output(table.lines { TextWidth.width(of: $0) }.joined(separator: "\n") + "\n")
      }
    }
  }

  func printing(of type: CompiledOperation.OperationType) -> Printing {
    Printing(format: format, isSubscription: type == .subscription)
  }
}
