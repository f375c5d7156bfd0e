import ApusClientAPI
import ApusClientOperation
import ApusJSON

/// A list in a result whose field takes the place of a page as numbers: an offset and a limit, or a page's number.
public struct OffsetList: Sendable, Hashable {
  /// What the numbers count.
  public enum Unit: Sendable, Hashable {
    /// Items to leave out: `offset`, `skip`.
    case items
    /// Pages: `page`.
    case pages
  }

  /// Where the field with the arguments is in the result.
  public internal(set) var path: ResponsePath
  /// Where its list is: the field itself, or a list within the object that it gives.
  public internal(set) var listPath: ResponsePath
  /// The field's name in the schema.
  public let fieldName: String
  /// Whether the place is an offset or a page's number.
  public let unit: Unit
  /// `offset`, `skip` or `page`.
  public let placeArgument: String
  /// `limit`, `take`, `perPage`; `nil` where the field takes none.
  public let sizeArgument: String?
  /// How the operation gives the arguments, by their names in the schema.
  public let bindings: [String: ArgumentBinding]
  /// What the operation says: the offset, or the page's number; `nil` where it says nothing.
  public let place: Int?
  /// How many items a page has, where the operation says so; `nil` where it does not.
  public let pageSize: Int?
  /// How many items the result has.
  public let itemCount: Int
  /// Under what response key beside the list the number of all items stands.
  public let totalKey: String?
  /// How many items there are in all, where the result tells beside the list; `nil` where it does not.
  public let totalCount: Int?

  /// The number of the first page: 0 where the operation asked for that, else 1.
  private var firstNumber: Int { place == 0 ? 0 : 1 }

  /// Whether the next page can be asked for: a page that came short is the last one.
  public var canLoadNext: Bool {
    switch unit {
    case .items: offsetInfo(place ?? 0, pageSize, itemCount, totalCount).next != nil
    case .pages: hasNextPage(place ?? firstNumber, pageSize, itemCount, totalCount)
    }
  }

  /// Whether the previous page can be asked for: this is not the first.
  public var canLoadPrevious: Bool {
    switch unit {
    case .items: (place ?? 0) > 0
    case .pages: (place ?? firstNumber) > firstNumber
    }
  }

  /// Where nobody says how long a page is, one that has anything may have another behind it.
  private func offsetInfo(_ offset: Int, _ size: Int?, _ count: Int, _ total: Int?) -> OffsetPageInfo {
    OffsetPageInfo(offset: offset, count: count, limit: size ?? count, total: total)
  }

  private func hasNextPage(_ number: Int, _ size: Int?, _ count: Int, _ total: Int?) -> Bool {
    // Any number may stand in an operation; one that is no page's has none behind it.
    guard count > 0, (0..<Int.max).contains(number) else { return false }
    if let total, let size {
      let (before, isAbsurd) = (number - firstNumber + 1).multipliedReportingOverflow(by: size)
      return !isAbsurd && before < total
    }
    return count >= (size ?? 1)
  }

  func step(_ direction: PagingDirection, from page: Page<DynamicOperation>) -> DynamicPagingStrategy.Step {
    // A list that is not there is an empty page.
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
        guard hasNextPage(number, size, list.count, total) else { return .end(.lastPage) }
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

  /// An argument's value in an operation that this list's pages are asked for with.
  private func number(_ argument: String, of operation: DynamicOperation) -> Int? {
    let plan = SelectionPlan(operation: operation.compiled, variables: operation.variables)
    return plan.field(at: path.keys)?.argumentValues(variables: plan.variables).first { $0.name == argument }?.value.int
  }
}

extension SelectionPlan {
  /// The field at a path of response keys, through whatever fragments.
  func field(at keys: [String]) -> CompiledField? {
    operation.selections.fields(at: keys).first
  }
}

extension CompiledSelectionSet {
  /// The fields at a path of response keys, through whatever fragments: one for each place in the document that selects it.
  func fields(at keys: [String]) -> [CompiledField] {
    var found: [CompiledField] = []
    // A set is looked into once for each number of keys that are left, however many fragments lead to it.
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
