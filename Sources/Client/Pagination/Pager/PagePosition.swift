/// The position of a page in a pager. A page is less than another one if it is closer to the initial page.
enum PagePosition: Hashable, Sendable, Comparable {
  case first
  /// A page in one direction, by order of arrival, starting at 0.
  case side(PagingDirection, Int)

  var direction: PagingDirection? { if case .side(let direction, _) = self { direction } else { nil } }

  /// The next position away from the initial page.
  func outer(_ direction: PagingDirection) -> PagePosition {
    switch self {
    case .first: .side(direction, 0)
    case .side(_, let arrival): .side(direction, arrival + 1)
    }
  }

  /// The next position toward the initial page; `nil` for the initial page.
  var inner: PagePosition? {
    switch self {
    case .first: nil
    case .side(_, 0): .first
    case .side(let direction, let arrival): .side(direction, arrival - 1)
    }
  }

  private var rank: (arrival: Int, side: Int) {
    switch self {
    case .first: (-1, 0)
    case .side(.next, let arrival): (arrival, 0)
    case .side(.previous, let arrival): (arrival, 1)
    }
  }

  static func < (left: PagePosition, right: PagePosition) -> Bool { left.rank < right.rank }
}
