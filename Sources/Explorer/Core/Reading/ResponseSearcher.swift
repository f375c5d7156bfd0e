import JSON

/// Finds a text in the names and values of a response: upper and lower case count only where the text has upper case.
package struct ResponseSearcher {
  /// How many places are found at most.
  package static let limit = 10_000

  private let wanted: [UInt8]
  private let foldsCase: Bool
  private let hidden: HiddenFields?
  private var limit = Self.limit
  private var path: [PathComponent] = []
  private var found: [ResponsePath] = []

  private init(_ text: String, hidden: HiddenFields?) {
    foldsCase = !text.contains(where: \.isUppercase)
    wanted = Array((foldsCase ? text.lowercased() : text).utf8)
    self.hidden = hidden
  }

  /// The places in reading order, and whether there are more.
  package static func search(
    _ text: String, in data: JSONValue, hidden: HiddenFields? = nil
  ) -> (paths: [ResponsePath], isCut: Bool) {
    guard !text.isEmpty else { return ([], false) }
    var searcher = ResponseSearcher(text, hidden: hidden)
    searcher.visit(data, hidden)
    return (Array(searcher.found.prefix(limit)), searcher.found.count > limit)
  }

  /// Whether the text is anywhere in the data.
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
        if contains(key) || isMatch(member) { found.append(ResponsePath(path)) }
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
    default: break
    }
  }

  private func isMatch(_ value: JSONValue) -> Bool {
    switch value.kind {
    case .string: value.withStringBytes { contains($0) } ?? false
    case .number: value.withNumberBytes { contains($0) } ?? false
    case .bool, .null: value.description == String(decoding: wanted, as: UTF8.self)
    default: false
    }
  }

  private func contains(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = wanted.first, bytes.count >= wanted.count else { return false }
    for start in 0...(bytes.count - wanted.count) where folded(bytes[start]) == first {
      var length = 1
      while length < wanted.count, folded(bytes[start + length]) == wanted[length] { length += 1 }
      if length == wanted.count { return true }
    }
    return false
  }

  /// Letters of other alphabets are compared as they are.
  private func folded(_ byte: UInt8) -> UInt8 { foldsCase && (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
