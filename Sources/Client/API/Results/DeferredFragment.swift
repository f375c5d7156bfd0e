import ApusJSON

/// What became of a deferred fragment at one place of the response.
public enum DeferredState: Sendable, Hashable {
  /// Still to come.
  case pending
  /// Its data is there.
  case fulfilled
  /// It will not come; the errors say why.
  case failed([GraphQLError])
  /// It could never come here: the object is of another type, or is null.
  case notExecuted

  /// The state's name as the command line prints it.
  public var name: String {
    switch self {
    case .pending: "pending"
    case .fulfilled: "fulfilled"
    case .failed: "failed"
    case .notExecuted: "notExecuted"
    }
  }

  /// The errors of a failed fragment.
  public var errors: [GraphQLError] { if case .failed(let errors) = self { errors } else { [] } }

  /// Whether the fragment is still to come.
  public var isPending: Bool { self == .pending }
}

/// One instance of a deferred fragment: a fragment inside a list of 50 has 50 of them.
///
/// It is one reference, so that keeping the states of ten thousand of them for each of a thousand parts stays cheap.
public struct DeferredFragment: Sendable, Hashable {
  private let content: Content

  /// The `label` of `@defer`, if it has one.
  public var label: String? { content.label }
  /// Where in the response the fragment's fields belong.
  public var path: ResponsePath { content.path }
  /// The type that the fragment is on; `nil` where the document names none and nobody else does.
  public var typeCondition: String? { content.typeCondition }
  /// The name of a named fragment.
  public var name: String? { content.name }
  /// What became of this instance so far.
  public var state: DeferredState { content.state }
  /// The time from the start of the request to the payload that settled it; `nil` while it is pending.
  public var settledAfter: Duration? { content.settledAfter }
  /// Which deferral of the operation this is an instance of: its index in `CompiledOperation.fragments`.
  package var fragmentID: Int { content.fragmentID }
  /// Why a settled instance is less than whole, beyond what its state says.
  package var shortfall: DeliveryShortfall? { content.shortfall }

  private final class Content: Sendable {
    let fragmentID: Int
    let label: String?
    let path: ResponsePath
    let typeCondition: String?
    let name: String?
    let state: DeferredState
    let settledAfter: Duration?
    let shortfall: DeliveryShortfall?

    init(
      fragmentID: Int, label: String?, path: ResponsePath, typeCondition: String?, name: String?,
      state: DeferredState, settledAfter: Duration?, shortfall: DeliveryShortfall?
    ) {
      self.fragmentID = fragmentID
      self.label = label
      self.path = path
      self.typeCondition = typeCondition
      self.name = name
      self.state = state
      self.settledAfter = settledAfter
      self.shortfall = shortfall
    }
  }

  package init(
    fragmentID: Int, label: String?, path: ResponsePath, typeCondition: String?, name: String?, state: DeferredState,
    settledAfter: Duration? = nil, shortfall: DeliveryShortfall? = nil
  ) {
    content = Content(
      fragmentID: fragmentID, label: label, path: path, typeCondition: typeCondition, name: name, state: state,
      settledAfter: settledAfter, shortfall: shortfall)
  }

  /// The same instance in another state.
  package func settled(
    _ state: DeferredState, after elapsed: Duration?, _ shortfall: DeliveryShortfall? = nil
  ) -> DeferredFragment {
    DeferredFragment(
      fragmentID: fragmentID, label: label, path: path, typeCondition: typeCondition, name: name, state: state,
      settledAfter: elapsed, shortfall: shortfall)
  }

  public static func == (left: DeferredFragment, right: DeferredFragment) -> Bool {
    left.content === right.content
      || (left.fragmentID == right.fragmentID && left.path == right.path && left.label == right.label
        && left.typeCondition == right.typeCondition && left.name == right.name && left.state == right.state
        && left.settledAfter == right.settledAfter && left.shortfall == right.shortfall)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(fragmentID)
    hasher.combine(path)
    hasher.combine(state)
  }
}

/// All instances of one deferral in numbers: the one line that stands for a list of 50.
public struct DeferredSummary: Sendable, Hashable {
  /// The `label` of the deferral; `nil` where it has none.
  public let label: String?
  /// The name of the named fragment; `nil` for an inline one.
  public let name: String?
  /// The type that the fragment is on; `nil` where the document names none and nobody else does.
  public let typeCondition: String?
  /// How many instances are still to come.
  public var pending = 0
  /// How many instances have arrived.
  public var fulfilled = 0
  /// How many instances will not come because of errors.
  public var failed = 0
  /// How many instances could never come: their object is of another type or null.
  public var notExecuted = 0

  /// How many instances there are in all.
  public var count: Int { pending + fulfilled + failed + notExecuted }

  /// One summary for each deferral of the operation, in the order in which their first instances were met.
  public static func summaries(of fragments: [DeferredFragment]) -> [DeferredSummary] {
    var order: [Int] = []
    var summaries: [Int: DeferredSummary] = [:]
    for fragment in fragments {
      var summary =
        summaries[fragment.fragmentID]
        ?? DeferredSummary(label: fragment.label, name: fragment.name, typeCondition: fragment.typeCondition)
      if summary.count == 0 { order.append(fragment.fragmentID) }
      switch fragment.state {
      case .pending: summary.pending += 1
      case .fulfilled: summary.fulfilled += 1
      case .failed: summary.failed += 1
      case .notExecuted: summary.notExecuted += 1
      }
      summaries[fragment.fragmentID] = summary
    }
    return order.compactMap { summaries[$0] }
  }

  init(label: String?, name: String?, typeCondition: String?) {
    self.label = label
    self.name = name
    self.typeCondition = typeCondition
  }
}
