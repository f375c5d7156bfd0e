import ApusClientAPI
import ApusJSON

/// Which part of an offset list to ask for.
public struct PageSlice: Sendable, Hashable {
  /// How many items lie before it.
  public let offset: Int
  /// How many items to ask for at most.
  public let limit: Int

  /// A slice by its offset, from 0, and its limit.
  public init(offset: Int, limit: Int) {
    self.offset = offset
    self.limit = limit
  }
}

/// Where a page of an offset list lies.
public struct OffsetPageInfo: Sendable, Hashable {
  /// How many items lie before the page.
  public var offset: Int
  /// How many items it has.
  public var count: Int
  /// How many were asked for. With fewer than that the list is at its end.
  public var limit: Int
  /// How many items there are in all, where the server tells.
  public var total: Int?

  /// Page info by its numbers, all counted in items.
  public init(offset: Int, count: Int, limit: Int, total: Int? = nil) {
    self.offset = offset
    self.count = count
    self.limit = limit
    self.total = total
  }

  /// A page that comes short is the last one, whatever the total says: going on from an empty page never ends.
  var next: PageSlice? {
    let (end, isAbsurd) = offset.addingReportingOverflow(count)
    guard count > 0, !isAbsurd, total.map({ end < $0 }) ?? (count >= limit) else { return nil }
    return PageSlice(offset: end, limit: limit)
  }

  /// The slice before this one; at the beginning of the list it is as short as what is left.
  var previous: PageSlice? {
    guard offset > 0 else { return nil }
    let start = Swift.max(0, offset - Swift.max(1, limit))
    return PageSlice(offset: start, limit: offset - start)
  }
}

/// Where a page that has a number lies.
public struct NumberedPageInfo: Sendable, Hashable {
  /// The page's number, as the argument has it.
  public var number: Int
  /// Whether the server says, or the page's length shows, that there is a next one.
  public var hasNext: Bool
  /// The number of the list's first page.
  public var firstNumber: Int

  /// A page by its number, and whether there is a next one.
  public init(number: Int, hasNext: Bool, firstNumber: Int = 1) {
    self.number = number
    self.hasNext = hasNext
    self.firstNumber = firstNumber
  }

  /// A page that has as many items as were asked for may have a next one.
  public init(number: Int, count: Int, pageSize: Int, firstNumber: Int = 1) {
    self.init(number: number, hasNext: count > 0 && count >= pageSize, firstNumber: firstNumber)
  }
}

extension PagingStrategy {
  /// Reads where either kind of page lies; `nil` where the result does not tell.
  public typealias OffsetReader = @Sendable (_ edge: Edge) -> OffsetPageInfo?
  /// The query for a part of the list; `nil` where there is none.
  public typealias SliceQuery = @Sendable (_ slice: PageSlice) -> PaginatedQuery?

  /// Forward through an offset list; a page that comes short is the last one.
  public static func offsetForward(
    pageInfo: @escaping OffsetReader, query: @escaping SliceQuery
  ) -> PagingStrategy {
    PagingStrategy(next: step(pageInfo, query) { $0.next })
  }

  /// Backward through an offset list, to offset 0.
  public static func offsetReverse(
    pageInfo: @escaping OffsetReader, query: @escaping SliceQuery
  ) -> PagingStrategy {
    PagingStrategy(previous: step(pageInfo, query) { $0.previous })
  }

  /// Both ways.
  public static func offsetBoth(
    pageInfo: @escaping OffsetReader, query: @escaping SliceQuery
  ) -> PagingStrategy {
    PagingStrategy(next: step(pageInfo, query) { $0.next }, previous: step(pageInfo, query) { $0.previous })
  }

  /// Both ways through numbered pages.
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
      })
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
