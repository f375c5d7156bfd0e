import ApusClientAPI
import ApusClientFormats
import ApusClientNetwork
import ApusClientOperation
import ApusClientPagination
import ApusExplorerTerminal
import ApusJSON

/// Prints results in the form that `--output` asks for: each as it comes, or the last one at the end.
struct ResultPrinter: Sendable {
  let format: ResultFormat
  /// What each object that is printed goes through first.
  var filter: ResultFilter?
  /// Whether a text that the filter gives is printed without its quotes.
  var isRaw = false

  /// The printing of one request's results.
  struct Printing {
    fileprivate let format: ResultFormat
    fileprivate let filter: ResultFilter?
    fileprivate let isRaw: Bool
    fileprivate let isSubscription: Bool
    /// After how many results nothing more is wanted.
    fileprivate let maximum: Int?
    private(set) var count = 0
    private(set) var hasErrors = false
    /// The place of a deferred fragment that did not come yet in the last result, or of a list without its last items.
    private(set) var pendingPlace: ResponsePath?
    /// The deferred fragments of the last result that never came, though no error of the server says so.
    private var missing: [DeferredFragment] = []
    /// Why the filter gave nothing, if it did not.
    private(set) var failure: CommandFailure?
    private var last: GraphQLResult<JSONValue>?
    /// The line of columns that was printed last.
    private var columns: String?
    /// The list whose items a table shows; without one the first list of objects.
    var list: PageableList?

    fileprivate init(_ printer: ResultPrinter, isSubscription: Bool, maximum: Int?) {
      format = printer.format
      filter = printer.filter
      isRaw = printer.isRaw
      self.isSubscription = isSubscription
      self.maximum = maximum
    }

    private var isStream: Bool { format == .ndjson || isSubscription }

    /// False when nobody reads any more, or wants to.
    mutating func receive(_ result: GraphQLResult<JSONValue>) async -> Bool {
      count += 1
      // One event with errors is enough for a subscription; of a query the last result has all of them.
      missing = result.response == .complete ? result.fragments.filter { $0.shortfall?.isSilent == true } : []
      hasErrors = !result.errors.isEmpty || !missing.isEmpty || isSubscription && hasErrors
      pendingPlace =
        result.fragments.first { $0.state.isPending }?.path ?? result.streams.first { $0.state.isPending }?.path
      last = result
      guard isStream, format == .ndjson || result.response == .complete else { return count != maximum }
      last = nil
      return await emit(result) && count != maximum
    }

    /// One page of several: printed by itself where results are, else merged into the others by whoever loads them.
    mutating func receive(page: GraphQLResult<JSONValue>, merged: GraphQLResult<JSONValue>) async -> Bool {
      count += 1
      hasErrors = !merged.errors.isEmpty
      guard format != .ndjson else { return await emit(page) && count != maximum }
      last = merged
      return count != maximum
    }

    /// What is left to be printed behind the last result.
    mutating func finish() async {
      if let last { _ = await emit(last) }
      last = nil
      for fragment in missing {
        let name = (fragment.label ?? fragment.name).map { " \"\($0)\"" } ?? ""
        let reason = fragment.state.errors.first?.message ?? ""
        let place = fragment.path.components.isEmpty ? "the root" : "\(fragment.path)"
        StandardStreams.narrate("apus: the deferred fragment\(name) at \(place): \(PlainText.line(reason))")
      }
    }

    private mutating func emit(_ result: GraphQLResult<JSONValue>) async -> Bool {
      if let filter { return await emit(result, through: filter) }
      switch format {
      case .json: return StandardStreams.output(line: result.responseObject)
      case .ndjson: return StandardStreams.output(line: result.lineObject)
      case .pretty where StandardStreams.outputIsTerminal || StandardStreams.outputTakesColours:
        return show(pretty(result.responseObject))
      case .pretty: return StandardStreams.output(line: result.responseObject, isPretty: true)
      case .yaml: return emit(yaml: result.responseObject)
      case .table, .csv, .tsv:
        for error in result.errors { StandardStreams.narrate("apus: \(PlainText.line("\(error)"))") }
        let items = list.flatMap { list in result.data?.value(at: list.listPaths[0]) }
        return emit(
          table: items.map { ResultTable(itemsOf: $0) } ?? result.data.flatMap { ResultTable(firstListIn: $0) })
      }
    }

    private mutating func emit(_ result: GraphQLResult<JSONValue>, through filter: ResultFilter) async -> Bool {
      let values: [JSONValue]
      do throws(CommandFailure) {
        values = try await filter.apply(to: format == .ndjson ? result.lineObject : result.responseObject)
      } catch {
        failure = error
        return false
      }
      if format.isTable {
        return emit(table: ResultTable(firstListIn: values.count == 1 ? values[0] : .array(values)))
      }
      if format == .yaml { return values.allSatisfy { emit(yaml: $0) } }
      if format == .pretty { return show(values.map(pretty).joined()) }
      return values.allSatisfy { value in
        StandardStreams.output((isRaw ? value.string : nil).map { $0 + "\n" } ?? JSONWriter.compact(value) + "\n")
      }
    }

    /// One value laid out in lines, made visible where it goes to a terminal.
    private func pretty(_ value: JSONValue) -> String {
      if isRaw, let text = value.string { return plain(text + "\n") }
      return StandardStreams.outputTakesColours
        ? ColouredJSON.of(value) + "\n" : plain(JSONWriter.pretty(value) + "\n")
    }

    private func plain(_ text: String) -> String {
      StandardStreams.outputIsTerminal ? VisibleText.lines(text) : text
    }

    /// What comes in one piece may be paged; what goes on coming is shown as it comes.
    private func show(_ styled: String) -> Bool {
      isStream ? StandardStreams.output(styled: styled) : Pager.show(styled: styled)
    }

    /// Several are documents of one stream.
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
      default: return emit(lines: table.aligned { TextWidth.width(of: $0) })
      }
    }

    /// The line of columns, and the rows. The events of a subscription are rows of one table: the columns come again only
    /// where they are others.
    private mutating func emit(rows lines: some Sequence<String>) -> Bool {
      var lines = lines.makeIterator()
      let head = lines.next()
      defer { columns = head }
      if let head, head != columns, !StandardStreams.output(head) { return false }
      return emit(lines: IteratorSequence(lines))
    }

    /// Writes lines in portions: a table may be far longer than the result that it is of. Who interrupts is heard.
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
