extension JSONValue {
  /// The elements of an array, each reached in constant time; none for what is no array.
  public var elements: Elements { Elements(value: self) }

  /// The members of an object in their order; none for what is no object.
  public var members: Members { Members(value: self) }

  public struct Elements: Sequence, Sendable {
    let value: JSONValue

    public var underestimatedCount: Int { value.kind == .array ? value.count : 0 }

    public func makeIterator() -> Iterator { Iterator(value) }

    public struct Iterator: IteratorProtocol, Sendable {
      private var tape: (document: JSONDocument, position: Int, end: Int)?
      private var storage: JSONArrayStorage?
      private var index = 0

      init(_ value: JSONValue) {
        switch value.storage {
        case .tape(let document, let index) where document.kind(at: index) == .array:
          tape = (document, index + 2, document.next(after: index))
        case .array(let storage): self.storage = storage
        default: break
        }
      }

      public mutating func next() -> JSONValue? {
        if let (document, position, end) = tape {
          guard position < end else { return nil }
          tape?.position = document.next(after: position)
          return document.value(at: position)
        }
        guard let storage, index < storage.count else { return nil }
        defer { index += 1 }
        return storage[index]
      }
    }
  }

  public struct Members: Sequence, Sendable {
    let value: JSONValue

    public var underestimatedCount: Int { value.kind == .object ? value.count : 0 }

    public func makeIterator() -> Iterator { Iterator(value) }

    public struct Iterator: IteratorProtocol, Sendable {
      private var tape: (document: JSONDocument, position: Int, end: Int)?
      private var storage: JSONObjectStorage?
      private var index = 0

      init(_ value: JSONValue) {
        switch value.storage {
        case .tape(let document, let index) where document.kind(at: index) == .object:
          tape = (document, index + 2, document.next(after: index))
        case .object(let storage): self.storage = storage
        default: break
        }
      }

      public mutating func next() -> (key: String, value: JSONValue)? {
        if let (document, position, end) = tape {
          guard position < end else { return nil }
          let value = document.next(after: position)
          tape?.position = document.next(after: value)
          return (document.string(at: position), document.value(at: value))
        }
        guard let storage, index < storage.count else { return nil }
        defer { index += 1 }
        return storage.member(index)
      }
    }
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
    case .tape(let document, let index):
      guard document.kind(at: index) == .string else { return nil }
      if !document.hasEscape(at: index) { return try body(document.rawBytes(at: index)) }
      return try Self.withBytes(of: document.string(at: index), body)
    case .string(let text): return try Self.withBytes(of: text, body)
    default: return nil
    }
  }

  /// The bytes of a number's text; nil for what is no number.
  package func withNumberBytes<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    switch storage {
    case .tape(let document, let index):
      guard document.kind(at: index) == .number else { return nil }
      return try body(document.rawBytes(at: index))
    case .number(let number): return try Self.withBytes(of: number.text, body)
    default: return nil
    }
  }

  /// Calls `body` for each member with the bytes of its key, until it returns false.
  package func forEachMember<Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>, JSONValue) throws(Failure) -> Bool
  ) throws(Failure) {
    switch storage {
    case .tape(let document, let index):
      guard document.kind(at: index) == .object else { return }
      var position = index + 2
      let end = document.next(after: index)
      while position < end {
        let valueIndex = document.next(after: position)
        let value = document.value(at: valueIndex)
        let goesOn: Bool
        if document.hasEscape(at: position) {
          goesOn = try Self.withBytes(of: document.string(at: position)) { (bytes) throws(Failure) in
            try body(bytes, value)
          }
        } else {
          goesOn = try body(document.rawBytes(at: position), value)
        }
        guard goesOn else { return }
        position = document.next(after: valueIndex)
      }
    case .object(let storage):
      for index in 0..<storage.count {
        let (key, value) = storage.member(index)
        let goesOn = try Self.withBytes(of: key) { (bytes) throws(Failure) in try body(bytes, value) }
        guard goesOn else { return }
      }
    default: return
    }
  }

  /// Where the value is on a document's tape, for code that walks the tape itself; nil for a value built in memory.
  package var position: (document: JSONDocument, index: Int)? {
    if case .tape(let document, let index) = storage { return (document, index) }
    return nil
  }

  private static func withBytes<Result, Failure: Error>(
    of text: String, _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let bytes = ContiguousArray(text.utf8)
    return try bytes.withUnsafeBufferPointer(body)
  }
}
