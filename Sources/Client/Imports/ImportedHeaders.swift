/// The headers of a request and its folders. A later header replaces an earlier one with the same name.
struct ImportedHeaders {
  /// The maximum number of headers per request. Folders apply theirs to all requests in them.
  static let limit = 200

  private var slots: [ImportedCollection.Header?] = []
  private var slotOfName: [String: Int] = [:]

  mutating func set(_ name: String, _ value: String) {
    let key = name.lowercased()
    if let slot = slotOfName[key] {
      slots[slot] = nil
    } else if slotOfName.count == Self.limit {
      return
    }
    slotOfName[key] = slots.count
    slots.append(ImportedCollection.Header(name: name, value: value))
  }

  var all: [ImportedCollection.Header] { slots.compactMap { $0 } }
}
