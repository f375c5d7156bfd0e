import ApusFormatting
import ApusClientAPI
import ApusJSON

/// The timeline of a run: a bar for each fragment, streamed list and resolver, from the request to its arrival.
package struct Timeline: Equatable, Sendable {
  /// The time axis, from the start of the request to the last arrival or to now.
  package struct Axis: Equatable, Sendable {
    package var end: Duration
    /// Arrival times of the payloads.
    package var arrivals: [Duration]
    /// The arrival time of the payload that is shown; nil if none has arrived.
    package var shown: Duration?
    package var isInPast: Bool

    /// Returns the cell of a time on an axis of `width` cells.
    package func cell(of time: Duration, width: Int) -> Int {
      min(max(0, Int(time / end * Double(width))), max(0, width - 1))
    }
  }

  package struct Bar: Equatable, Sendable {
    package var name: String
    package var isLabeled = true
    package var path: ResponsePath
    /// The result status; nil for a resolver.
    package var state: ResultStatus?
    package var start = Duration.zero
    /// The end of the bar; nil if the item has no time.
    package var end: Duration?
    /// The status as display text; `time` has its time.
    package var word: String
    package var time: String
    /// The time from `start` to the arrival, where it differs from the time since the request.
    package var ownTime = ""
    /// Whether the item arrived after the shown payload, so that `word` says more than the glyph.
    package var isLater = false
    /// Errors that it came with, or in its place.
    package var messages: [String] = []

    /// State and times, the longest form first: `complete 1.20 s (own 400 ms)`, `1.20 s (own 400 ms)`, `complete 1.20 s`, `1.20 s`.
    package var notes: [String] {
      let words = [word, time].filter { !$0.isEmpty }.joined(separator: " ")
      let forms = ownTime.isEmpty ? [] : isLater ? [words] : [words, time]
      let ownTimes = forms.map { "\($0) (own \(ownTime))" }
      return ownTimes + [words, time.isEmpty ? word : time]
    }
  }

  package var title: String
  package var startedAt: ClockTime?
  package var axis: Axis
  package var bars: [Bar]
}

/// A local time of day.
package struct ClockTime: Equatable, Sendable, CustomStringConvertible {
  package var hour: Int
  package var minute: Int
  package var second: Int
  package var millisecond: Int

  package init(hour: Int, minute: Int, second: Int, millisecond: Int) {
    self.hour = hour
    self.minute = minute
    self.second = second
    self.millisecond = millisecond
  }

  /// Returns the time of day after a duration.
  package func advanced(by duration: Duration) -> ClockTime {
    let (seconds, attoseconds) = duration.components
    let total =
      ((hour * 60 + minute) * 60 + second) * 1000 + millisecond + Int(seconds) * 1000
      + Int(attoseconds / 1_000_000_000_000_000)
    let rest = ((total % 86_400_000) + 86_400_000) % 86_400_000
    return ClockTime(
      hour: rest / 3_600_000, minute: rest / 60_000 % 60, second: rest / 1000 % 60, millisecond: rest % 1000)
  }

  package var description: String {
    let parts = [hour, minute, second].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return "\(parts.joined(separator: ":")).\(String(millisecond + 1000).dropFirst())"
  }
}

/// A row of the deferred pane.
package enum DeferredRow: Equatable, Sendable {
  case delivery(DeferredItem)
  /// The header of the resolvers that the server reported.
  case resolvers(count: Int, isOpen: Bool)
  case resolver(ResolverTracing.Span)
}

extension ResponseFeature {
  package var deferredRowCount: Int {
    guard deliveryCount > 0 || resolverCount != nil else { return 0 }
    return shownDeliveryCount + (resolverCount == nil ? 0 : 1 + (tracing?.spans.count ?? 0))
  }

  /// A filter is about fragments and lists alone.
  private var resolverCount: Int? { deferredListing.filter.isEmpty ? ResolverTracing.count(in: run?.extensions) : nil }

  package func deferredRow(at index: Int) -> DeferredRow? {
    if let delivery = deferredIndex(ofRow: index).flatMap(delivery(at:)) { return .delivery(delivery) }
    guard let count = resolverCount else { return nil }
    let index = index - shownDeliveryCount
    if index == 0 { return .resolvers(count: count, isOpen: tracing != nil) }
    guard let spans = tracing?.spans, spans.indices.contains(index - 1) else { return nil }
    return .resolver(spans[index - 1])
  }

  package var axis: Timeline.Axis {
    let times = payloads.arrivals
    let settled = fragments.compactMap(\.settledAfter) + streams.compactMap(\.settledAfter)
    let end = max(run?.elapsed ?? .zero, times.last ?? .zero, settled.max() ?? .zero, .microseconds(1))
    return Timeline.Axis(
      end: end, arrivals: times, shown: payloads.shownInPast?.elapsed ?? times.last, isInPast: payloads.isInPast)
  }

  package func bar(of row: DeferredRow, on axis: Timeline.Axis) -> Timeline.Bar {
    switch row {
    case .delivery(let delivery): return bar(of: delivery, on: axis)
    case .resolvers(let count, _):
      return Timeline.Bar(
        name: DisplayFormat.plural(count, "resolver"), path: [], word: "from the start on the server", time: "")
    case .resolver(let span):
      return Timeline.Bar(
        name: span.field, path: span.path, start: span.start, end: span.start + span.duration,
        word: "", time: DisplayFormat.duration(span.duration))
    }
  }

  private func bar(of delivery: DeferredItem, on axis: Timeline.Axis) -> Timeline.Bar {
    let title = delivery.title + (delivery.itemCount.map { " (\(DisplayFormat.count($0)))" } ?? "")
    var bar = Timeline.Bar(
      name: title, isLabeled: delivery.isLabeled, path: delivery.path, state: delivery.state,
      word: delivery.state == .complete ? "" : delivery.state.word,
      time: delivery.settledAfter.map(DisplayFormat.duration) ?? "")
    switch delivery.state {
    case .notExecuted: return bar
    case .complete, .withErrors, .null, .failed, .cut, .fromCache:
      bar.end = delivery.settledAfter ?? axis.arrivals.first ?? axis.end
    case .pending, .cancelled, .neverCame: bar.end = delivery.settledAfter ?? axis.end
    }
    bar.start = min(delivery.announcedAfter ?? axis.arrivals.first ?? .zero, bar.end ?? .zero)
    if bar.start > .zero, let settled = delivery.settledAfter {
      bar.ownTime = DisplayFormat.duration(settled - bar.start)
    }
    if let since = delivery.since, since != .pending {
      bar.word = since == .complete ? "then" : "then \(since.word)"
      bar.isLater = true
    }
    return bar
  }

  /// The complete timeline, for export.
  package var timeline: Timeline {
    let axis = axis
    let bars = (0..<deferredRowCount).compactMap { deferredRow(at: $0) }.map { row in
      var bar = bar(of: row, on: axis)
      if case .delivery(let delivery) = row { bar.messages = errors(of: delivery).map(\.shownMessage) }
      return bar
    }
    return Timeline(
      title: run?.operation?.title ?? "operation", startedAt: run?.operation?.startedAt, axis: axis, bars: bars)
  }

  /// The errors of a fragment or list: those in its place, or those of its payload below its path.
  func errors(of delivery: DeferredItem) -> [GraphQLError] {
    guard delivery.errors.isEmpty, delivery.state == .withErrors, let settled = delivery.settledAfter else {
      return delivery.errors
    }
    return payloads.newErrors(at: settled).filter {
      $0.path?.components.starts(with: delivery.path.components) ?? false
    }
  }

  // MARK: Keys

  var selectedDelivery: DeferredItem? { deferredIndex(ofRow: deferredList.selected).flatMap(delivery(at:)) }

  func copyDeferredRow() -> [FollowUp] {
    guard let delivery = selectedDelivery else { return [] }
    var bar = bar(of: .delivery(delivery), on: axis)
    bar.messages = errors(of: delivery).map(\.shownMessage)
    return [.copy(bar.line)]
  }

  /// The response path of the selected row.
  var selectedDeferredPath: ResponsePath? {
    switch deferredRow(at: deferredList.selected) {
    case .delivery(let delivery): delivery.path
    case .resolver(let span): span.path
    case .resolvers, nil: nil
    }
  }

  /// Goes to the path of a fragment in the response, or to its error; unfolds the resolvers.
  mutating func openDeferredRow() -> [FollowUp] {
    if deferredListing.isFiltering {
      deferredListing.isFiltering = false
      return []
    }
    switch deferredRow(at: deferredList.selected) {
    case .delivery(let delivery):
      reading.view = .tree
      tree.reveal(delivery.path)
      if let error = delivery.errors.first { tree.select(error) }
      return [.focus(.response)]
    case .resolver(let span):
      tree.reveal(span.path)
      return [.focus(.response)]
    case .resolvers:
      foldResolvers(tracing != nil)
      return []
    case nil: return []
    }
  }

  mutating func foldResolvers(_ isFolded: Bool) {
    guard case .resolvers? = deferredRow(at: deferredList.selected) else { return }
    tracing = isFolded ? nil : ResolverTracing(run?.extensions)
  }
}
