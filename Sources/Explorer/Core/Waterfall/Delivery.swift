import ApusClientAPI
import ApusJSON

/// A deferred fragment or a streamed list: what comes behind the first part.
package struct Delivery: Equatable, Sendable {
  package var title: String
  /// Whether its title is one that its author gave.
  package var isLabelled: Bool
  /// How many items a streamed list has by now; nil for a fragment.
  package var itemCount: Int?
  package var path: ResponsePath
  package var state: DeliveryState
  /// When it was settled, from the start of the request; nil where that is not known, or not so yet.
  package var settledAfter: Duration?
  /// Of what is pending at the part that is looked back at: what became of it since.
  package var since: DeliveryState?
  package var errors: [GraphQLError]
}

extension DeferredFragment {
  /// What a fragment without a label is known by.
  package var title: String {
    label ?? name ?? typeCondition.map { "\u{2026} on \($0)" } ?? "fragment"
  }
}

extension TabResponse {
  package var streams: [DeferredStream] { run?.streams ?? [] }
  package var deliveryCount: Int { fragments.count + streams.count }

  /// The fragments come first, then the lists.
  package func delivery(at index: Int) -> Delivery? {
    if fragments.indices.contains(index) { return delivery(fragments[index]) }
    let index = index - fragments.count
    return streams.indices.contains(index) ? delivery(streams[index]) : nil
  }

  private func delivery(_ fragment: DeferredFragment) -> Delivery {
    var delivery = Delivery(
      title: fragment.title, isLabelled: fragment.label != nil, path: fragment.path, state: state(of: fragment),
      settledAfter: fragment.settledAfter, errors: fragment.state.errors)
    if parts.isInPast, fragment.state.isPending {
      delivery.since = stateOfRest
      if let settled = parts.settling(of: fragment) {
        delivery.since = state(of: settled)
        delivery.settledAfter = settled.settledAfter
      }
    }
    return delivery
  }

  private func delivery(_ stream: DeferredStream) -> Delivery {
    Delivery(
      title: stream.title, isLabelled: stream.label != nil, itemCount: tree.data?.value(at: stream.path)?.count ?? 0,
      path: stream.path, state: state(of: stream), settledAfter: stream.settledAfter, errors: stream.state.errors)
  }

  /// Of what did not come by now.
  private var stateOfRest: DeliveryState { run?.isActive == true ? .pending : .neverCame }
}

extension DeferredStream {
  /// A list without a label is known by its field.
  package var title: String {
    if let label { return label }
    guard case .key(let key)? = path.components.last else { return "list" }
    return key
  }
}
