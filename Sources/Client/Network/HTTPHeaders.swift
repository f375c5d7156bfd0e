import ApusASCII

/// Header fields in order. Names are compared case-insensitively.
public struct HTTPHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// A header field.
  public struct Field: Sendable, Hashable {
    /// The field's name, with its case preserved.
    public var name: String
    /// The field's value.
    public var value: String

    /// Creates a field. Invalid names and values are rejected when a request is sent (`NetworkError.badHeader`).
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  private enum Storage {
    case fields([Field])
    /// The fields of a response, unparsed because few are ever read.
    case block(HeaderBlock)
  }

  private var storage: Storage

  /// The fields in order. A name may occur more than once.
  public private(set) var fields: [Field] {
    get {
      switch storage {
      case .fields(let fields): fields
      case .block(let block): block.fields
      }
    }
    _modify {
      var fields = fields
      // Cleared so that `fields` is uniquely referenced and can be changed in place.
      storage = .fields([])
      defer { storage = .fields(fields) }
      yield &fields
    }
  }

  /// Creates header fields in order.
  public init(_ fields: [Field] = []) {
    storage = .fields(fields)
  }

  init(_ block: HeaderBlock) {
    storage = .block(block)
  }

  public init(dictionaryLiteral elements: (String, String)...) {
    self.init(elements.map { Field(name: $0.0, value: $0.1) })
  }

  public static func == (left: HTTPHeaders, right: HTTPHeaders) -> Bool { left.fields == right.fields }

  public func hash(into hasher: inout Hasher) { hasher.combine(fields) }

  /// The first value of a name: `headers["Accept"]`. Setting a value replaces all fields with the name; setting nil
  /// removes them.
  public subscript(name: String) -> String? {
    get {
      switch storage {
      case .fields(let fields): fields.first { Self.areEqual($0.name, name) }?.value
      case .block(let block): block.value(of: name)
      }
    }
    set {
      guard let newValue else {
        fields.removeAll { Self.areEqual($0.name, name) }
        return
      }
      guard let index = fields.firstIndex(where: { Self.areEqual($0.name, name) }) else {
        fields.append(Field(name: name, value: newValue))
        return
      }
      fields[index].value = newValue
      var seen = false
      fields.removeAll { field in
        guard Self.areEqual(field.name, name) else { return false }
        defer { seen = true }
        return seen
      }
    }
  }

  /// Returns the values of a name, in order.
  public func values(of name: String) -> [String] {
    fields.filter { Self.areEqual($0.name, name) }.map(\.value)
  }

  /// Adds a field without replacing existing ones.
  public mutating func add(name: String, value: String) {
    fields.append(Field(name: name, value: value))
  }

  static func areEqual(_ left: String, _ right: String) -> Bool {
    left == right || areEqual(left.utf8, right.utf8)
  }

  static func areEqual(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { $0.lowercased == $1.lowercased }
  }

  /// Compares names as bytes, without the overhead of collections.
  static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    for index in 0..<left.count where left[index].lowercased != right[index].lowercased { return false }
    return true
  }
}
