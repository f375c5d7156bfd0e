import ApusJSON

/// Finds a string in the field names and values of a response.
package struct ResponseSearcher {
  /// The maximum number of matches.
  package static let limit = 10_000

  private let sought: SearchPattern
  private let hidden: HiddenFields?
  private var limit = Self.limit
  private var path: [PathComponent] = []
  private var found: [ResponsePath] = []

  private init(_ text: String, hidden: HiddenFields?) {
    sought = SearchPattern(text)
    self.hidden = hidden
  }

  /// Returns the paths of the matches in document order, and whether there are more.
  package static func search(
    _ text: String, in data: JSONValue, hidden: HiddenFields? = nil
  ) -> (paths: [ResponsePath], isCut: Bool) {
    guard !text.isEmpty else { return ([], false) }
    var searcher = ResponseSearcher(text, hidden: hidden)
    searcher.visit(data, hidden)
    return (Array(searcher.found.prefix(limit)), searcher.found.count > limit)
  }

  /// Whether the string occurs anywhere in the data.
  package static func contains(_ text: String, in data: JSONValue, hidden: HiddenFields? = nil) -> Bool {
    var searcher = ResponseSearcher(text, hidden: hidden)
    searcher.limit = 0
    searcher.visit(data, hidden)
    return !searcher.found.isEmpty
  }

  private mutating func visit(_ value: JSONValue, _ hidden: HiddenFields?) {
    guard found.count <= limit, !Task.isCancelled else { return }
    switch value.kind {
    case .object:
      value.forEachMember { key, member in
        let name = String(decoding: key, as: UTF8.self)
        guard hidden?.names.contains(name) != true else { return true }
        path.append(.key(name))
        if sought.isIn(key) || isMatch(member) { found.append(ResponsePath(path)) }
        visit(member, hidden?.children[name])
        path.removeLast()
        return found.count <= limit
      }
    case .array:
      for (index, item) in value.elements.enumerated() {
        path.append(.index(index))
        if isMatch(item) { found.append(ResponsePath(path)) }
        visit(item, hidden)
        path.removeLast()
        if found.count > limit { return }
      }
    case .string, .number, .bool, .null: break
    }
  }

  private func isMatch(_ value: JSONValue) -> Bool {
    switch value.kind {
    case .string: value.withStringBytes { sought.isIn($0) } ?? false
    case .number: value.withNumberBytes { sought.isIn($0) } ?? false
    case .bool, .null: sought.isWhole(value.description)
    case .array, .object: false
    }
  }
}
