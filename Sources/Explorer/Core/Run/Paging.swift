import ApusJSON

/// A list of the response that comes in pages.
package struct PagedList: Equatable, Sendable {
  /// Where the field that takes the page's place is.
  package var path: ResponsePath
  /// Where its items are.
  package var listPath: ResponsePath
  package var itemCount: Int
  /// How many there are in all, where the server tells.
  package var totalCount: Int?
  package var hasNextPage: Bool
  package var hasPreviousPage: Bool
  /// Whether the query has no argument for the page's place: it is put into what is sent then.
  package var lacksCursor: Bool

  package init(
    path: ResponsePath, listPath: ResponsePath? = nil, itemCount: Int, totalCount: Int? = nil, hasNextPage: Bool,
    hasPreviousPage: Bool = false, lacksCursor: Bool = false
  ) {
    self.path = path
    self.listPath = listPath ?? path
    self.itemCount = itemCount
    self.totalCount = totalCount
    self.hasNextPage = hasNextPage
    self.hasPreviousPage = hasPreviousPage
    self.lacksCursor = lacksCursor
  }

  /// Whether a wish has a page to be fulfilled with.
  package func offers(_ wanted: PagesWanted) -> Bool {
    switch wanted {
    case .next, .all: hasNextPage
    case .previous, .allPrevious: hasPreviousPage
    case .first: true
    }
  }
}

/// Which pages a person asks for.
package enum PagesWanted: Equatable, Sendable {
  case next, previous
  /// One after the other; with a limit, so many at most.
  case all(limit: Int?)
  /// Like `all`, towards the beginning.
  case allPrevious(limit: Int?)
  /// Back to the page that the operation itself gave.
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

  /// The number of pages at most; nil for all that there are.
  package var limit: Int? {
    switch self {
    case .all(let limit), .allPrevious(let limit): limit
    case .next, .previous, .first: 1
    }
  }

  /// Many pages in the other direction; nil for what asks for one.
  var turned: PagesWanted? {
    switch self {
    case .all(let limit): .allPrevious(limit: limit)
    case .allPrevious(let limit): .all(limit: limit)
    case .next, .previous, .first: nil
    }
  }
}

/// Pages being loaded.
package struct Paging: Equatable, Sendable {
  package var wanted: PagesWanted
  package var path: ResponsePath
  package var pages = 0
  package var elapsed = Duration.zero

  package init(_ wanted: PagesWanted, path: ResponsePath) {
    self.wanted = wanted
    self.path = path
  }

  /// Pages a second, in tenths; nil before there is anything to tell.
  package var rateInTenths: Int? {
    let seconds = elapsed / .seconds(1)
    return pages > 1 && seconds > 0.05 ? Int(Double(pages) / seconds * 10) : nil
  }
}

/// A change to the query that makes a list of it one with pages.
package struct PagingOffer: Equatable, Sendable {
  /// The field's path of response keys.
  package var title: String
  /// The whole text with the change in it.
  package var text: String
  /// The lines that the change touches, as they were and as they become.
  package var removed: [String]
  package var added: [String]

  package init(title: String, text: String, removed: [String], added: [String]) {
    self.title = title
    self.text = text
    self.removed = removed
    self.added = added
  }
}
