extension JSONValue {
  /// Elements of an array, each reached in constant time; empty if the value is not an array.
  public var elements: Elements { Elements(value: self) }

  /// Members of an object in order; empty if the value is not an object.
  public var members: Members { Members(value: self) }

  /// The elements of an array.
  public struct Elements: Sequence, Sendable {
    let value: JSONValue

    /// The number of elements.
    public var underestimatedCount: Int { value.kind == .array ? value.count : 0 }

    public func makeIterator() -> Iterator { Iterator(value) }

    /// An iterator over the elements of an array.
    public struct Iterator: IteratorProtocol, Sendable {
      private var tape: TapeCursor?
      private var storage: JSONArrayStorage?
      private var index = 0

      init(_ value: JSONValue) {
        switch value.storage {
        case .tape(let document, let place) where document.kind(at: place) == .array:
          tape = TapeCursor(document, place)
        case .array(let storage):
          self.storage = storage
          tape = storage.content.tape
        default: break
        }
      }

      /// Returns the next element; `nil` after the last.
      public mutating func next() -> JSONValue? {
        guard let storage else { return tape?.next() }
        guard index < storage.content.count else { return nil }
        defer { index += 1 }
        // A cursor reaches the next element of the tape without a search.
        if let original = tape?.next() { return storage.content.changed(at: index) ?? original }
        return storage.content.value(at: index)
      }
    }
  }

  /// The members of an object.
  public struct Members: Sequence, Sendable {
    let value: JSONValue

    /// The number of members.
    public var underestimatedCount: Int { value.kind == .object ? value.count : 0 }

    public func makeIterator() -> Iterator { Iterator(value) }

    /// An iterator over the members of an object.
    public struct Iterator: IteratorProtocol, Sendable {
      private var tape: TapeCursor?
      private var storage: JSONObjectStorage?
      private var index = 0

      init(_ value: JSONValue) {
        switch value.storage {
        case .tape(let document, let place) where document.kind(at: place) == .object:
          tape = TapeCursor(document, place)
        case .object(let storage):
          self.storage = storage
          tape = storage.content.tape
        default: break
        }
      }

      /// Returns the next member; `nil` after the last.
      public mutating func next() -> (key: String, value: JSONValue)? {
        let key = tape?.nextString()
        let original = key == nil ? nil : tape?.next()
        guard let storage else {
          guard let key, let original else { return nil }
          return (key, original)
        }
        guard index < storage.content.count else { return nil }
        defer { index += 1 }
        if let key, let original { return (key, storage.content.changed(at: index) ?? original) }
        return (storage.content.key(at: index), storage.content.value(at: index))
      }
    }
  }
}

/// Walks the children of a container on a tape.
struct TapeCursor: Sendable {
  let document: JSONDocument
  private var place: TapePosition
  private let end: Int

  init(_ document: JSONDocument, _ container: TapePosition) {
    self.document = document
    place = document.tape.inside(container)
    end = document.tape.end(container)
  }

  mutating func next() -> JSONValue? { nextPlace().map(document.value) }

  mutating func nextString() -> String? { nextPlace().map(document.string) }

  mutating func nextPlace() -> TapePosition? {
    guard place.isBefore(end) else { return nil }
    defer { place = document.tape.next(place) }
    return place
  }
}

// Access to bytes for hot paths that should not create strings.
extension JSONValue {
  /// Calls `body` with the UTF-8 bytes of a string, in place if it is a view without escapes. Returns nil if the value
  /// is not a string.
  package func withStringBytes<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    switch storage {
    case .tape(let document, let place):
      guard document.kind(at: place) == .string else { return nil }
      if !document.tape.hasEscape(place) { return try body(document.tape.raw(place)) }
      return try document.string(at: place).withBytes(body)
    case .string(let text): return try text.withBytes(body)
    default: return nil
    }
  }

  /// Calls `body` with the bytes of a number's text. Returns nil if the value is not a number.
  package func withNumberBytes<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    switch storage {
    case .tape(let document, let place):
      guard document.kind(at: place) == .number else { return nil }
      return try body(document.tape.raw(place))
    case .number(let number): return try number.text.withBytes(body)
    default: return nil
    }
  }

  /// The NaN or infinity that became this null; nil for every other value.
  package var notFinite: Double? { if case .notFinite(let value) = storage { value } else { nil } }

  /// The path to the first null that was created from NaN or infinity; nil if there is none.
  package var nonFinitePath: ResponsePath? {
    var path: [PathComponent] = []
    func search(_ value: JSONValue) -> Bool {
      switch value.storage {
      // A parsed document cannot contain one.
      case .tape, .null, .bool, .string, .number: return false
      case .notFinite: return true
      case .array:
        for (index, element) in value.elements.enumerated() {
          path.append(.index(index))
          if search(element) { return true }
          path.removeLast()
        }
        return false
      case .object:
        for member in value.members {
          path.append(.key(member.key))
          if search(member.value) { return true }
          path.removeLast()
        }
        return false
      }
    }
    return search(self) ? ResponsePath(path) : nil
  }

  /// Calls `body` for each member with the bytes of its key until `body` returns false.
  package func forEachMember<Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>, JSONValue) throws(Failure) -> Bool
  ) throws(Failure) {
    var tape: TapeCursor?
    var content: JSONObjectContent?
    switch storage {
    case .tape(let document, let place) where document.kind(at: place) == .object: tape = TapeCursor(document, place)
    case .object(let storage):
      content = storage.content
      tape = storage.content.tape
    default: return
    }
    var position = 0
    while let key = tape?.nextPlace(), let document = tape?.document, let original = tape?.next() {
      let value = content?.changed(at: position) ?? original
      position += 1
      let hasMore: Bool
      if document.tape.hasEscape(key) {
        hasMore = try document.string(at: key).withBytes { (bytes) throws(Failure) in try body(bytes, value) }
      } else {
        hasMore = try body(document.tape.raw(key), value)
      }
      guard hasMore else { return }
    }
    guard let content else { return }
    while position < content.count {
      let value = content.value(at: position)
      let hasMore = try content.key(at: position).withBytes { (bytes) throws(Failure) in try body(bytes, value) }
      guard hasMore else { return }
      position += 1
    }
  }

  /// The position of the value on a document's tape, for code that walks the tape; nil for a value built in memory.
  package var position: (document: JSONDocument, place: TapePosition)? {
    if case .tape(let document, let place) = storage { return (document, place) }
    return nil
  }
}
