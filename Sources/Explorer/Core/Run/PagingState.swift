import ApusJSON

/// A list in the response that is loaded page by page.
package struct PagedList: Equatable, Sendable {
  /// The path of the field that has the paging arguments: `nest.birds`.
  package var path: ResponsePath
  /// The path of the list of items: `nest.birds.edges`.
  package var listPath: ResponsePath
  package var itemCount: Int
  /// The total number of items, if the server reports it.
  package var totalCount: Int?
  package var hasNextPage: Bool
  package var hasPreviousPage: Bool
  /// The reason why the list may be incomplete although no page can be loaded, as words: "the server repeated its
  /// cursor".
  package var shortfall: String?
  /// Whether the query has no cursor argument. If so, the argument is added to the requests for other pages.
  package var lacksCursor: Bool

  package init(
    path: ResponsePath, listPath: ResponsePath? = nil, itemCount: Int, totalCount: Int? = nil, hasNextPage: Bool,
    hasPreviousPage: Bool = false, shortfall: String? = nil, lacksCursor: Bool = false
  ) {
    self.path = path
    self.listPath = listPath ?? path
    self.itemCount = itemCount
    self.totalCount = totalCount
    self.hasNextPage = hasNextPage
    self.hasPreviousPage = hasPreviousPage
    self.shortfall = shortfall
    self.lacksCursor = lacksCursor
  }

  /// Whether a page of the requested kind exists.
  package func offers(_ requested: PageRequest) -> Bool {
    switch requested {
    case .next, .all: hasNextPage
    case .previous, .allPrevious: hasPreviousPage
    case .first: true
    }
  }
}

/// The pages that the user requests.
package enum PageRequest: Equatable, Sendable {
  case next, previous
  /// All following pages, one after another, up to the limit.
  case all(limit: Int?)
  /// All preceding pages, one after another, up to the limit.
  case allPrevious(limit: Int?)
  /// The initial page, which the operation itself returned.
  case first

  package var isAll: Bool {
    switch self {
    case .all, .allPrevious: true
    case .next, .previous, .first: false
    }
  }

  package var isBackward: Bool {
    switch self {
    case .previous, .allPrevious: true
    case .next, .all, .first: false
    }
  }

  /// The maximum number of pages; nil for no limit.
  package var limit: Int? {
    switch self {
    case .all(let limit), .allPrevious(let limit): limit
    case .next, .previous, .first: 1
    }
  }

  /// The opposite direction, if several pages are requested; otherwise nil.
  var turned: PageRequest? {
    switch self {
    case .all(let limit): .allPrevious(limit: limit)
    case .allPrevious(let limit): .all(limit: limit)
    case .next, .previous, .first: nil
    }
  }
}

/// The progress of loading pages.
package struct PagingState: Equatable, Sendable {
  package var requested: PageRequest
  package var path: ResponsePath
  package var pages = 0
  package var elapsed = Duration.zero

  package init(_ requested: PageRequest, path: ResponsePath) {
    self.requested = requested
    self.path = path
  }

  /// Pages loaded per second, in tenths: 25 for 2.5. Nil until it can be measured.
  package var rateInTenths: Int? {
    let seconds = elapsed / .seconds(1)
    return pages > 1 && seconds > 0.05 ? Int(Double(pages) / seconds * 10) : nil
  }
}

/// A change to the query that adds paging to one of its lists.
package struct PagingOffer: Equatable, Sendable {
  /// The field's path of response keys: `nest.birds`.
  package var title: String
  /// The complete document with the change applied.
  package var text: String
  /// Changed lines, before and after the change.
  package var removed: [String]
  package var added: [String]

  package init(title: String, text: String, removed: [String], added: [String]) {
    self.title = title
    self.text = text
    self.removed = removed
    self.added = added
  }
}
