import ApusClientAPI
import ApusJSON

/// A deferred fragment or a streamed list, which is delivered after the initial result.
package struct DeferredItem: Equatable, Sendable {
  package var title: String
  /// Whether the title is a label.
  package var isLabeled: Bool
  /// The current number of items of a streamed list; nil for a fragment.
  package var itemCount: Int?
  package var path: ResponsePath
  package var state: ResultStatus
  /// The time from the start of the request to the payload that announced it; `nil` if that is unknown.
  package var announcedAfter: Duration?
  /// The time from the start of the request until it was settled; nil if it is pending or the time is unknown.
  package var settledAfter: Duration?
  /// The current state of an item that is pending in the earlier payload that is shown.
  package var since: ResultStatus?
  package var errors: [GraphQLError]

  /// The time from its announcement to its arrival, or until now; `nil` if it will not arrive.
  func ownTime(until now: Duration) -> Duration? {
    switch state {
    case .notExecuted: nil
    case .fromCache where settledAfter == nil: nil
    case .pending, .complete, .fromCache, .withErrors, .null, .failed, .cut, .cancelled, .neverCame:
      max(.zero, (settledAfter ?? now) - (announcedAfter ?? .zero))
    }
  }
}

extension DeferredFragment {
  /// The label; without one, the name or the type condition.
  package var title: String {
    label ?? name ?? typeCondition.map { "\u{2026} on \($0)" } ?? "fragment"
  }
}

extension ResponseFeature {
  package var streams: [StreamedList] { run?.streams ?? [] }
  package var deliveryCount: Int { fragments.count + streams.count }

  /// Returns a deferred item. The fragments come before the streamed lists.
  package func delivery(at index: Int) -> DeferredItem? {
    if fragments.indices.contains(index) { return delivery(fragments[index]) }
    let index = index - fragments.count
    return streams.indices.contains(index) ? delivery(streams[index]) : nil
  }

  private func delivery(_ fragment: DeferredFragment) -> DeferredItem {
    var delivery = DeferredItem(
      title: fragment.title, isLabeled: fragment.label != nil, path: fragment.path, state: state(of: fragment),
      announcedAfter: fragment.announcedAfter, settledAfter: fragment.settledAfter, errors: fragment.state.errors)
    if payloads.isInPast, fragment.state.isPending {
      delivery.since = stateOfRest
      if let settled = payloads.settling(of: fragment) {
        delivery.since = state(of: settled)
        delivery.settledAfter = settled.settledAfter
      }
    }
    return delivery
  }

  private func delivery(_ stream: StreamedList) -> DeferredItem {
    DeferredItem(
      title: stream.title, isLabeled: stream.label != nil, itemCount: tree.data?.value(at: stream.path)?.count ?? 0,
      path: stream.path, state: state(of: stream), announcedAfter: stream.announcedAfter,
      settledAfter: stream.settledAfter, errors: stream.state.errors)
  }

  /// The current state of items that have not arrived.
  private var stateOfRest: ResultStatus { run?.isActive == true ? .pending : .neverCame }
}

extension StreamedList {
  /// The label; without one, the name of the field.
  package var title: String {
    if let label { return label }
    guard case .key(let key)? = path.components.last else { return "list" }
    return key
  }
}
