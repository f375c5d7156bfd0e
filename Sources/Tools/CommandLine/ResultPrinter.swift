import ApusClientAPI
import ApusClientFormats
import ApusClientNetwork
import ApusClientOperation
import ApusClientPagination
import ApusClientResultExecution
import ApusExplorerTerminal
import ApusJSON

/// Prints results in the format of `--output`: each when it arrives, or the last one at the end.
struct ResultPrinter: Sendable {
  let format: ResultFormat
  /// The filter that is applied to each printed object.
  var filter: ResultFilter?
  /// Whether strings from the filter are printed without quotes.
  var isRaw = false

  /// The printing of one request's results.
  struct Printing {
    fileprivate let format: ResultFormat
    fileprivate let filter: ResultFilter?
    fileprivate let isRaw: Bool
    fileprivate let isSubscription: Bool
    /// The number of results after which to stop.
    fileprivate let maximum: Int?
    private(set) var count = 0
    /// The number of results that count for `maximum`. The payloads of one event are one result.
    private var countedResults = 0
    private(set) var hasErrors = false
    /// The path of a deferred fragment that is pending in the last result, or of a list with pending items.
    private(set) var pendingPlace: ResponsePath?
    /// The deferred fragments of the last result that never arrived and that no error explains.
    private var missing: [DeferredFragment] = []
    /// The failure of the filter, if it failed.
    private(set) var failure: CommandError?
    private var last: GraphQLResult<JSONValue>?
    /// The header row that was printed last.
    private var columns: String?
    /// The plan with the fields that were added for the cache and are not printed; `nil` if none were added.
    private var addedFields: SelectionPlan?
    /// The list whose items a table shows; `nil` for the first list of objects.
    var list: PageableList?

    fileprivate init(_ printer: ResultPrinter, isSubscription: Bool, maximum: Int?) {
      format = printer.format
      filter = printer.filter
      isRaw = printer.isRaw
      self.isSubscription = isSubscription
      self.maximum = maximum
    }

    /// Omits the fields that were added for the cache from everything that is printed.
    mutating func hidesAddedFields(of plan: SelectionPlan) { addedFields = plan }

    private var isStream: Bool { format == .ndjson || isSubscription }

    /// Prints or stores a result. Returns `false` if no more results are wanted or can be written.
    mutating func receive(_ result: GraphQLResult<JSONValue>) async -> Bool {
      count += 1
      if !isSubscription || result.completeness == .complete { countedResults += 1 }
      // For a subscription, errors in any event count. For a query, the last result contains all errors.
      missing = result.completeness == .complete ? result.fragments.filter { $0.shortfall?.isSilent == true } : []
      hasErrors = !result.errors.isEmpty || !missing.isEmpty || isSubscription && hasErrors
      pendingPlace =
        result.fragments.first { $0.state.isPending }?.path ?? result.streams.first { $0.state.isPending }?.path
      last = result
      guard isStream, format == .ndjson || result.completeness == .complete else { return countedResults != maximum }
      last = nil
      return await emit(result) && countedResults != maximum
    }

    /// Prints or stores one page: `ndjson` prints each page, the other formats print the merged pages at the end.
    mutating func receive(page: GraphQLResult<JSONValue>, merged: GraphQLResult<JSONValue>) async -> Bool {
      count += 1
      hasErrors = !merged.errors.isEmpty
      guard format != .ndjson else { return await emit(page) && count != maximum }
      last = merged
      return count != maximum
    }

    /// Prints the last result, if it is not printed yet, and the missing fragments.
    mutating func finish() async {
      if let last { _ = await emit(last) }
      last = nil
      for fragment in missing {
        let name = (fragment.label ?? fragment.name).map { " \"\($0)\"" } ?? ""
        let reason = fragment.state.errors.first?.message ?? "the response ended without some of its fields"
        let place = fragment.path.components.isEmpty ? "the root" : "\(fragment.path)"
        StandardStreams.narrate("apus: the deferred fragment\(name) at \(place): \(SingleLineText.line(reason))")
      }
    }

    private mutating func emit(_ received: GraphQLResult<JSONValue>) async -> Bool {
      let result = addedFields.map { plan in received.map { RequestedData.strip($0, plan: plan) } } ?? received
      if let filter { return await emit(result, through: filter) }
      switch format {
      case .json: return StandardStreams.output(line: result.responseObject)
      case .ndjson: return StandardStreams.output(line: result.lineObject)
      case .pretty where StandardStreams.outputIsTerminal || StandardStreams.outputTakesColors:
        return show(pretty(result.responseObject))
      case .pretty: return StandardStreams.output(line: result.responseObject, isPretty: true)
      case .yaml: return emit(yaml: result.responseObject)
      case .table, .csv, .tsv:
        for error in result.errors { StandardStreams.narrate("apus: \(SingleLineText.line("\(error)"))") }
        let items = list.flatMap { list in result.data?.value(at: list.listPaths[0]) }
        return emit(
          table: items.map { ResultTable(itemsOf: $0) } ?? result.data.flatMap { ResultTable(firstListIn: $0) })
      }
    }

    private mutating func emit(_ result: GraphQLResult<JSONValue>, through filter: ResultFilter) async -> Bool {
      let values: [JSONValue]
      do throws(CommandError) {
        values = try await filter.apply(to: format == .ndjson ? result.lineObject : result.responseObject)
      } catch {
        failure = error
        return false
      }
      switch format {
      case .table, .csv, .tsv:
        return emit(table: ResultTable(firstListIn: values.count == 1 ? values[0] : .array(values)))
      case .yaml: return values.allSatisfy { emit(yaml: $0) }
      case .pretty: return show(values.map(pretty).joined())
      case .json, .ndjson:
        return values.allSatisfy { value in
          StandardStreams.output((isRaw ? value.string : nil).map { $0 + "\n" } ?? JSONWriter.compact(value) + "\n")
        }
      }
    }

    /// Formats a value over several lines, with control characters made visible for a terminal.
    private func pretty(_ value: JSONValue) -> String {
      if isRaw, let text = value.string { return plain(text + "\n") }
      return StandardStreams.outputTakesColors
        ? ColoredJSON.of(value) + "\n" : plain(JSONWriter.pretty(value) + "\n")
    }

    private func plain(_ text: String) -> String {
      StandardStreams.outputIsTerminal ? TerminalSafeText.lines(text) : text
    }

    /// Shows a complete result in the pager. A stream is printed as it arrives.
    private func show(_ styled: String) -> Bool {
      isStream ? StandardStreams.output(styled: styled) : TerminalPager.show(styled: styled)
    }

    /// Writes a value as YAML. Several values are written as documents of one stream.
    private func emit(yaml value: JSONValue) -> Bool {
      StandardStreams.output((isStream ? "---\n" : "") + YAMLText.of(value))
    }

    private mutating func emit(table: ResultTable?) -> Bool {
      guard let table else {
        StandardStreams.narrate("apus: the result has no fields to show as a table")
        return true
      }
      switch format {
      case .csv: return emit(rows: table.csv)
      case .tsv: return emit(rows: table.tsv)
      case .table, .json, .ndjson, .pretty, .yaml: return emit(lines: table.aligned { TextWidth.width(of: $0) })
      }
    }

    /// Prints the header row and the rows. The events of a subscription form one table: the header is repeated only if the
    /// columns change.
    private mutating func emit(rows lines: some Sequence<String>) -> Bool {
      var lines = lines.makeIterator()
      let head = lines.next()
      defer { columns = head }
      if let head, head != columns, !StandardStreams.output(head) { return false }
      return emit(lines: IteratorSequence(lines))
    }

    /// Writes lines in chunks, because a table may be much larger than its result. Stops when the task is canceled.
    private func emit(lines: some Sequence<String>) -> Bool {
      var portion = ""
      for line in lines {
        portion += line
        guard portion.utf8.count >= 1 << 16 else { continue }
        guard !Task.isCancelled, StandardStreams.output(portion) else { return false }
        portion = ""
      }
      return StandardStreams.output(portion)
    }
  }

  func printing(of type: CompiledOperation.OperationType, maximum: Int? = nil) -> Printing {
    Printing(self, isSubscription: type == .subscription, maximum: maximum)
  }
}
