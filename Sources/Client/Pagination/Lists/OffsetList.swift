import ApusClientAPI
import ApusClientOperation
import ApusJSON

/// A list in a result whose field has a numeric argument for the page: an offset or a page number.
public struct OffsetList: Sendable, Hashable {
  /// The unit of the page argument.
  public enum Unit: Sendable, Hashable {
    /// A number of items to skip (`offset`, `skip`).
    case items
    /// A page number (`page`, `pageNumber`).
    case pages
  }

  /// The path of the field with the arguments in the result.
  public internal(set) var path: ResponsePath
  /// The path to the list: `birds` for a field that is a list, `birds.items` for a list in its object.
  public internal(set) var listPath: ResponsePath
  /// The field's name in the schema.
  public let fieldName: String
  /// The unit of the page argument.
  public let unit: Unit
  /// The name of the page argument, such as `offset`, `skip` or `page`.
  public let placeArgument: String
  /// The name of the page size argument, such as `limit`, `take` or `perPage`; `nil` if the field has none.
  public let sizeArgument: String?
  /// Bindings of the arguments, by their names in the schema. Missing arguments are absent.
  public let bindings: [String: ArgumentBinding]
  /// The value of the page argument, an offset or page number; `nil` if the operation does not specify it.
  public let place: Int?
  /// The number of items per page, or `nil` if the operation does not specify it.
  public let pageSize: Int?
  /// The number of items in the result.
  public let itemCount: Int
  /// The response key of the total count, next to the list; `nil` if there is none.
  public let totalKey: String?
  /// The total number of items, or `nil` if the result does not contain it.
  public let totalCount: Int?

  /// The number of the first page: 0 if the operation requests page 0, otherwise 1.
  private var firstNumber: Int { place == 0 ? 0 : 1 }

  /// Whether the next page can be requested.
  public var canLoadNext: Bool { end == nil }

  /// The reason why the next page cannot be requested; `nil` if it can.
  var end: PagingStopReason? {
    switch unit {
    case .items: offsetInfo(place ?? 0, pageSize, itemCount, totalCount).next == nil ? .lastPage : nil
    case .pages: endOfNumberedPages(place ?? firstNumber, pageSize, itemCount, totalCount)
    }
  }

  /// Whether the previous page can be requested, which is true except on the first page.
  public var canLoadPrevious: Bool {
    switch unit {
    case .items: (place ?? 0) > 0
    case .pages: (place ?? firstNumber) > firstNumber
    }
  }

  /// Returns the page info of an offset. If the page size is unknown, any page with items may have a successor.
  private func offsetInfo(_ offset: Int, _ size: Int?, _ count: Int, _ total: Int?) -> OffsetPageInfo {
    OffsetPageInfo(offset: offset, count: count, limit: size ?? count, total: total)
  }

  /// The number of items that the server sends per page: fewer than requested if this page is shorter than its size
  /// although the total says that more follow.
  private var servedSize: Int? {
    guard let pageSize, itemCount > 0, itemCount < pageSize, let totalCount,
      (place ?? firstNumber) == firstNumber, itemCount < totalCount
    else { return pageSize }
    return itemCount
  }

  /// Returns the reason why there is no page after a numbered one; `nil` if there may be one.
  ///
  /// | page | total | end |
  /// |---|---|---|
  /// | empty | | the last page |
  /// | full, or of unknown size | unknown | none |
  /// | shorter than its size | unknown | a short page |
  /// | any | known | the last page if the items before it and its own reach the total |
  private func endOfNumberedPages(_ number: Int, _ size: Int?, _ count: Int, _ total: Int?) -> PagingStopReason? {
    // An operation can contain any number. An invalid page number has no next page.
    guard count > 0, (0..<Int.max).contains(number) else { return .lastPage }
    guard let total else { return size.map { count < $0 } ?? false ? .shortPage : nil }
    let size = size == pageSize ? servedSize : size
    let (before, isAbsurd) = (number - firstNumber).multipliedReportingOverflow(by: size ?? count)
    let (loaded, isEndless) = before.addingReportingOverflow(count)
    return isAbsurd || isEndless || loaded >= total ? .lastPage : nil
  }

  func step(_ direction: PagingDirection, from page: Page<DynamicOperation>) -> DynamicPagingStrategy.Step {
    // A missing list is an empty page.
    guard let data = page.data, let list = data.value(at: listPath) else { return .end(.lastPage) }
    let total = totalKey.flatMap { data.value(at: path)?[$0]?.int }
    let place = number(placeArgument, of: page.query)
    let size = sizeArgument.flatMap { number($0, of: page.query) }
    switch unit {
    case .items:
      let info = offsetInfo(place ?? 0, size, list.count, total)
      guard let slice = direction == .next ? info.next : info.previous else { return .end(.lastPage) }
      return .page(operation(slice, size, from: page.query))
    case .pages:
      let number = place ?? firstNumber
      if direction == .next {
        if let end = endOfNumberedPages(number, size, list.count, total) { return .end(end) }
        return .page(operation(number: number + 1, from: page.query))
      }
      guard number > firstNumber else { return .end(.lastPage) }
      return .page(operation(number: number - 1, from: page.query))
    }
  }

  private func operation(_ slice: PageSlice, _ size: Int?, from operation: DynamicOperation) -> DynamicOperation {
    var change = ArgumentChange(
      path: path.keys, values: [(placeArgument, JSONValue(slice.offset))], bindings: bindings)
    if let sizeArgument, let size, slice.limit != size { change.values.append((sizeArgument, JSONValue(slice.limit))) }
    return change.apply(to: operation)
  }

  private func operation(number: Int, from operation: DynamicOperation) -> DynamicOperation {
    ArgumentChange(path: path.keys, values: [(placeArgument, JSONValue(number))], bindings: bindings)
      .apply(to: operation)
  }

  /// Returns the value of an argument in the operation of a page.
  private func number(_ argument: String, of operation: DynamicOperation) -> Int? {
    let plan = SelectionPlan(operation: operation.compiled, variables: operation.variables)
    return plan.field(at: path.keys)?.argumentValues(variables: plan.variables).first { $0.name == argument }?.value.int
  }
}

extension SelectionPlan {
  /// Returns the field at a path of response keys, including fields in fragments.
  func field(at keys: [String]) -> CompiledField? {
    operation.selections.fields(at: keys).first
  }
}

extension CompiledSelectionSet {
  /// Returns the fields at a path of response keys, including fields in fragments: one for each occurrence in the
  /// document.
  func fields(at keys: [String]) -> [CompiledField] {
    var found: [CompiledField] = []
    // Visit each set once per number of remaining keys, however many fragments lead to it.
    struct Visit: Hashable {
      let set: ObjectIdentifier
      let keyCount: Int
    }
    var visited: Set<Visit> = []
    func collect(_ set: CompiledSelectionSet, _ keys: ArraySlice<String>) {
      let visit = Visit(set: ObjectIdentifier(set), keyCount: keys.count)
      guard let key = keys.first, visited.insert(visit).inserted else { return }
      for selection in set.selections {
        switch selection {
        case .fragment(let fragment): collect(fragment.selectionSet, keys)
        case .field(let field) where field.responseKey == key:
          if keys.count == 1 {
            found.append(field)
          } else if let inner = field.selectionSet {
            collect(inner, keys.dropFirst())
          }
        case .field: break
        }
      }
    }
    collect(self, keys[...])
    return found
  }
}
