import ApusClientAPI
import ApusJSON

/// A range of an offset list.
public struct PageSlice: Sendable, Hashable {
  /// The number of items before the range.
  public let offset: Int
  /// The maximum number of items.
  public let limit: Int

  /// Creates a range from its offset, starting at 0, and its limit.
  public init(offset: Int, limit: Int) {
    self.offset = offset
    self.limit = limit
  }
}

/// The position of a page in an offset list.
public struct OffsetPageInfo: Sendable, Hashable {
  /// The number of items before the page.
  public var offset: Int
  /// The number of items in the page.
  public var count: Int
  /// The number of items that were requested. A server may send fewer before the end of the list.
  public var limit: Int
  /// The total number of items; `nil` if the server does not report it.
  public var total: Int?

  /// Creates page info. All numbers count items.
  public init(offset: Int, count: Int, limit: Int, total: Int? = nil) {
    self.offset = offset
    self.count = count
    self.limit = limit
    self.total = total
  }

  /// The range after this page, or `nil` if the page is empty or reaches the total. A page with fewer items than requested
  /// is not the last one, because servers limit the page size.
  var next: PageSlice? {
    let (end, isAbsurd) = offset.addingReportingOverflow(count)
    guard count > 0, !isAbsurd, total.map({ end < $0 }) ?? true else { return nil }
    return PageSlice(offset: end, limit: limit)
  }

  /// The range before this page, which is shorter at the beginning of the list. If the server sent fewer items than requested,
  /// it may limit the page size, and a longer range before this page would leave a gap.
  var previous: PageSlice? {
    guard offset > 0 else { return nil }
    let size = count > 0 ? Swift.min(count, limit) : limit
    let start = Swift.max(0, offset - Swift.max(1, size))
    return PageSlice(offset: start, limit: offset - start)
  }
}

/// The position of a numbered page.
public struct NumberedPageInfo: Sendable, Hashable {
  /// The page number, as in the argument.
  public var number: Int
  /// Whether there is a next page, according to the server or the number of items.
  public var hasNext: Bool
  /// The number of the first page.
  public var firstNumber: Int

  /// Creates page info from a page number and whether there is a next page.
  public init(number: Int, hasNext: Bool, firstNumber: Int = 1) {
    self.number = number
    self.hasNext = hasNext
    self.firstNumber = firstNumber
  }

  /// Creates page info from the number of items. A full page may have a next page.
  public init(number: Int, count: Int, pageSize: Int, firstNumber: Int = 1) {
    self.init(number: number, hasNext: count > 0 && count >= pageSize, firstNumber: firstNumber)
  }
}

extension PagingStrategy {
  /// Returns the position of a page, or `nil` if the result does not provide it.
  public typealias OffsetReader = @Sendable (_ edge: Edge) -> OffsetPageInfo?
  /// Returns the query for a range of the list, or `nil` if there is none.
  public typealias SliceQuery = @Sendable (_ slice: PageSlice) -> PaginatedQuery?

  /// Returns a strategy that loads next pages of an offset list, until a page is empty, has only items that were loaded
  /// before, or reaches the total.
  public static func offsetForward(
    pageInfo: @escaping OffsetReader, query: @escaping SliceQuery
  ) -> PagingStrategy {
    PagingStrategy(next: step(pageInfo, query) { $0.next }).endingAtRepeatedItems()
  }

  /// Returns a strategy that loads previous pages of an offset list, down to offset 0.
  public static func offsetReverse(
    pageInfo: @escaping OffsetReader, query: @escaping SliceQuery
  ) -> PagingStrategy {
    PagingStrategy(previous: step(pageInfo, query) { $0.previous }).endingAtRepeatedItems()
  }

  /// Returns a strategy for both directions.
  public static func offsetBoth(
    pageInfo: @escaping OffsetReader, query: @escaping SliceQuery
  ) -> PagingStrategy {
    PagingStrategy(next: step(pageInfo, query) { $0.next }, previous: step(pageInfo, query) { $0.previous })
      .endingAtRepeatedItems()
  }

  /// Returns a strategy for both directions of a list with numbered pages.
  public static func pageNumber(
    pageInfo: @escaping @Sendable (_ edge: Edge) -> NumberedPageInfo?,
    query: @escaping @Sendable (_ number: Int) -> PaginatedQuery?
  ) -> PagingStrategy {
    PagingStrategy(
      next: { edge in
        guard let info = pageInfo(edge) else { return .end(.noPageInfo) }
        return info.hasNext && info.number < .max ? Step(query(info.number + 1)) : .end(.lastPage)
      },
      previous: { edge in
        guard let info = pageInfo(edge) else { return .end(.noPageInfo) }
        return info.number > info.firstNumber ? Step(query(info.number - 1)) : .end(.lastPage)
      }
    ).endingAtRepeatedItems()
  }

  private static func step(
    _ pageInfo: @escaping OffsetReader, _ query: @escaping SliceQuery,
    _ slice: @escaping @Sendable (OffsetPageInfo) -> PageSlice?
  ) -> @Sendable (Edge) -> Step {
    { edge in
      guard let info = pageInfo(edge) else { return .end(.noPageInfo) }
      return slice(info).map { Step(query($0)) } ?? .end(.lastPage)
    }
  }
}
