import ApusClientOperation
import ApusJSON

/// The state of a deferred fragment at one response path. It begins as `pending` and changes once.
public enum DeferredState: Sendable, Hashable {
  /// The fragment has not arrived.
  case pending
  /// The data has arrived.
  case fulfilled
  /// The fragment will not arrive because of errors.
  case failed([GraphQLError])
  /// The fragment does not apply, because the object has another type or is null.
  case notExecuted

  /// Its name in the output of the command line: `pending`.
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

  /// Whether the fragment has not arrived.
  public var isPending: Bool { self == .pending }
}

/// An instance of a deferred fragment: in `{ birds(first: 50) { ... @defer { range } } }` the fragment has 50 instances, with
/// the paths `birds.0` to `birds.49`.
///
/// Stored as a single reference, so that recording ten thousand instances in each of a thousand payloads stays cheap.
public struct DeferredFragment: Sendable, Hashable {
  private let content: Content

  /// The `label` of `@defer`, if any.
  public var label: String? { content.label }
  /// The response path of the object with the fragment's fields; for a field that is deferred alone, that of the field.
  public var path: ResponsePath { content.path }
  /// The response path of the object with the fragment's fields.
  package var objectPath: ResponsePath {
    content.isField ? ResponsePath(Array(content.path.components.dropLast())) : content.path
  }
  /// The type condition; `nil` if neither the document nor the schema has one.
  public var typeCondition: String? { content.typeCondition }
  /// Names the fragment; `nil` for an inline one.
  public var name: String? { content.name }
  /// Says whether the data arrived.
  public var state: DeferredState { content.state }
  /// Measured from the start of the request to the payload that resolved the fragment; `nil` while it is pending.
  public var settledAfter: Duration? { content.settledAfter }
  /// Measured from the start of the request to the payload with which the fragment became pending; `nil` if it was read
  /// from the cache. A nested fragment becomes pending only when its outer one arrives.
  package var announcedAfter: Duration? { content.announcedAfter }
  /// The index in `CompiledOperation.fragments` of the deferred fragment.
  package var fragmentID: Int { content.fragmentID }
  /// The reason why a resolved instance is incomplete, in addition to its state.
  package var shortfall: IncompleteReason? { content.shortfall }

  private final class Content: Sendable {
    let fragmentID: Int
    let label: String?
    let path: ResponsePath
    let isField: Bool
    let typeCondition: String?
    let name: String?
    let state: DeferredState
    let announcedAfter: Duration?
    let settledAfter: Duration?
    let shortfall: IncompleteReason?

    init(
      fragmentID: Int, label: String?, path: ResponsePath, isField: Bool, typeCondition: String?, name: String?,
      state: DeferredState, announcedAfter: Duration?, settledAfter: Duration?, shortfall: IncompleteReason?
    ) {
      self.fragmentID = fragmentID
      self.label = label
      self.path = path
      self.isField = isField
      self.typeCondition = typeCondition
      self.name = name
      self.state = state
      self.announcedAfter = announcedAfter
      self.settledAfter = settledAfter
      self.shortfall = shortfall
    }
  }

  package init(
    fragmentID: Int, label: String?, path: ResponsePath, typeCondition: String?, name: String?, state: DeferredState,
    announcedAfter: Duration? = nil, settledAfter: Duration? = nil, shortfall: IncompleteReason? = nil,
    isField: Bool = false
  ) {
    content = Content(
      fragmentID: fragmentID, label: label, path: path, isField: isField, typeCondition: typeCondition, name: name,
      state: state, announcedAfter: announcedAfter, settledAfter: settledAfter, shortfall: shortfall)
  }

  /// Creates an instance of a compiled fragment on the object at a path.
  package init(
    _ fragment: CompiledFragment, objectPath: ResponsePath, state: DeferredState, announcedAfter: Duration? = nil,
    settledAfter: Duration? = nil, shortfall: IncompleteReason? = nil
  ) {
    self.init(
      fragmentID: fragment.id, label: fragment.deferral?.label,
      path: fragment.deferredField.map { objectPath.appending(.key($0)) } ?? objectPath,
      typeCondition: fragment.typeCondition, name: fragment.name, state: state, announcedAfter: announcedAfter,
      settledAfter: settledAfter, shortfall: shortfall, isField: fragment.deferredField != nil)
  }

  /// Returns the instance with another state.
  package func withState(
    _ state: DeferredState, after elapsed: Duration?, _ shortfall: IncompleteReason? = nil
  ) -> DeferredFragment {
    DeferredFragment(
      fragmentID: fragmentID, label: label, path: path, typeCondition: typeCondition, name: name, state: state,
      announcedAfter: announcedAfter, settledAfter: elapsed, shortfall: shortfall, isField: content.isField)
  }

  /// Returns the instance on the same object, which another payload moved in its list.
  package func moved(to objectPath: ResponsePath) -> DeferredFragment {
    let field = content.isField ? Array(path.components.suffix(1)) : []
    return DeferredFragment(
      fragmentID: fragmentID, label: label, path: ResponsePath(objectPath.components + field),
      typeCondition: typeCondition, name: name, state: state, announcedAfter: announcedAfter,
      settledAfter: settledAfter, shortfall: shortfall, isField: content.isField)
  }

  public static func == (left: DeferredFragment, right: DeferredFragment) -> Bool {
    // Most instances of consecutive payloads are the same reference.
    left.content === right.content
      || (left.fragmentID == right.fragmentID && left.path == right.path && left.label == right.label
        && left.typeCondition == right.typeCondition && left.name == right.name && left.state == right.state
        && left.announcedAfter == right.announcedAfter && left.settledAfter == right.settledAfter
        && left.shortfall == right.shortfall)
  }

  public func hash(into hasher: inout Hasher) {
    // The other properties follow from these, or differ seldom.
    hasher.combine(fragmentID)
    hasher.combine(path)
    hasher.combine(state)
  }
}

/// The instances of a deferred fragment, counted by state.
public struct DeferredSummary: Sendable, Hashable {
  /// The `label` of `@defer`, if any.
  public let label: String?
  /// Names the fragment; `nil` for an inline one.
  public let name: String?
  /// The type condition; `nil` if neither the document nor the schema has one.
  public let typeCondition: String?
  /// Instances that have not arrived.
  public var pending = 0
  /// Instances that have arrived.
  public var fulfilled = 0
  /// Instances that failed.
  public var failed = 0
  /// Instances that do not apply, because their object has another type or is null.
  public var notExecuted = 0

  /// The total number of instances.
  public var count: Int { pending + fulfilled + failed + notExecuted }

  /// Returns a summary of each deferred fragment, in the order of their first instances.
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
