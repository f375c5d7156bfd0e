// Former names of public declarations, which the next version removes.

/// The former name of `PageableConnection`.
@available(*, deprecated, renamed: "PageableConnection")
public typealias Connection = PageableConnection

/// The former name of `BoundaryPage`.
@available(*, deprecated, renamed: "BoundaryPage")
public typealias EdgePage = BoundaryPage

/// The former name of `PagingStopReason`.
@available(*, deprecated, renamed: "PagingStopReason")
public typealias PagingEnd = PagingStopReason

extension PagerOutput {
  /// The former name of `initialPage`.
  @available(*, deprecated, renamed: "initialPage")
  public var firstPage: Page<InitialQuery>? { initialPage }
}

extension PagerError {
  /// The former name of `missingInitialPage`.
  @available(*, deprecated, renamed: "missingInitialPage")
  public static var missingFirstPage: Self { .missingInitialPage }
}
