extension JSONValue {
  /// The elements of an array, each reached in constant time; none for what is no array.
  public var elements: Elements { Elements(value: self) }

  /// The members of an object in their order; none for what is no object.
  public var members: Members { Members(value: self) }

  /// The elements of an array, to be iterated.
  public struct Elements: Sequence, Sendable {
    let value: JSONValue

    /// How many elements there are.
    public var underestimatedCount: Int { value.kind == .array ? value.count : 0 }

    public func makeIterator() -> Iterator { Iterator(value) }

    /// Gives one element after the other.
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

      /// The next element; `nil` behind the last.
      public mutating func next() -> JSONValue? {
        guard let storage else { return tape?.next() }
        guard index < storage.content.count else { return nil }
        defer { index += 1 }
        // A base on a tape is walked along, so that no element has to be searched.
        if let original = tape?.next() { return storage.content.changed(at: index) ?? original }
        return storage.content.value(at: index)
      }
    }
  }

  /// The members of an object, to be iterated.
  public struct Members: Sequence, Sendable {
    let value: JSONValue

    /// How many members there are.
    public var underestimatedCount: Int { value.kind == .object ? value.count : 0 }

    public func makeIterator() -> Iterator { Iterator(value) }

    /// Gives one member after the other.
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

      /// The next member; `nil` behind the last.
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

/// Walks along the children of a container on a tape.
struct TapeCursor: Sendable {
  let document: JSONDocument
  private var place: TapePlace
  private let end: Int

  init(_ document: JSONDocument, _ container: TapePlace) {
    self.document = document
    place = document.tape.inside(container)
    end = document.tape.end(container)
  }

  mutating func next() -> JSONValue? { nextPlace().map(document.value) }

  mutating func nextString() -> String? { nextPlace().map(document.string) }

  mutating func nextPlace() -> TapePlace? {
    guard place.isBefore(end) else { return nil }
    defer { place = document.tape.next(place) }
    return place
  }
}

// For hot paths: bytes instead of strings.
extension JSONValue {
  /// The bytes of a string as they stand in the source, when it is a view and has no escapes; or of its own storage.
  /// nil for what is no string.
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

  /// The bytes of a number's text; nil for what is no number.
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

  /// The double of which the null was made that this is; nil for every other value.
  package var notFinite: Double? { if case .notFinite(let value) = storage { value } else { nil } }

  /// The path to the first null in the value that was made of NaN or infinity; nil for a value without one.
  package var nonFinitePath: ResponsePath? {
    var path: [PathComponent] = []
    func search(_ value: JSONValue) -> Bool {
      switch value.storage {
      // A parsed document has none.
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

  /// Calls `body` for each member with the bytes of its key, until it returns false.
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
      let goesOn: Bool
      if document.tape.hasEscape(key) {
        goesOn = try document.string(at: key).withBytes { (bytes) throws(Failure) in try body(bytes, value) }
      } else {
        goesOn = try body(document.tape.raw(key), value)
      }
      guard goesOn else { return }
    }
    guard let content else { return }
    while position < content.count {
      let value = content.value(at: position)
      let goesOn = try content.key(at: position).withBytes { (bytes) throws(Failure) in try body(bytes, value) }
      guard goesOn else { return }
      position += 1
    }
  }

  /// Where the value is on a document's tape, for code that walks the tape itself; nil for a value built in memory.
  package var position: (document: JSONDocument, place: TapePlace)? {
    if case .tape(let document, let place) = storage { return (document, place) }
    return nil
  }
}
